import CLinux
import Clock
import Glibc
import Reactor

/// Lets the loop's thread wait for the disk's last work, but not for ever.
final class TrackEnding: Sendable {
    private let signal: Int32

    init() throws(SystemError) {
        signal = eventfd(0, Int32(EFD_CLOEXEC))
        guard signal >= 0 else { throw .last }
    }

    deinit { close(signal) }

    /// Called by the other thread, once.
    func report(_ report: TrackReport) {
        // 2 where lines were left.
        eventfd_write(signal, report.fault == nil ? 1 : 2)
    }

    /// - Returns: whether everything was written in time.
    func wait(_ limit: TimeSpan) -> Bool {
        var entry = pollfd(fd: signal, events: Int16(POLLIN), revents: 0)
        let end = MonotonicClock.now() + limit
        while true {
            let left = (end - MonotonicClock.now()).nanoseconds / 1_000_000
            let count = poll(&entry, 1, Int32(max(0, left)))
            if count == 0 { return false }
            if count < 0 && errno == EINTR { continue }
            var value: eventfd_t = 0
            return count > 0 && eventfd_read(signal, &value) == 0 && value == 1
        }
    }
}
