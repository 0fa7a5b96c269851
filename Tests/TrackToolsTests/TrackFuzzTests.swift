import Fleet
import Foundation
import LineProtocol
import Testing

@testable import TrackTools

/// Damaged files, and everything that the tools do with them.
@Suite struct TrackFuzzTests {
    /// Bytes that have a meaning in a row or a file.
    private static let bytes: [UInt8] = [
        0, 9, 10, 13, 0x1B, 0x22, 0x2B, 0x2C, 0x2D, 0x2E, 0x30, 0x39, 0x3C, 0x3A, 0x5A, 0x5C, 0x7F,
        0x80, 0xC3, 0xEF, 0xFF,
    ]

    private static func harm(_ file: inout [UInt8], _ numbers: inout SeededGenerator) {
        let place = Int.random(in: 0...file.count, using: &numbers)
        let end = min(file.count, place + Int.random(in: 0...300, using: &numbers))
        let any = bytes.randomElement(using: &numbers) ?? 0
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: if place < file.count { file[place] = any }
        case 1: file.insert(any, at: place)
        case 2: file.removeSubrange(place..<end)
        case 3: file.insert(contentsOf: file[place..<end], at: place)
        case 4: file.removeLast(file.count - place)
        case 5: for index in place..<end { file[index] = 0 }
        case 6:
            let digits = (0..<Int.random(in: 1...30, using: &numbers)).map { _ in
                UInt8.random(in: 0x30...0x39, using: &numbers)
            }
            file.insert(contentsOf: digits, at: place)
        default: file.insert(contentsOf: file.prefix(file.count - place), at: place)
        }
    }

    @Test("Whatever happened to files, the tools read what is whole in them")
    func whateverHappenedFilesToolsRead() throws {
        for seed in UInt64(0)..<120 {
            let fixture = try TrackFixture()
            var numbers = SeededGenerator(seed: seed)
            let track = try fixture.track(0..<40) { (10..<20).contains($0) ? ["front"] : [] }
            let events = try fixture.events([
                (1, .mark, "-", [Field("text", "a, <\"b\"> & c")]),
                (10, .record, "front", [Field("state", "started"), Field("record_s", "0")]),
                (20, .record, "front", [Field("state", "stopped")]),
            ])
            for path in [track, events] {
                var bytes = try #require(fixture.bytes(path))
                for _ in 0..<Int.random(in: 0...4, using: &numbers) {
                    Self.harm(&bytes, &numbers)
                }
                try Data(bytes).write(to: URL(fileURLWithPath: path))
            }
            try judge(fixture, seed: seed)
        }
    }

    private func judge(_ fixture: TrackFixture, seed: UInt64) throws {
        let inputs = try TrackInputs([fixture.path])
        let everything = Int64.min...Int64.max
        for (verb, format) in [
            ("gpx", GPXFormat()), ("kml", KMLFormat()), ("json", GeoJSONFormat()),
        ] as [(String, any TrackFormat)] {
            let output = fixture.path + "/out." + verb
            let command = ConvertCommand(inputs: inputs, span: everything, output: output)
            var damaged: [DamagedFile] = []
            do throws(TrackToolFault) {
                try command.run(format, damaged: &damaged)
            } catch {
                #expect(error == .empty, "seed \(seed)")
                continue
            }
            let text = fixture.text(output)
            let isWhole =
                verb == "json"
                ? (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
                : XMLReader(text).isWellFormed
            #expect(isWhole, "seed \(seed): \(verb)")
        }
        let clips = ClipsCommand(
            inputs: inputs, camera: nil, folder: fixture.path + "/clips", span: everything)
        _ = try clips.run(to: try TextOutput(fixture.path + "/clips.csv"))
        try sumUp(inputs)
        for path in inputs.tracks + inputs.events {
            let result = try FileCheck.check(path)
            if result.isGood { continue }
            _ = try FileRepair.repair(path)
            let repaired = try FileCheck.check(path)
            #expect(repaired.isGood && repaired.goodRows >= result.goodRows, "seed \(seed)")
        }
    }

    private func sumUp(_ inputs: TrackInputs) throws {
        var summary = TrackSummary()
        var segmenter = Segmenter()
        let stream = TrackStream(inputs.tracks)
        while let record = try stream.next() {
            summary.add(record, startsSegment: segmenter.startsSegment(record))
        }
        let lines = SummaryText(summary).lines(files: inputs.tracks.count)
        #expect(lines.isEmpty == (summary.rows == 0))
    }
}
