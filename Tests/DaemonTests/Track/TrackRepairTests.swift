import Foundation
import Testing
import TrackFormat

@testable import Daemon

@Suite struct TrackRepairTests {
    private static let rows =
        "2026-07-01 10:00:00.100Z,48.13715400,11.57612400,520.12,15.000,285.84,3d,12,0.90,-0.300,"
        + "567.42,1.71,2.99,1782900000.100,1234.567890,1,/dev/ttyACM0,2,OP3+A5P\n"
    private static let file = Array((TrackRow.header + rows + rows).utf8)

    @Test("A file cut at any byte is whole lines again, or gone", arguments: [0, 1, 4096])
    func fileCutAnyByteWhole(zeros: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/track-20260701T100000Z.csv"
        for length in 0...Self.file.count {
            let cut = Self.file[..<length] + [UInt8](repeating: 0, count: zeros)
            try Data(cut).write(to: URL(fileURLWithPath: path))
            let keep = (Self.file[..<length].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            let outcome = TrackRepair.repair(path, kind: .track)
            let left = FileManager.default.contents(atPath: path).map(Array.init)
            #expect(left == (keep == 0 ? nil : Array(Self.file[..<keep])))
            #expect((outcome == nil) == (keep == cut.count && keep > 0))
            #expect(outcome?.cut ?? 0 == cut.count - keep)
        }
    }

    @Test("A file that somebody writes is left alone") func fileSomebodyWritesLeftAlone() throws {
        let folder = try TemporaryFolder()
        let name = TrackFileName(kind: .track, time: WriterRun.start)
        var file = try TrackFile(creating: name, in: folder.path)
        try file.append(Array("half a line".utf8))
        #expect(TrackRepair.repair(file.path, kind: .track) == nil)
        #expect(folder.text(name.text) == TrackRow.header + "half a line")
        file.close()
        #expect(TrackRepair.repair(folder.path + "/" + name.text, kind: .track)?.cut == 11)
    }

    @Test("A link is not followed") func linkNotFollowed() throws {
        let folder = try TemporaryFolder()
        try folder.write(TrackRow.header + "half", to: "other")
        let link = folder.path + "/track-20260701T100000Z.csv"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path + "/other")
        #expect(TrackRepair.repair(link, kind: .track) == nil)
        #expect(folder.text("other") == TrackRow.header + "half")
    }
}
