import CLinux
package import Clock
package import Fleet
import Glibc

/// The machine's own clock and time zone: read, never set.
package enum MachineClock {
    /// The system clock, and whether anything disciplines it (adjtimex(2)).
    package static func read() -> SystemClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var state = timex()
        let verdict = adjtimex(&state)
        let unsynchronised = verdict < 0 || verdict == TIME_ERROR || state.status & STA_UNSYNC != 0
        return SystemClock(
            time: UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)),
            synchronised: !unsynchronised)
    }

    /// How far local time is ahead of UTC at that instant, daylight saving included.
    package static func localOffset(at time: UnixTime) -> TimeSpan {
        var seconds = time_t(time.wholeSeconds)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return .zero }
        return .seconds(local.tm_gmtoff)
    }
}
