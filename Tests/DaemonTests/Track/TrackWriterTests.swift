import Clock
import Foundation
import Reactor
import Testing
import TrackFormat

@testable import Daemon
@testable import Fleet

@Suite struct TrackWriterTests {
    @Test("Rows, events and pushes lie in three files of one name") func rowsEventsPushesLieThree()
        throws
    {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path + "/deep/tracks") { $0.pushes = .on }
        let files = TrackFolder(path: folder.path + "/deep/tracks")
        run.record(0..<10)
        let push = Push(frame: [], links: [], position: nil)
        run.writer.record(push, at: .zero + .seconds(1))
        run.writer.record(push, at: .zero + .seconds(2))
        try run.settle()
        #expect(
            files.names() == [
                "events-20260701T100000Z.csv", "pushes-20260701T100000Z.csv",
                "track-20260701T100000Z.csv",
            ])
        #expect(try files.sequences() == Array(0..<10))
        #expect(try files.rows(.events).count == 1)
        #expect(try files.rows(.pushes).count == 1)
        #expect(run.writer.status.path == files.path + "/track-20260701T100000Z.csv")
        #expect(run.writer.status.rows == 10)
        #expect(run.writer.status.error == nil)
        #expect(run.says("state=open path=\(files.path)/track-20260701T100000Z.csv"))
    }

    @Test("A taken name gets a suffix, for the whole set") func takenNameGetsSuffixWhole() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            EventRow.header + ",0.000000,mark,,,,,\n", to: "events-20260701T100000Z.csv")
        try folder.write(TrackRow.header, to: "track-20260701T100000Z-1.csv")
        let run = try WriterRun(folder.path)
        run.record(0..<3)
        try run.settle()
        let files = TrackFolder(path: folder.path)
        #expect(
            files.names() == [
                "events-20260701T100000Z-2.csv", "events-20260701T100000Z.csv",
                "track-20260701T100000Z-1.csv", "track-20260701T100000Z-2.csv",
            ])
        #expect(try files.sequences() == [0, 1, 2])
    }

    @Test("A restart opens another file and cuts the last one's half line")
    func restartOpensAnotherFileCuts() throws {
        let folder = try TemporaryFolder()
        let whole = TrackRow.header + "2026-07-01 09:00:00.000Z,1,2,,,,2d,,,,,,,,,,,,\n"
        try folder.write(whole + "2026-07-01 09:00:00.100Z,1.0,2", to: "track-20260701T090000Z.csv")
        try folder.write("datetime_utc", to: "track-20260701T090500Z.csv")
        try folder.write("latitude\n1", to: "track-20260701T090600Z.csv")
        let run = try WriterRun(folder.path)
        run.record(0..<2)
        try run.settle()
        #expect(folder.text("track-20260701T090000Z.csv") == whole)
        #expect(folder.text("track-20260701T090500Z.csv") == nil)
        #expect(folder.text("track-20260701T090600Z.csv") == "latitude\n1", "not ours")
        #expect(run.says("state=repaired path=\(folder.path)/track-20260701T090000Z.csv cut=30"))
        #expect(run.says("track-20260701T090500Z.csv cut=12 removed=yes"))
        #expect(TrackFolder(path: folder.path).names(.track).contains("track-20260701T100000Z.csv"))
    }

    @Test("Rotation, off and on are whole files") func rotationOffWholeFiles() throws {
        let folder = try TemporaryFolder()
        let files = TrackFolder(path: folder.path)
        let run = try WriterRun(folder.path)
        run.record(0..<5)
        run.writer.rotate(at: .zero + .milliseconds(450))
        run.record(10..<15)
        run.writer.setOn(false, at: .zero + .seconds(2))
        run.record(20..<25)
        try run.settle()
        #expect(run.writer.status.path == nil)
        #expect(!run.writer.status.isOn)
        run.writer.setOn(true, at: .zero + .seconds(3))
        run.record(30..<35)
        try run.settle()
        #expect(
            files.names(.track) == [
                "track-20260701T100000Z.csv", "track-20260701T100001Z.csv",
                "track-20260701T100003Z.csv",
            ])
        #expect(try files.sequences() == Array(0..<5) + Array(10..<15) + Array(30..<35))
        #expect(run.writer.status.isOn)
    }

    @Test("The end writes all that waits") func endWritesAllWaits() throws {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path)
        run.record(0..<3000)
        #expect(run.writer.close())
        #expect(try TrackFolder(path: folder.path).sequences() == Array(0..<3000))
        let last = try #require(try TrackFolder(path: folder.path).rows(.events).last)
        #expect(last.contains("state=closed reason=off"))
        run.record(3000..<3001)
        #expect(run.writer.close(), "closing twice is no error")
    }

    @Test("A run without time leaves no file") func runWithoutTimeLeavesNo() throws {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path)
        var epoch = WriterRun.epoch(0)
        epoch.timeTrusted = false
        run.writer.record(epoch, at: .zero)
        try run.settle()
        #expect(run.writer.close())
        #expect(TrackFolder(path: folder.path).names().isEmpty)
        #expect(run.writer.status.unwritten == 1)
    }

    @Test("Without a folder nothing happens") func withoutFolderNothingHappens() throws {
        let run = try WriterRun(nil)
        run.record(0..<3)
        run.writer.setOn(true, at: .zero)
        run.writer.rotate(at: .zero)
        #expect(run.writer.status == TrackStatus(isOn: false))
        #expect(run.said.isEmpty)
        #expect(run.writer.close())
    }

    @Test("A relative folder has an absolute path") func relativeFolderHasAbsolutePath() throws {
        let directory = TrackDirectory("some/where")
        #expect(directory.path == FileManager.default.currentDirectoryPath + "/some/where")
    }

    @Test("The configuration reaches the settings") func configurationReachesSettings() {
        var configuration = Configuration()
        configuration.track.directory = "/tracks"
        configuration.track.rotation = .size(5000)
        configuration.track.keep = .days(7)
        configuration.track.sync = .seconds(9)
        configuration.track.pushes = .on
        configuration.track.minimumFree = 12
        configuration.push.rate = 5
        var expected = TrackSettings(directory: "/tracks")
        expected.rotation = .size(5000)
        expected.keep = .days(7)
        expected.sync = .seconds(9)
        expected.pushes = .on
        expected.minimumFree = 12
        expected.rate = 5
        #expect(configuration.trackSettings == expected)
        #expect(Configuration().trackSettings.minimumFree == TrackSettings().minimumFree)
        #expect(expected.pushGap == .milliseconds(400))
    }
}
