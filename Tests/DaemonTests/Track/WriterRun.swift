import Clock
import Foundation
import LineProtocol
import Navigation
import OsmoProtocol
import Reactor
import Testing
import TrackFormat

@testable import Daemon
@testable import Fleet

/// A track writer on a loop of its own, and what it reported.
final class WriterRun {
    let loop: EventLoop
    private(set) var writer: TrackWriter
    private var settings: TrackSettings
    private let heard: Heard

    private final class Heard {
        var notices: [Notice] = []
    }

    /// 2026-07-01T10:00:00Z, when the epochs begin.
    static let start = UnixTime(nanoseconds: 1_782_900_000_000_000_000)
    /// A test fails if the disk has not answered by then.
    static let patience = TimeSpan.seconds(20)

    init(
        _ directory: String?, retry: TimeSpan = .milliseconds(20), isSynchronised: Bool = false,
        _ change: (inout TrackSettings) -> Void = { _ in }
    ) throws {
        var settings = TrackSettings(directory: directory)
        settings.minimumFree = 0
        change(&settings)
        let heard = Heard()
        self.heard = heard
        self.settings = settings
        loop = try EventLoop()
        let clock = SystemClock(time: Self.start, synchronised: isSynchronised)
        writer = try TrackWriter(
            settings: settings, loop: loop, retryInterval: retry, systemClock: { clock },
            sink: { heard.notices.append($0) })
    }

    deinit { writer.close() }

    /// Changes the settings as a reload of the configuration does.
    func change(at now: Instant, _ change: (inout TrackSettings) -> Void) throws {
        let old = (settings.directory, writer)
        change(&settings)
        guard settings.directory != old.0 else { return writer.adopt(settings, at: now) }
        writer = try TrackWriter(settings: settings, loop: loop) { [heard] in
            heard.notices.append($0)
        }
        writer.follow(old.1, at: now)
        try wait { old.1.isOver }
    }

    /// `state=… key=…` of the notices so far.
    var said: [String] {
        heard.notices.map { notice in
            notice.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
    }

    func says(_ part: String) -> Bool { said.contains { $0.contains(part) } }

    static func epoch(_ number: Int, from start: UnixTime = start) -> ClosedEpoch {
        let since = TimeSpan.milliseconds(100 * number)
        return ClosedEpoch(
            fix: Fix(
                mode: .threeD, time: start + since, arrival: Instant.zero + since,
                latitudeDegrees: 48 + Double(number) * 1e-6, longitudeDegrees: 11,
                heightMetres: 500),
            sequence: number, pushedCameras: 1, recording: ["front"], timeTrusted: true)
    }

    func record(_ numbers: some Sequence<Int>, from start: UnixTime = start) {
        for number in numbers {
            writer.record(Self.epoch(number, from: start), at: .zero + .milliseconds(100 * number))
        }
    }

    /// Turns the loop until a condition holds.
    func wait(until condition: () -> Bool) throws {
        let end = MonotonicClock.now() + Self.patience
        while !condition() {
            try #require(MonotonicClock.now() < end, "nothing happened; said: \(said)")
            loop.turn(until: MonotonicClock.now() + .milliseconds(50))
        }
    }

    /// Waits until everything that was recorded is in files.
    func settle() throws { try wait { writer.isIdle } }
}

/// Reads the files of a folder.
struct TrackFolder {
    let path: String

    /// The rows of one kind in all files, in the order of the files' names; headers are checked and
    /// removed.
    func rows(_ kind: TrackFileKind) throws -> [String] {
        try names(kind).flatMap { name -> [String] in
            let text = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
            try #require(text.hasPrefix(kind.header) && text.hasSuffix("\n"), "\(name)")
            let lines = text.split(separator: "\n").map(String.init)
            try #require(lines.filter { $0 + "\n" == kind.header }.count == 1, "\(name)")
            return Array(lines.dropFirst())
        }
    }

    func names(_ kind: TrackFileKind? = nil) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.filter { kind == nil || $0.hasPrefix(kind!.rawValue + "-") }.sorted()
    }

    func sequences() throws -> [Int] {
        try rows(.track).map { row in
            try #require(Int(row.split(separator: ",", omittingEmptySubsequences: false)[15]))
        }
    }
}
