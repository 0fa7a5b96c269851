import CLinux
package import Clock
import Glibc

/// Signals as events of the loop instead of interruptions (signalfd).
package final class Signals {
    /// - Parameter signal: SIGTERM and so on.
    package typealias Handler = (_ signal: Int32, _ now: Instant) -> Void

    private let descriptor: Descriptor
    private let signals: [Int32]
    private var watch: Watch?
    private let handler: Handler

    /// Blocks `signals` for the calling thread and those it makes later, and hears them itself.
    ///
    /// Before any other thread is made: one that has them unblocked would be killed by them.
    /// - Throws: where the kernel has no descriptor left.
    package init(_ signals: [Int32], on loop: EventLoop, handler: @escaping Handler)
        throws(SystemError)
    {
        var set = Self.set(of: signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let number = signalfd(-1, &set, Epoll.signalFlags)
        guard number >= 0 else { throw .last }
        descriptor = Descriptor(owning: number)
        self.signals = signals
        self.handler = handler
        watch = try loop.watch(number, for: .readable) { [unowned self] _, now in read(at: now) }
    }

    deinit {
        watch?.cancel()
        var set = Self.set(of: signals)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// A write to a peer that is gone is to return EPIPE, not to end the process; one to a terminal
    /// from the background is to go through, not to stop it.
    package static func ignorePipe() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    private func read(at now: Instant) {
        var info = signalfd_siginfo()
        while true {
            let count = withUnsafeMutableBytes(of: &info) { buffer in
                try? descriptor.read(into: buffer)
            }
            guard count == MemoryLayout<signalfd_siginfo>.size else { return }
            handler(Int32(bitPattern: info.ssi_signo), now)
        }
    }
}
