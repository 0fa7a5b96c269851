import Clock
import Glibc
import Reactor

/// Lines on their way into a descriptor that may not want them: never waits, holds a bounded
/// queue, and keeps lines whole.
///
/// `O_NONBLOCK` is never set on the descriptor itself, since a shell may share it.
final class TextOutput {
    /// How bytes get out while the loop does not wait.
    private enum Way {
        /// `send` can be told not to wait.
        case socket
        /// The descriptor does not wait: it was so, or was opened again for us alone.
        case nonBlocking
        /// A thread waits in our place: for files, whose disk may be slow, and for what cannot be
        /// opened again.
        case thread
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
    /// Only where the way is `thread`; nil too where no thread can be had, and nothing goes out.
    private var writer: BlockingWriter?
    private var queue: [UInt8] = []
    private var sent = 0
    private var watch: Watch?

    /// - Parameters:
    ///   - number: stays open for as long as this lives; belongs to somebody else.
    ///   - bound: a line that would not fit is refused.
    ///   - mayReopen: false for a test of what cannot be opened again.
    init(_ number: Int32, on loop: EventLoop, bound: Int, mayReopen: Bool = true) {
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
            own = mayReopen ? Self.reopen(number) : nil
            way = own == nil ? .thread : .nonBlocking
        default: way = .thread
        }
        self.number = own?.number ?? number
        reopened = own
        if way == .thread {
            writer = try? BlockingWriter(number, on: loop) { [unowned self] in chunkDone() }
            isBroken = writer == nil
        }
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

    /// Blocks until what waits is out, at most until `deadline`: for the end of a run.
    func drain(until deadline: Instant) {
        while queued > 0, !isBroken, MonotonicClock.now() < deadline {
            if let writer {
                writer.wait(until: deadline)
                chunkDone()
            } else {
                BlockingWriter.wait(for: POLLOUT, on: number, until: deadline)
                flush()
            }
        }
    }

    /// What waits is given up; before the descriptor is closed.
    func stop() {
        isBroken = true
        writer = nil
        watch?.cancel()
        watch = nil
        queue = []
        sent = 0
    }

    private func flush() {
        if let writer { return pass(to: writer) }
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
        forgetSent()
        watch?.interest = []
    }

    private func write() -> Int {
        queue.withUnsafeBytes { buffer in
            let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
            guard way == .socket else {
                return Glibc.write(number, rest.baseAddress, rest.count)
            }
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            return Glibc.send(number, rest.baseAddress, rest.count, flags)
        }
    }

    private func pass(to writer: BlockingWriter) {
        guard !writer.isBusy, queued > 0 else { return }
        writer.write(Array(queue[sent...].prefix(BlockingWriter.maxChunk)))
    }

    /// The thread is through with a chunk, unless `drain` has seen that already.
    private func chunkDone() {
        guard let writer, let outcome = writer.collect() else { return }
        switch outcome {
        case .failed: breakOff()
        case .written(let count):
            sent += count
            total += UInt64(count)
            forgetSent()
            if queued > 0 { pass(to: writer) } else { drained() }
        }
    }

    /// Gives back what the bytes that are out took.
    private func forgetSent() {
        if queued == 0 {
            queue.removeAll(keepingCapacity: queue.count <= 4096)
            sent = 0
        } else if sent > bound / 2 {
            queue.removeFirst(sent)
            sent = 0
        }
    }

    private func wait() {
        forgetSent()
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
