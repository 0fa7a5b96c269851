import CLinux
package import Clock
import Glibc

/// The machine's monotonic clock. The loop reads it once a wake; others take `now` from the loop.
package enum MonotonicClock {
    /// CLOCK_MONOTONIC, now.
    package static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: nanoseconds(time))
    }

    /// For how long the machine has slept since its start: CLOCK_BOOTTIME counts that too.
    package static func suspension() -> TimeSpan {
        var (before, all, after) = (timespec(), timespec(), timespec())
        // A process that is kept waiting between the two readings reads both again; otherwise the
        // wait would count as sleep.
        for _ in 0..<maxReadings {
            clock_gettime(CLOCK_MONOTONIC, &before)
            clock_gettime(CLOCK_BOOTTIME, &all)
            clock_gettime(CLOCK_MONOTONIC, &after)
            if nanoseconds(after) - nanoseconds(before) < 1_000_000 { break }
        }
        return TimeSpan(nanoseconds: nanoseconds(all) - nanoseconds(after))
    }

    /// Readings of the two clocks until they fall together.
    private static let maxReadings = 8

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
