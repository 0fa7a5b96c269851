import Clock
import Foundation
import Reactor
import Testing
import TrackFormat

@testable import Daemon
@testable import Fleet

@Suite struct TrackDiskFaultTests {
    @Test("A folder that is taken away is made again, and no row is lost")
    func folderTakenAwayMadeAgain() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/tracks"
        let run = try WriterRun(path)
        run.record(0..<5)
        try run.settle()
        try FileManager.default.removeItem(atPath: path)
        run.record(5..<10)
        try run.settle()
        #expect(try TrackFolder(path: path).sequences() == Array(5..<10))
        #expect(run.said.filter { $0.contains("state=error") }.count == 1, "\(run.said)")
        #expect(run.says("state=ok unwritten=0"))
        #expect(run.writer.status.error == nil)
    }

    @Test("A folder that cannot be made is said once, and its rows wait")
    func folderCannotMadeSaidOnce() throws {
        let folder = try TemporaryFolder()
        try folder.write("in the way", to: "tracks")
        let path = folder.path + "/tracks"
        let run = try WriterRun(path)
        run.record(0..<5)
        try run.wait { run.writer.tries >= 3 }
        #expect(
            run.said.filter { $0.contains("state=error") } == [
                "state=error reason=folder: Not a directory"
            ])
        #expect(run.writer.status.error == "folder: Not a directory")
        #expect(run.writer.status.path == nil)
        try FileManager.default.removeItem(atPath: path)
        run.record(5..<10)
        try run.settle()
        #expect(try TrackFolder(path: path).sequences() == Array(0..<10))
        #expect(run.writer.status.error == nil)
        #expect(try TrackFolder(path: path).rows(.events).contains { $0.contains("state=error") })
    }

    @Test("Rows do not join what did not reach the disk") func rowsDoNotJoinWhat() throws {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path, retry: .milliseconds(300))
        run.record(0..<5)
        try run.settle()
        run.writer.syncFailed(SystemError(code: EIO), at: MonotonicClock.now())
        #expect(run.writer.status.error == "sync: Input/output error")
        run.record(5..<10)
        try run.settle()
        let files = TrackFolder(path: folder.path)
        #expect(files.names(.track).count == 2)
        #expect(try files.sequences() == Array(0..<10))
        #expect(run.said.filter { $0.contains("state=error") }.count == 1)
        #expect(run.says("state=ok unwritten=0"))
    }

    @Test("While less than the reserve is free nothing is written") func whileLessThanReserveFree()
        throws
    {
        let folder = try TemporaryFolder()
        let run = try WriterRun(folder.path) { $0.minimumFree = .max }
        run.record(0..<5)
        try run.wait { run.says("state=error reason=min_free") }
        #expect(TrackFolder(path: folder.path).names().isEmpty)
        #expect(run.writer.close() == false)
        #expect(TrackFolder(path: folder.path).names().isEmpty)
    }

    @Test("A queue at its bound lets the oldest lines go and counts them")
    func queueBoundLetsOldestLines() throws {
        let folder = try TemporaryFolder()
        try folder.write("in the way", to: "tracks")
        let run = try WriterRun(folder.path + "/tracks", retry: .seconds(3600))
        try run.wait { run.writer.status.error != nil }
        // Two lines are needed besides: the error, which waits until there is a file, and the one
        // that tells of the opening.
        run.record(0..<TrackQueue.maxLines - 2)
        #expect(run.writer.status.unwritten == 0)
        #expect(run.writer.queued == TrackQueue.maxLines)
        run.record([TrackQueue.maxLines])
        #expect(run.writer.status.unwritten == 1)
        #expect(run.writer.queued == TrackQueue.maxLines)
    }

    @Test("Recordings outlast other lines in a full queue, and pushes go first")
    func recordingsOutlastLinesFullQueue() {
        let queue = TrackQueue()
        func append(_ worth: LineWorth, _ number: Int) {
            let line = TrackLine(
                kind: .events, fileSet: number, time: WriterRun.start, bytes: [1], worth: worth)
            queue.append(.line(line))
        }
        append(.recording, 1)
        append(.usual, 2)
        append(.push, 3)
        for number in 0..<TrackQueue.maxLines - 2 { append(.usual, 10 + number) }
        append(.recording, 4)
        let left = queue.removeAll().compactMap { order in
            if case .line(let line) = order { line } else { nil }
        }
        #expect(queue.dropped == 2)
        #expect(left.count == TrackQueue.maxLines)
        #expect(left.first?.fileSet == 1 && left.last?.fileSet == 4)
        #expect(left[1].fileSet == 10, "the oldest of its worth has gone")
    }

    @Test("Seals outlast lines in a full queue, and what is put back comes first")
    func sealsOutlastLinesFullQueue() {
        let queue = TrackQueue()
        func line(_ number: Int) -> TrackQueue.Order {
            .line(TrackLine(kind: .track, fileSet: number, time: WriterRun.start, bytes: [1]))
        }
        queue.append(line(0))
        queue.append(.seal)
        for number in 1...TrackQueue.maxLines { queue.append(line(number)) }
        let orders = queue.removeAll()
        #expect(queue.isEmpty)
        #expect(orders.count == TrackQueue.maxLines + 1)
        guard case .seal = orders[0], case .line(let second) = orders[1] else {
            Issue.record("the seal is gone")
            return
        }
        #expect(second.fileSet == 1)
        queue.append(line(9999))
        queue.putBack(orders[...])
        #expect(queue.count == TrackQueue.maxLines)
        #expect(queue.dropped == 2)
        queue.requestSync()
        #expect(!queue.removeSync(), "not before the lines")
        _ = queue.removeAll()
        #expect(queue.removeSync())
        #expect(!queue.removeSync())
    }

    @Test(
        "A full disk keeps whole lines, and goes on when there is room",
        .enabled(if: geteuid() == 0, "a small tmpfs needs root"))
    func fullDiskKeepsWholeLines() throws {
        let disk = try SmallDisk(size: "64k")
        let run = try WriterRun(disk.path)
        let files = TrackFolder(path: disk.path)
        run.record(0..<1000)
        try run.wait { run.writer.status.error != nil }
        #expect(run.writer.status.error == "No space left on device")
        let before = try files.sequences()
        #expect(before == Array(0..<before.count))
        #expect(before.count > 100)
        try run.wait { run.writer.tries >= 5 }
        #expect(try files.sequences() == before)
        #expect(run.said.filter { $0.contains("state=error") }.count == 1)
        try disk.resize("1m")
        try run.settle()
        #expect(try files.sequences() == Array(0..<1000))
        #expect(files.names(.track).count == 1)
    }

    @Test(
        "The reserve may be reached and not be touched",
        .enabled(if: geteuid() == 0, "a small tmpfs needs root"), arguments: [0, 1])
    func reserveMayReachedNotTouched(missing: Int) throws {
        let disk = try SmallDisk(size: "1m")
        let free = try TrackDirectory(disk.path).free()
        let run = try WriterRun(disk.path) { $0.minimumFree = free + Int64(missing) }
        run.record(0..<5)
        if missing == 0 {
            // The bytes that it writes itself are counted at the next sync.
            try run.wait { run.says("state=open") }
            #expect(try TrackFolder(path: disk.path).sequences() == Array(0..<5))
        } else {
            try run.wait { run.says("state=error reason=min_free: only 1024 KiB free") }
            #expect(TrackFolder(path: disk.path).names().isEmpty)
        }
    }

    @Test(
        "A track that reaches the reserve waits for room, whole, and goes on",
        .enabled(if: geteuid() == 0, "a small tmpfs needs root"))
    func trackReachesReserveWaitsRoom() throws {
        let disk = try SmallDisk(size: "256k")
        let run = try WriterRun(disk.path) {
            $0.minimumFree = 128 << 10
            $0.sync = .milliseconds(5)
        }
        let files = TrackFolder(path: disk.path)
        var count = 0
        try run.wait {
            run.record(count..<count + 10)
            count += 10
            return run.writer.status.error != nil
        }
        // How far the rows of one look go below the reserve is the machine's business.
        #expect(run.writer.status.error?.hasPrefix("min_free: only ") == true)
        let written = try files.sequences().count
        run.record(count..<count + 10)
        let tries = run.writer.tries
        try run.wait { run.writer.tries >= tries + 3 }
        #expect(try files.sequences() == Array(0..<written))
        try disk.resize("1m")
        try run.settle()
        #expect(try files.sequences() == Array(0..<count + 10))
        #expect(files.names(.track).count == 1)
        #expect(run.says("state=ok unwritten=0"))
    }
}

/// A small tmpfs, which is unmounted at the end.
private final class SmallDisk {
    let path: String
    private let folder: TemporaryFolder

    init(size: String) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/small"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0)
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    func resize(_ size: String) throws {
        try #require(mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(size)") == 0)
    }
}
