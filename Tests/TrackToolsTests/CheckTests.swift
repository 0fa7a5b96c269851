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
        // The check of a folder leaves out the files that a repair has kept.
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

    @Test(
        "A file that a spreadsheet or an editor has saved comes back whole",
        arguments: [TrackFileKind.track, .events], [";", "\t", ","])
    func respeltFileComesBack(kind: TrackFileKind, separator: String) throws {
        let fixture = try TrackFixture()
        let path =
            kind == .track
            ? try fixture.track(0..<20)
            : try fixture.events([
                (5, .mark, "-", [Field("text", "a")]), (6, .record, "front", []),
            ])
        let good = fixture.text(path)
        var text = good.replacing(",", with: separator).replacing("\n", with: "\r\n")
        if separator == ";" {
            text = "\u{FEFF}" + text.replacing("Speed (m/s)", with: "\"Speed (m/s)\"")
            text = text.replacing(#/;(-?\d+)\.(\d*?)0*(?=;|\r)/#) { match in
                ";\(match.1)" + (match.2.isEmpty ? "" : ",\(match.2)")
            }
        }
        _ = try fixture.write(Array(text.utf8), to: String(path.split(separator: "/").last ?? ""))
        let damaged = fixture.bytes(path)
        #expect(TrackCommand.run(["check", path]) == 1)
        #expect(TrackCommand.run(["check", path, "--repair"]) == 0)
        #expect(fixture.text(path) == good)
        #expect(fixture.bytes(path + ".damaged") == damaged)
        #expect(TrackCommand.run(["check", path]) == 0)
    }

    @Test("Good rows behind a good header are kept whatever ends their lines")
    func rowsWithCRKept() throws {
        let fixture = try TrackFixture()
        let path = try fixture.track(0..<5)
        let good = fixture.text(path)
        let harmed = good.replacing("\n", with: "\r\n").replacing(",rec\r\n", with: ",rec\n")
        _ = try fixture.write(Array(harmed.utf8), to: "track-20260701T100000Z.csv")
        #expect(TrackCommand.run(["check", path, "--repair"]) == 0)
        #expect(fixture.text(path) == good)
    }

    @Test("Where no row can be read a file stays as it is")
    func hopelessFileStays() throws {
        let fixture = try TrackFixture()
        let text = TrackRow.header.replacing(",", with: ";") + "1.7.26 10:00;48;11\n"
        let path = try fixture.write(Array(text.utf8), to: "track-20260701T100000Z.csv")
        #expect(TrackCommand.run(["check", path, "--repair"]) == 1)
        #expect(fixture.text(path) == text)
        #expect(fixture.bytes(path + ".damaged") == nil)
    }

    @Test(
        "Repair and results do not write through what is planted beside them",
        arguments: ["track-20260701T100000Z.csv.repair", "out.gpx", "out.gpx.geotagctl-new"])
    func plantedLinksStay(name: String) throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<5)
        let harmed = try #require(fixture.bytes(track)) + Array("2026".utf8)
        _ = try fixture.write(harmed, to: "track-20260701T100000Z.csv")
        for makes in [symlink, link] {
            let target = try fixture.write(Array("precious".utf8), to: "target")
            let planted = fixture.path + "/" + name
            unlink(planted)
            try #require(makes(target, planted) == 0)
            #expect(TrackCommand.run(["gpx", track, "--output", fixture.path + "/out.gpx"]) == 0)
            #expect(fixture.text(fixture.path + "/out.gpx").hasPrefix("<?xml"))
            _ = try fixture.write(harmed, to: "track-20260701T100000Z.csv")
            #expect(TrackCommand.run(["check", track, "--repair"]) == 0)
            #expect(fixture.text(target) == "precious")
        }
    }

    @Test("A track that is a symbolic link is not repaired through it")
    func linkNotRepaired() throws {
        let fixture = try TrackFixture()
        let target = try fixture.write(Array((TrackRow.header + "x\n").utf8), to: "target")
        let path = fixture.path + "/track-20260701T100000Z.csv"
        try #require(symlink(target, path) == 0)
        #expect(TrackCommand.run(["check", path, "--repair"]) == 66)
        #expect(fixture.text(target) == TrackRow.header + "x\n")
    }

    @Test("Clips are not written through a link in their folder")
    func clipsNotThroughLink() throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<50) { _ in ["front"] }
        let target = try fixture.write(Array("precious".utf8), to: "target")
        let folder = fixture.path + "/gpx"
        try #require(mkdir(folder, 0o755) == 0)
        let planted = folder + "/front-20260701T100000000Z.gpx"
        try #require(symlink(target, planted) == 0)
        #expect(TrackCommand.run(["clips", track, "--gpx", folder]) == 0)
        #expect(fixture.text(target) == "precious")
        #expect(fixture.text(planted).hasPrefix("<?xml"))
    }

    @Test(
        "A pipe is read by every command, and repaired by none",
        arguments: [
            ("info", Int32(0)), ("gpx", 0), ("kml", 0), ("geojson", 0), ("clips", 0), ("check", 0),
            ("check --repair", 64),
        ])
    func pipeReadByAll(words: String, status: Int32) throws {
        let fixture = try TrackFixture()
        let bytes = try #require(fixture.bytes(try fixture.track(0..<50) { _ in ["front"] }))
        // Small enough that the pipe holds it without a reader.
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        try #require(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        defer { close(ends[0]) }
        let command = words.split(separator: " ").map(String.init)
        #expect(TrackCommand.run(command + ["/dev/fd/\(ends[0])"]) == status)
    }

    @Test("A pipe of events is a pipe of events") func pipeOfEvents() throws {
        let fixture = try TrackFixture()
        let events = try fixture.events([(5, .mark, "-", [])])
        let bytes = try #require(fixture.bytes(events))
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        try #require(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        defer { close(ends[0]) }
        let inputs = try TrackInputs(["/dev/fd/\(ends[0])"])
        #expect(inputs.events.count == 1 && inputs.tracks.isEmpty)
        #expect(inputs.name(of: inputs.events[0]) == "/dev/fd/\(ends[0])")
    }

    @Test("A date alone as the end means that whole day")
    func dateAloneMeansWholeDay() throws {
        let words = ["x", "--from", "2026-07-01", "--to", "2026-07-01"]
        let span = try Arguments(words, options: ["--from", "--to"]).span()
        let begin = TrackFixture.start - 36_000_000
        #expect(span == begin...(begin + 86_400_000 - 1))
    }
}
