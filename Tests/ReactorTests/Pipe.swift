import Glibc
import Reactor

/// A pipe whose ends are closed with it.
final class Pipe {
    let readEnd: Int32
    private(set) var writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no pipe")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        closeWriteEnd()
    }

    func write(_ text: String = "x") {
        let bytes = Array(text.utf8)
        precondition(Glibc.write(writeEnd, bytes, bytes.count) == bytes.count, "pipe is full")
    }

    func drain() -> Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(readEnd, &buffer, buffer.count)
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }
}
