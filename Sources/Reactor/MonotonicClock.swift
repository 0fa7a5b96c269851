import CLinux
package import Clock
import Glibc

/// The machine's monotonic clock. The loop reads it once a wake; others take `now` from the loop.
package enum MonotonicClock {
    /// CLOCK_MONOTONIC, now.
    package static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
