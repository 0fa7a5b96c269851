import Foundation
import LineProtocol
import Testing
import TrackFormat

@testable import TrackTools

@Suite struct DamagedInputTests {
    private static let header = Array(TrackRow.header.utf8)

    /// What is none of ours, and why.
    private static let foreign: [([UInt8], ForeignFile)] = [
        ([], .empty), (Array("x".utf8), .other), (Array("{}\n".utf8), .other),
        ([UInt8](repeating: 0, count: 5000), .zeros), (Array(header.dropLast()), .cut),
        (Array(header.prefix(20)), .cut), (Array("datetime\n".utf8), .other),
        (header.dropLast() + [13, 10], .carriageReturn),
        ([0xEF, 0xBB, 0xBF] + header, .byteOrderMark),
        (header.map { $0 == 0x2C ? 0x3B : $0 }, .separator),
        ([UInt8](repeating: 65, count: LineReader.maxLineLength + 1), .other),
    ]

    @Test(
        "What is none of ours is refused, and why is said",
        arguments: foreign)
    func whatNoneOursRefusedWhy(
        bytes: [UInt8], reason: ForeignFile
    ) throws {
        let fixture = try TrackFixture()
        let path = try fixture.write(bytes, to: "track-20260701T100000Z.csv")
        #expect(throws: TrackToolFault.notOurs(path, reason)) { _ = try TrackInputs([path]) }
        #expect(throws: TrackToolFault.notOurs(path, reason)) { _ = try TrackFileReader(path) }
        #expect(TrackToolFault.notOurs(path, reason).message == "\(path): \(reason.words)")
        // In a folder such a file does not keep the others from being read.
        let good = try fixture.track(10..<15)
        let inputs = try TrackInputs([fixture.path])
        #expect(inputs.tracks == [good])
        #expect(inputs.foreign.map(\.reason) == [reason])
        #expect(XMLReader(try fixture.converted("gpx", [fixture.path])).elements["trkpt"] == 5)
        #expect(TrackCommand.run(["check", fixture.path]) == 1)
        let isMended = reason != .other
        #expect(TrackCommand.run(["check", fixture.path, "--repair"]) == (isMended ? 0 : 1))
        #expect(fixture.bytes(path + ".damaged") == (isMended ? bytes : nil))
        #expect(fixture.bytes(path) == (reason.isRespelt ? Self.header : isMended ? nil : bytes))
    }

    @Test("A damaged events file beside a good track is named") func damagedEventsFileBesideGood()
        throws
    {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<5)
        let events = try fixture.events([(1, .mark, "-", [Field("text", "a")])])
        let bytes = try #require(fixture.bytes(events)) + Array("x\n2026-".utf8)
        _ = try fixture.write(bytes, to: "events-20260701T100000Z.csv")
        #expect(try EventReader.read([events]) { _ in } == [DamagedFile(path: events, lines: 2)])
        _ = try fixture.write([], to: "events-20260701T100000Z.csv")
        let inputs = try TrackInputs([track])
        #expect(inputs.foreign.map(\.path) == [events])
        #expect(TrackCommand.run(["check", track]) == 1)
    }

    @Test("A folder without a file of ours is said") func folderWithoutFileOursSaid() throws {
        let fixture = try TrackFixture()
        _ = try fixture.write([65], to: "notes.txt")
        #expect(throws: TrackToolFault.noFiles) { _ = try TrackInputs([fixture.path]) }
        #expect(TrackCommand.run(["check", fixture.path]) == 65)
    }

    @Test("Two headers and lines of another program are named") func twoHeadersLinesAnotherProgram()
        throws
    {
        let fixture = try TrackFixture()
        let bytes = try #require(fixture.bytes(try fixture.track(0..<2)))
        let other = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[2]
        let path = try fixture.write(
            bytes.dropLast(other.utf8.count + 1) + Array((other + "\r\n").utf8) + bytes,
            to: "both.csv")
        let result = try FileCheck.check(path)
        #expect(
            result.findings == [
                .init(line: 3, fault: .carriageReturn), .init(line: 4, fault: .header),
                .init(line: 5, fault: .order),
            ])
        #expect(result.goodRows == 2)
    }

    @Test(
        "A number that no row is written with is a fault",
        arguments: [
            (3, "1000000000.00", true), (3, "-1000000000.00", true), (3, "1000000000.01", false),
            (3, "9999999999999999.00", false), (3, "99999999999999999999.00", false),
            (4, "1000000000.000", true), (4, "1000000000.001", false), (4, "-0.001", false),
            (8, "1000000000.01", false), (9, "-1000000000.001", false), (10, "1e3", false),
        ])
    func numberNoRowWrittenFault(
        column: Int, text: String, isGood: Bool
    ) throws {
        let fixture = try TrackFixture()
        let bytes = try #require(fixture.bytes(try fixture.track(0..<1)))
        var lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
        var columns = lines[1].components(separatedBy: ",")
        columns[column] = text
        lines[1] = columns.joined(separator: ",")
        let path = try fixture.write(Array(lines.joined(separator: "\n").utf8), to: "number.csv")
        let fault = isGood ? [] : [CheckResult.Finding(line: 2, fault: .value(column: column))]
        #expect(try FileCheck.check(path).findings == fault)
    }

    @Test("The result does not replace what it is made from") func resultDoesNotReplaceWhat() throws
    {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<5)
        let events = try fixture.events([(1, .mark, "-", [])])
        try FileManager.default.createSymbolicLink(
            atPath: fixture.path + "/link", withDestinationPath: track)
        for output in [track, events, fixture.path + "/link", fixture.path + "/./link"] {
            let before = fixture.bytes(track)
            #expect(TrackCommand.run(["gpx", track, "--output", output]) == 64)
            #expect(fixture.bytes(track) == before && fixture.bytes(events)?.isEmpty == false)
        }
    }

    @Test("A file that is named twice is read once") func fileNamedTwiceReadOnce() throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<5)
        let again = fixture.path + "/again.csv"
        #expect(link(track, again) == 0)
        let inputs = try TrackInputs([track, fixture.path, fixture.path + "/./again.csv"])
        #expect(inputs.tracks == [track])
    }

    @Test("Where no row is left nothing is written") func whereNoRowLeftNothing() throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<5)
        let output = fixture.path + "/out.gpx"
        let words = ["gpx", track, "--from", "2030-01-01", "--output", output]
        #expect(TrackCommand.run(words) == 65)
        #expect(fixture.bytes(output) == nil)
    }

    @Test("A repair that fails leaves nothing behind") func repairFailsLeavesNothingBehind() throws
    {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<5)
        let harmed = try #require(fixture.bytes(track)) + [65]
        _ = try fixture.write(harmed, to: "track-20260701T100000Z.csv")
        for number in 0..<99 {
            let name = "track-20260701T100000Z.csv.damaged" + (number == 0 ? "" : "-\(number)")
            _ = try fixture.write([], to: name)
        }
        #expect(TrackCommand.run(["check", track, "--repair"]) == 74)
        #expect(fixture.bytes(track) == harmed)
        #expect(fixture.bytes(track + ".repair") == nil)
    }

    @Test(
        "So many recordings are followed at once, and not one more",
        arguments: [ClipsCommand.maxOpen, ClipsCommand.maxOpen + 1])
    func soManyRecordingsFollowedOnce(count: Int) throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<20)
        try fixture.events(
            (0..<count).map { (5, .record, "cam\($0)", [Field("state", "started")]) }
                + [(15, .mark, "-", [])])
        let output = try TextOutput(fixture.path + "/clips.csv")
        let command = ClipsCommand(
            inputs: try TrackInputs([track]), camera: nil, folder: nil,
            span: Int64.min...Int64.max)
        if count <= ClipsCommand.maxOpen {
            #expect(try command.run(to: output).isEmpty)
            let rows = fixture.text(fixture.path + "/clips.csv").split(separator: "\n")
            #expect(rows.count == count + 1)
        } else {
            #expect(throws: TrackToolFault.tooManyClips(ClipsCommand.maxOpen)) {
                try command.run(to: output)
            }
        }
    }
}
