import Glibc
import Reactor

/// Lines on their way into a descriptor that may not want them: never waits, holds a bounded
/// queue, and keeps lines whole.
final class TextOutput {
    /// How bytes get out without waiting.
    private enum Way {
        /// Files and /dev/null: always ready.
        case plain
        /// `send` can be told not to wait.
        case socket
        /// The descriptor does not wait.
        case nonBlocking
        /// A descriptor that others share, and that would wait: asked before each write.
        case asked
    }

    /// Bytes that may wait.
    let bound: Int
    /// Bytes that went out since the start.
    private(set) var total: UInt64 = 0
    /// Nothing more goes out: the other end is gone.
    private(set) var isBroken = false
    /// Called when what waited is out.
    var drained: () -> Void = {}
    /// Called once, when the other end turns out to be gone.
    var broke: () -> Void = {}

    private let loop: EventLoop
    private let number: Int32
    private let reopened: Descriptor?
    private let way: Way
    private var queue: [UInt8] = []
    private var sent = 0
    private var watch: Watch?

    /// - Parameters:
    ///   - number: stays open for as long as this lives; belongs to somebody else.
    ///   - bound: a line that would not fit is refused.
    init(_ number: Int32, on loop: EventLoop, bound: Int) {
        self.loop = loop
        self.bound = bound
        var status = stat()
        let kind = fstat(number, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        let flags = fcntl(number, F_GETFL)
        var own: Descriptor?
        switch kind {
        case S_IFSOCK: way = .socket
        case S_IFIFO where flags >= 0 && flags & O_NONBLOCK != 0: way = .nonBlocking
        case S_IFIFO, S_IFCHR:
            own = Self.reopen(number)
            way = own == nil ? .asked : .nonBlocking
        default: way = .plain
        }
        self.number = own?.number ?? number
        reopened = own
    }

    deinit { watch?.cancel() }

    /// Bytes that wait.
    var queued: Int { queue.count - sent }

    /// Sends whole lines, now or as soon as there is room.
    ///
    /// - Returns: false if they were refused: the queue is full, or the other end is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        guard !isBroken else { return false }
        guard queued == 0 || queued + bytes.count <= bound else { return false }
        queue += bytes
        flush()
        return !isBroken
    }

    /// What waits is given up; before the descriptor is closed.
    func stop() {
        isBroken = true
        watch?.cancel()
        watch = nil
        queue = []
        sent = 0
    }

    private func flush() {
        while sent < queue.count {
            let count = write()
            if count > 0 {
                sent += count
                total += UInt64(count)
                continue
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return wait() }
            return breakOff()
        }
        queue.removeAll(keepingCapacity: queue.count <= 4096)
        sent = 0
        watch?.interest = []
    }

    private func write() -> Int {
        queue.withUnsafeBytes { buffer in
            let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
            switch way {
            case .plain, .nonBlocking: return Glibc.write(number, rest.baseAddress, rest.count)
            case .socket:
                let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
                return Glibc.send(number, rest.baseAddress, rest.count, flags)
            case .asked:
                var question = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                guard poll(&question, 1, 0) > 0 else {
                    errno = EAGAIN
                    return -1
                }
                // A pipe that says it has room has it for a page.
                return Glibc.write(number, rest.baseAddress, min(rest.count, 4096))
            }
        }
    }

    private func wait() {
        if sent > bound / 2 {
            queue.removeFirst(sent)
            sent = 0
        }
        if let watch {
            watch.interest = .writable
            return
        }
        do throws(SystemError) {
            watch = try loop.watch(number, for: .writable) { [unowned self] readiness, _ in
                ready(readiness)
            }
        } catch { breakOff() }
    }

    private func ready(_ readiness: Readiness) {
        let before = queued
        if before > 0 { flush() }
        // Level-triggered: without this a peer that is gone would wake the loop for ever.
        if !isBroken, queued > 0 || before == 0,
            !readiness.isDisjoint(with: [.hangup, .error])
        {
            breakOff()
        }
        if before > 0, queued == 0, !isBroken { drained() }
    }

    private func breakOff() {
        stop()
        broke()
    }

    /// The same pipe or terminal with a file description of our own: not waiting is ours alone, not
    /// also the shell's that shares the terminal.
    private static func reopen(_ number: Int32) -> Descriptor? {
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let own = open("/proc/self/fd/\(number)", flags)
        return own >= 0 ? Descriptor(owning: own) : nil
    }
}
