import Clock
import Foundation
import LineProtocol
import Navigation
import Testing
import TrackFormat

@testable import TrackTools

/// A folder with tracks and events for one test, removed with it.
final class TrackFixture {
    let path: String

    /// 2026-07-01T10:00:00Z in milliseconds.
    static let start: Int64 = 1_782_900_000_000

    init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/geotagd-track-XXXXXX"
        var bytes = Array(template.utf8CString)
        path = try #require(mkdtemp(&bytes).map { String(cString: $0) })
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// An epoch of a drive east along the equator at 10 m/s.
    static func epoch(_ number: Int, recording: [String] = []) -> ClosedEpoch {
        let seconds = Double(number) / 10
        let time = UnixTime(nanoseconds: (start + Int64(number) * 100) * 1_000_000)
        let fix = Fix(
            mode: .threeD, time: time, arrival: Instant.zero + .milliseconds(number * 100 + 60),
            latitudeDegrees: 0, longitudeDegrees: 10 * seconds * metre, heightMetres: 100,
            speedMetresPerSecond: 10, courseDegrees: 90, satellites: 9, hdop: 1,
            device: "/dev/ttyACM0")
        return ClosedEpoch(
            fix: fix, sequence: number, pushedCameras: 1, recording: recording, timeTrusted: true)
    }

    /// A metre in degrees of longitude at the equator.
    static let metre = 360 / (2 * Double.pi * 6_378_137)

    /// Writes a track of these epochs and returns its path.
    @discardableResult
    func track(_ numbers: some Sequence<Int>, recording: (Int) -> [String] = { _ in [] }) throws
        -> String
    {
        let epochs = numbers.map { Self.epoch($0, recording: recording($0)) }
        let first = try #require(epochs.first?.fix.time)
        var bytes = Array(TrackRow.header.utf8)
        for epoch in epochs {
            bytes += TrackRow.line(epoch, time: try #require(epoch.fix.time))
        }
        return try write(bytes, to: TrackFileName(kind: .track, time: first).text)
    }

    /// Writes events, each given as `(tenths of a second, kind, camera, fields)`.
    @discardableResult
    func events(_ events: [(Int, Notice.Kind, String, [Field])]) throws -> String {
        var bytes = Array(EventRow.header.utf8)
        for (tenths, kind, camera, fields) in events {
            let since = TimeSpan.milliseconds(tenths * 100)
            let utc = UnixTime(nanoseconds: Self.start * 1_000_000) + since
            let notice = Notice(
                kind: kind, name: camera, fields: fields, instant: Instant.zero + since, utc: utc)
            bytes += EventRow.line(notice, place: Self.epoch(tenths))
        }
        let name = TrackFileName(
            kind: .events, time: UnixTime(nanoseconds: Self.start * 1_000_000))
        return try write(bytes, to: name.text)
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    func bytes(_ file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: file).map(Array.init)
    }

    func text(_ file: String) -> String {
        String(decoding: bytes(file) ?? [], as: UTF8.self)
    }

    /// Runs a command and returns its standard output.
    func output(_ words: [String], status: Int32 = 0) throws -> String {
        let file = path + "/output"
        let old = dup(1)
        let new = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        dup2(new, 1)
        let result = TrackCommand.run(words)
        dup2(old, 1)
        close(old)
        close(new)
        try #require(result == status)
        return text(file)
    }

    /// Converts tracks to a format and returns the text.
    func converted(_ verb: String, _ words: [String]) throws -> String {
        let output = path + "/out-\(verb)"
        let status = TrackCommand.run([verb] + words + ["--output", output])
        try #require(status == 0)
        return text(output)
    }
}
