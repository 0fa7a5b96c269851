import CLinux
import Clock
import Glibc
import Reactor
import Synchronization

/// Writes to a descriptor that may make its writer wait, on a thread of its own: a file on a slow
/// disk, or a terminal that cannot be opened again for ourselves alone.
///
/// One chunk is under way at a time. Its outcome is collected once, by whoever asks first: the loop
/// when it is woken, or `wait` at the end of the run.
final class BlockingWriter {
    /// What became of a chunk: its bytes, or the errno value of the write that failed.
    enum Outcome: Sendable {
        case written(Int)
        case failed(Int32)
    }

    /// Bytes of a chunk: how far the thread is stays known to the loop.
    static let maxChunk = 16 * 1024

    private let thread: HelperThread<Void>
    private let state: State
    private let completed: () -> Void
    private(set) var isBusy = false

    /// What loop and thread share.
    private final class State: Sendable {
        /// The descriptor's own copy, so that nobody closes it under the thread.
        let number: Int32
        /// Readable once a chunk is done.
        let done: Int32
        let outcome = Mutex<Outcome?>(nil)

        init(copying other: Int32) throws(SystemError) {
            number = fcntl(other, F_DUPFD_CLOEXEC, 3)
            guard number >= 0 else { throw .last }
            done = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            guard done >= 0 else {
                let error = SystemError.last
                close(number)
                throw error
            }
        }

        deinit {
            close(number)
            close(done)
        }

        func finish(_ outcome: Outcome) {
            self.outcome.withLock { $0 = outcome }
            eventfd_write(done, 1)
        }
    }

    /// - Parameter completed: runs on the loop's thread after a chunk; `collect` has its outcome.
    /// - Throws: where no thread or descriptor can be had.
    init(_ number: Int32, on loop: EventLoop, completed: @escaping () -> Void) throws(SystemError) {
        state = try State(copying: number)
        thread = try HelperThread(on: loop)
        self.completed = completed
    }

    /// Begins to write a chunk; the one before has to be collected.
    func write(_ bytes: [UInt8]) {
        precondition(!isBusy, "one chunk is under way at a time")
        isBusy = true
        let state = state
        let job: HelperThread<Void>.Job = { state.finish(Self.write(bytes, to: state.number)) }
        thread.run(job) { [weak self] _, _ in self?.completed() }
    }

    /// The outcome of the chunk under way; nil while it is being written, or where none is.
    func collect() -> Outcome? {
        let outcome = state.outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
        guard let outcome else { return nil }
        isBusy = false
        var count: eventfd_t = 0
        eventfd_read(state.done, &count)
        return outcome
    }

    /// Blocks the loop's thread until the chunk under way is done, at most until `deadline`.
    func wait(until deadline: Instant) {
        Self.wait(for: POLLIN, on: state.done, until: deadline)
    }

    /// Blocks until a descriptor is ready, at most until `deadline`.
    static func wait(for event: Int32, on number: Int32, until deadline: Instant) {
        let left = max(0, (deadline - MonotonicClock.now()).nanoseconds / 1_000_000)
        var question = pollfd(fd: number, events: Int16(event), revents: 0)
        _ = poll(&question, 1, Int32(clamping: left))
    }

    private static func write(_ bytes: [UInt8], to number: Int32) -> Outcome {
        while true {
            let count = Glibc.write(number, bytes, bytes.count)
            if count > 0 { return .written(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Somebody who shares it made it non-blocking.
                var question = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&question, 1, -1)
            default: return .failed(errno)
            }
        }
    }
}
