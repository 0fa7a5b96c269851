import Clock
import Foundation
import Reactor
import Testing
import TrackFormat

@testable import Daemon
@testable import Fleet

/// The `[track]` section is changed while rows are written.
@Suite struct TrackReloadTests {
    private static func at(_ number: Int) -> Instant { .zero + .milliseconds(100 * number) }

    @Test("Another folder gets the rows from then on, and none is lost")
    func anotherFolderGetsRowsFrom() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (folder.path + "/first", folder.path + "/second")
        let run = try WriterRun(first)
        run.record(0..<500)
        try run.change(at: Self.at(500)) { $0.directory = second }
        run.record(500..<600)
        try run.settle()
        #expect(try TrackFolder(path: first).sequences() == Array(0..<500))
        #expect(try TrackFolder(path: second).sequences() == Array(500..<600))
        let last = try #require(try TrackFolder(path: first).rows(.events).last)
        #expect(last.contains("state=closed reason=command"))
        #expect(run.writer.status.path == second + "/track-20260701T100050Z.csv")
        #expect(run.writer.status.rows == 100)
        #expect(run.writer.status.unwritten == 0)
    }

    @Test("Rows that wait for trusted time go along") func rowsWaitTrustedTimeGo() throws {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path + "/first")
        for number in 0..<5 {
            var epoch = WriterRun.epoch(number)
            epoch.timeTrusted = false
            run.writer.record(epoch, at: Self.at(number))
        }
        try run.change(at: Self.at(5)) { $0.directory = folder.path + "/second" }
        run.record(5..<8)
        try run.settle()
        #expect(TrackFolder(path: folder.path + "/first").names().isEmpty)
        #expect(try TrackFolder(path: folder.path + "/second").sequences() == Array(0..<8))
    }

    @Test("Rows that a broken folder did not take go into the next") func rowsBrokenFolderDidNot()
        throws
    {
        let folder = try TemporaryFolder()
        try folder.write("in the way", to: "first")
        let run = try WriterRun(folder.path + "/first", retry: .seconds(600))
        run.record(0..<5)
        try run.wait { run.writer.status.error != nil }
        run.record(5..<10)
        try run.change(at: Self.at(10)) { $0.directory = folder.path + "/second" }
        run.record(10..<15)
        try run.settle()
        #expect(try TrackFolder(path: folder.path + "/second").sequences() == Array(0..<15))
        #expect(run.writer.status.error == nil)
        #expect(run.writer.status.unwritten == 0)
    }

    @Test("Off stays off in another folder, and no folder is no track")
    func offStaysOffAnotherFolder() throws {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path + "/first")
        run.record(0..<5)
        run.writer.setOn(false, at: Self.at(5))
        try run.change(at: Self.at(6)) { $0.directory = folder.path + "/second" }
        run.record(7..<10)
        #expect(!run.writer.status.isOn)
        run.writer.setOn(true, at: Self.at(10))
        run.record(10..<12)
        try run.settle()
        #expect(try TrackFolder(path: folder.path + "/second").sequences() == [10, 11])
        try run.change(at: Self.at(12)) { $0.directory = nil }
        run.record(12..<14)
        #expect(run.writer.status == TrackStatus(isOn: false))
        try run.change(at: Self.at(14)) { $0.directory = folder.path + "/third" }
        run.record(14..<16)
        try run.settle()
        #expect(try TrackFolder(path: folder.path + "/second").sequences() == [10, 11])
        #expect(try TrackFolder(path: folder.path + "/third").sequences() == [14, 15])
    }

    @Test("Rotation and the push log change with the next row") func rotationPushLogChangeNext()
        throws
    {
        let folder = try TemporaryFolder()
        let files = TrackFolder(path: folder.path)
        let run = try WriterRun(folder.path)
        run.record(0..<20)
        try run.settle()
        #expect(files.names(.track).count == 1)
        try run.change(at: Self.at(20)) {
            $0.rotation = .size(1)
            $0.pushes = .on
        }
        run.record(20..<23)
        let push = Push(frame: [], links: [], position: nil)
        for number in 24...26 { run.writer.record(push, at: Self.at(number)) }
        try run.settle()
        #expect(files.names(.track).count == 4, "one row a file")
        #expect(try files.rows(.pushes).count == 2)
        #expect(try files.sequences().sorted() == Array(0..<23))
    }

    @Test("A shorter sync counts at once") func shorterSyncCountsOnce() throws {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path) { $0.sync = .seconds(300) }
        let now = run.loop.now
        run.writer.record(WriterRun.epoch(0), at: now)
        #expect(run.writer.nextSync == now + .seconds(300))
        try run.change(at: now) { $0.sync = .seconds(2) }
        #expect(run.writer.nextSync == now + .seconds(2))
        try run.change(at: now) { $0.sync = .seconds(300) }
        #expect(run.writer.nextSync == now + .seconds(2), "what was promised is kept")
    }

    @Test("What has to stay free and what is kept change too") func whatHasStayFreeWhat() throws {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path)
        run.record(0..<5)
        try run.settle()
        try run.change(at: Self.at(5)) { $0.minimumFree = .max }
        run.writer.rotate(at: Self.at(5))
        run.record(6..<8)
        try run.wait { run.writer.status.error != nil }
        #expect(run.says("state=error"))
        try run.change(at: Self.at(8)) {
            $0.minimumFree = 0
            $0.keep = .size(1)
        }
        try run.settle()
        #expect(try TrackFolder(path: folder.path).sequences() == [6, 7])
        #expect(run.says("state=pruned files=2"))
    }
}
