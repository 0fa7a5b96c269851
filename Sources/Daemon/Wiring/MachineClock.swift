import CLinux
package import Clock
package import Fleet
import Glibc

/// The machine's own clock and time zone: read, never set.
package enum MachineClock {
    /// The system clock, whether anything disciplines it, and how wrong it may be (adjtimex(2)).
    package static func read() -> SystemClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var state = timex()
        let verdict = adjtimex(&state)
        return reading(
            UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)),
            verdict: verdict, state: state)
    }

    /// What adjtimex says of a clock that reads `time`.
    static func reading(_ time: UnixTime, verdict: Int32, state: timex) -> SystemClock {
        let unsynchronised = verdict < 0 || verdict == TIME_ERROR || state.status & STA_UNSYNC != 0
        return SystemClock(
            time: time, synchronised: !unsynchronised,
            maxError: verdict < 0 ? nil : .microseconds(Int(state.maxerror)))
    }

    /// This machine's time zone from `start` on, daylight saving included.
    package static func zone(from start: UnixTime) -> LocalZone {
        let end = CivilTime(year: CivilTime.years.upperBound, month: 12, day: 31)?.unixTime()
        return LocalZone(from: start, to: end ?? start) { time in
            var seconds = time_t(time.wholeSeconds)
            var local = tm()
            guard localtime_r(&seconds, &local) != nil else { return .zero }
            return .seconds(local.tm_gmtoff)
        }
    }
}
