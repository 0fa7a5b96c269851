import Clock
import Foundation
import LineProtocol
import Testing
import TrackFormat

@testable import TrackTools

@Suite struct CheckTests {
    @Test("A good file of each kind is good") func goodFileEachKindGood() throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<50)
        let events = try fixture.events([(5, .mark, "-", [Field("text", "a, \"b\"")])])
        let pushes = PushRow.line(
            nil, utc: nil, sent: .zero, fields: nil, took: ["a", "b"], dropped: [])
        let push = try fixture.write(
            Array(PushRow.header.utf8) + pushes, to: "pushes-20260701T100000Z.csv")
        for (path, rows) in [(track, 50), (events, 1), (push, 1)] {
            let result = try FileCheck.check(path)
            #expect(result.isGood && result.goodRows == rows)
        }
        #expect(TrackCommand.run(["check", fixture.path]) == 0)
    }

    @Test("Each kind of damage is named with its line") func eachKindDamageNamedLine() throws {
        let fixture = try TrackFixture()
        let path = try fixture.track(0..<10)
        var lines = fixture.text(path).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        lines[2] = String(lines[2].dropLast(80))
        lines[3] = lines[3].replacing("2026-07-01 10", with: "2026-07-01T10")
        lines[5] = lines[4]
        lines[6] = "\0\0\0" + lines[6]
        lines[7] = String(repeating: "x", count: LineReader.maxLineLength + 1)
        let cut = lines.dropLast().joined(separator: "\n").dropLast(3)
        let damaged = try fixture.write(Array(cut.utf8), to: "track-20260701T100000Z.csv")
        let result = try FileCheck.check(damaged)
        #expect(result.goodRows == 4)
        #expect(
            result.findings == [
                .init(line: 3, fault: .value(column: 2)), .init(line: 4, fault: .value(column: 0)),
                .init(line: 6, fault: .order), .init(line: 7, fault: .zeros),
                .init(line: 8, fault: .tooLong), .init(line: 11, fault: .cut),
            ])
        #expect(TrackCommand.run(["check", damaged]) == 1)
    }

    @Test("Repair keeps the good lines, and the old file beside it") func repairKeepsGoodLinesOld()
        throws
    {
        let fixture = try TrackFixture()
        let path = try fixture.track(0..<5)
        let good = try #require(fixture.bytes(path))
        let harmed = good + Array("2026-07-01 10:00:09.000Z,1.0".utf8)
        for number in 0..<2 {
            _ = try fixture.write(harmed, to: "track-20260701T100000Z.csv")
            #expect(TrackCommand.run(["check", path, "--repair"]) == 0)
            #expect(fixture.bytes(path) == good)
            let kept = path + ".damaged" + (number == 0 ? "" : "-1")
            #expect(fixture.bytes(kept) == harmed)
        }
        #expect(TrackCommand.run(["check", path]) == 0)
        // A folder is looked through without the old ones.
        #expect(TrackCommand.run(["check", fixture.path]) == 0)
    }

    @Test("A file that the daemon writes is not touched") func fileDaemonWritesNotTouched() throws {
        let fixture = try TrackFixture()
        let path = try fixture.track(0..<5)
        let harmed = try #require(fixture.bytes(path)) + Array("2026".utf8)
        _ = try fixture.write(harmed, to: "track-20260701T100000Z.csv")
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        try #require(flock(writer, LOCK_EX | LOCK_NB) == 0)
        #expect(TrackCommand.run(["check", path, "--repair"]) == 1)
        #expect(fixture.bytes(path) == harmed)
    }

    @Test("Damage without end is shown in part") func damageWithoutEndShownPart() throws {
        let fixture = try TrackFixture()
        let rows = String(repeating: "x\n", count: CheckResult.maxShown + 5)
        let path = try fixture.write(Array((TrackRow.header + rows).utf8), to: "bad.csv")
        let result = try FileCheck.check(path)
        #expect(result.findings.count == CheckResult.maxShown)
        #expect(result.badRows == CheckResult.maxShown + 5)
        #expect(result.text.hasSuffix("  and 5 more\n"))
    }
}
