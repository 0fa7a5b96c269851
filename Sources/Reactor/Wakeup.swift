import CLinux
import Glibc

/// Lets another thread wake the loop (eventfd). Signals that come before the loop wakes are one.
package final class Wakeup {
    /// The end that other threads hold; sends for as long as any of them wants.
    package final class Sender: Sendable {
        let number: Int32

        init() throws(SystemError) {
            number = eventfd(0, Epoll.eventFlags | Epoll.eventNonBlocking)
            guard number >= 0 else { throw .last }
        }

        deinit { close(number) }

        /// Wakes the loop; may be called from any thread.
        package func send() {
            // EAGAIN would mean that a wake is due anyway.
            eventfd_write(number, 1)
        }
    }

    /// Wakes the loop from any thread.
    package let sender: Sender
    private var watch: Watch?

    /// - Parameter handler: runs on the loop's thread after one or more `send`s.
    /// - Throws: where the kernel has no descriptor left.
    package init(on loop: EventLoop, handler: @escaping Timer.Handler) throws(SystemError) {
        let sender = try Sender()
        self.sender = sender
        watch = try loop.watch(sender.number, for: .readable) { _, now in
            var count: eventfd_t = 0
            eventfd_read(sender.number, &count)
            handler(now)
        }
    }
}
