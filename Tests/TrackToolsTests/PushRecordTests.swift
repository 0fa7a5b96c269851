import Footage
import Testing
import TrackFormat

@testable import TrackTools

@Suite struct PushRecordTests {
    private static func record(_ line: String) throws -> PushRecord {
        try Array(line.utf8).withUnsafeBytes { try PushRecord($0) }
    }

    @Test("A row of today says what was sent, to the step") func newRow() throws {
        let record = try Self.record(
            "2026-07-01T10:00:00.010Z,5.010000,1,0.030,-33.12345670,-70.00000010,-430.12,1.000,,"
                + "0.000,3d,front+rear,,-331234567,-700000001,-430123,20260701,180059,"
                + "1782900000010123")
        #expect(
            record.place
                == HeldPlace(
                    latitudeE7: -331_234_567, longitudeE7: -700_000_001,
                    heightMillimetres: -430_123))
        #expect(!record.isRounded)
        #expect(record.sentMicroseconds == 1_782_900_000_010_123)
        #expect(record.statedSeconds == 1_782_928_859 as Int64)
        #expect(record.took == "front+rear")
        let sent = try #require(record.sent(log: 3))
        #expect(sent.utcMicroseconds == 1_782_900_000_010_123)
        #expect(sent.monotonicMicroseconds == 5_010_000)
        #expect(sent.log == 3)
    }

    @Test("A row of before there were integers is read too, and known to be rounded")
    func oldRow() throws {
        let record = try Self.record(
            "2026-07-01T10:00:00.010Z,5.010000,1,0.030,48.00000105,-11.00000005,500.13,1.000,,"
                + "0.000,3d,front,")
        #expect(record.isRounded)
        #expect(
            record.place
                == HeldPlace(
                    latitudeE7: 480_000_011, longitudeE7: -110_000_001,
                    heightMillimetres: 500_130))
        #expect(record.sent(log: 0)?.utcMicroseconds == 1_782_900_000_010_000)
        let flat = try Self.record(
            "2026-07-01T10:00:00.010Z,5.010000,1,0.030,48.00000105,11.00000000,,1.000,,,2d,front,")
        #expect(flat.lacksHeight)
    }

    @Test(
        "What no camera took, and void frames, match nothing",
        arguments: [
            ",0.110000,,,,,,,,,void,front,", ",0.110000,,,,,,,,,void,front,,,,,20260701,100000,",
            "2026-07-01T10:00:00.010Z,5.010000,1,0.030,48.00000100,11.00000000,500.00,,,,3d,,rear,"
                + "480000010,110000000,500000,20260701,100000,1782900000010000",
        ])
    func nothing(line: String) throws {
        #expect(try Self.record(line).sent(log: 0) == nil)
    }

    @Test(
        "Damaged rows are refused",
        arguments: [
            "", "2026", ",0.110000,,,,,,,,,void,front", ",0.110000,,,,,,,,,void,front,,,",
            ",0.110000,,,,,,,,,void,front,,900000001,0,0,0,0,",
            "2026-07-01T10:00:00.010Z,,1,0.030,48.0,11.00000000,500.00,,,,3d,front,",
        ])
    func damaged(line: String) {
        #expect(throws: LineFault.self) { try Self.record(line) }
    }

    @Test("Logs of both headers are push logs") func headers() throws {
        let fixture = try TrackFixture()
        let row =
            "2026-07-01T10:00:00.010Z,5.010000,1,0.030,48.00000100,11.00000000,500.00,,,,3d,a,"
        let old = try fixture.write(
            Array((PushRow.earlierHeader + row + "\n").utf8), to: "pushes-20260701T100000Z.csv")
        let new = try fixture.write(
            Array((PushRow.header + row + ",480000010,110000000,500000,20260701,100000,1\n").utf8),
            to: "pushes-20260702T100000Z.csv")
        var rows: [(PushRecord, Int)] = []
        let damaged = try PushReader.read([old, new]) { rows.append(($0, $1)) }
        #expect(damaged.isEmpty)
        #expect(rows.map(\.0.isRounded) == [true, false])
        #expect(rows.map(\.1) == [0, 1])
        #expect(try FileCheck.check(old).isGood)
        #expect(try FileCheck.check(new).isGood)
    }

    @Test(
        "Words behind --track are tracks, but for clips",
        arguments: [
            (["a.MP4", "--track", "t"], ["a.MP4"], ["t"]),
            (["--track", "t", "a.MP4"], ["a.MP4"], ["t"]),
            (["a.MP4", "--track=t", "b.mov"], ["a.MP4", "b.mov"], ["t"]),
            (["a.OSV", "--track", "t.csv", "u.csv", "--json"], ["a.OSV"], ["t.csv", "u.csv"]),
            (["--track", "t", "--", "-odd.MP4"], ["-odd.MP4"], ["t"]),
        ])
    func words(words: [String], clips: [String], tracks: [String]) throws {
        let inputs = try MatchInputs(words)
        #expect(inputs.clips == clips)
        #expect(inputs.tracks == tracks)
    }
}
