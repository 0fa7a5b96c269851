import Glibc
import Reactor

/// Bytes of commands from one descriptor, read only when asked and only when that does not wait.
///
/// | state | watch | read |
/// | --- | --- | --- |
/// | waiting | for readable | nothing yet |
/// | ready | silent | one chunk, then waiting again |
/// | always ready | none: a file, or the other end is gone | until the end |
final class ConsoleInput {
    /// What one read gave.
    enum Chunk {
        case bytes([UInt8])
        case nothing
        case end
    }

    /// Bytes of one read: no more lines than that are known and not yet answered.
    static let chunk = 4096

    /// Called when something may be read.
    var becameReady: () -> Void = {}
    private(set) var isReady = false

    private let number: Int32
    private var isAlwaysReady = false
    private var watch: Watch?

    /// - Parameter number: stays open for as long as this lives; belongs to somebody else.
    init(_ number: Int32) { self.number = number }

    /// Begins to wait.
    func start(on loop: EventLoop) {
        do throws(SystemError) {
            watch = try loop.watch(number, for: .readable) { [unowned self] readiness, _ in
                ready(readiness)
            }
        } catch {
            // EPERM: a regular file or /dev/null, which is always ready.
            isAlwaysReady = true
            isReady = true
            becameReady()
        }
    }

    /// Whether there is something new; otherwise `becameReady` says when there is.
    func read() -> Chunk {
        guard isReady else { return .nothing }
        // Somebody who shares the descriptor may have read meanwhile what it was ready for.
        var question = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard isAlwaysReady || poll(&question, 1, 0) > 0 else {
            waitAgain()
            return .nothing
        }
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        let count = buffer.withUnsafeMutableBytes { buffer in
            Glibc.read(number, buffer.baseAddress, buffer.count)
        }
        if !isAlwaysReady { waitAgain() }
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        stop()
        return .end
    }

    func stop() {
        watch?.cancel()
        watch = nil
        isReady = false
    }

    private func waitAgain() {
        isReady = false
        watch?.interest = .readable
    }

    private func ready(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.hangup, .error]) {
            // The kernel reports it as ready from now on; bytes written before can be read without
            // waiting.
            isAlwaysReady = true
            watch?.cancel()
            watch = nil
        } else {
            watch?.interest = []
        }
        isReady = true
        becameReady()
    }
}
