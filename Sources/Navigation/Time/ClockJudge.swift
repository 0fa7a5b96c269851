import Clock

/// Uses the machine's own clock to tell how late fixes are, and to give a date where a receiver has
/// none.
struct ClockJudge: Equatable, Sendable {
    /// How much earlier than its own time a fix may seem to arrive, since a synchronised clock may
    /// be wrong by this much.
    private static let clockError = TimeSpan.milliseconds(50)
    private static let day = TimeSpan.seconds(86_400)

    private let buildDate: UnixTime
    private var system: SystemReading?

    private struct SystemReading: Equatable {
        /// Monotonic minus system time, nanoseconds.
        var offset: Int64
        var synchronised: Bool
        /// Right to a tenth of a second: good enough to tell a latency by.
        var precise: Bool
    }

    init(buildDate: UnixTime) { self.buildDate = buildDate }

    /// The system clock read `time` at `instant`.
    ///
    /// - Parameter precise: whether it is known to be right to a tenth of a second.
    mutating func setSystemClock(
        _ time: UnixTime, synchronised: Bool, precise: Bool, at instant: Instant
    ) {
        system = SystemReading(
            offset: instant.nanoseconds &- time.nanoseconds, synchronised: synchronised,
            precise: synchronised && precise)
    }

    /// Monotonic minus UTC, nanoseconds, as the receiver's arrivals tell it; nil until known.
    ///
    /// Arrivals alone know only how much later than the earliest ones a fix is. A precise system
    /// clock knows how late those are.
    func offset(of clock: ReceiverClock) -> Int64? {
        guard let least = clock.lowest, let system, isLatency(least) else {
            return clock.nanoseconds
        }
        return min(system.offset, least)
    }

    /// The fix's own instant: its time on the monotonic clock, or its arrival less the usual
    /// latency where that is not known or is not the time of this fix.
    ///
    /// - Parameter strange: the receiver's clock says that the fix's time is not its own.
    func instant(of fix: Fix, clock: ReceiverClock, strange: Bool) -> Instant {
        guard let time = fix.time else { return fix.arrival }
        let difference = fix.arrival.nanoseconds &- time.nanoseconds
        if strange, let least = clock.lowest {
            guard let system, isLatency(least) else {
                return isLatency(difference) ? instant(time) : fix.arrival
            }
            return fix.arrival - TimeSpan(nanoseconds: max(0, least &- system.offset))
        }
        if isLatency(difference) { return min(instant(time), fix.arrival) }
        guard let offset = offset(of: clock) else { return fix.arrival }
        return min(Instant(nanoseconds: time.nanoseconds &+ offset), fix.arrival)
    }

    /// `time` on the monotonic clock, by the system clock.
    private func instant(_ time: UnixTime) -> Instant {
        Instant(nanoseconds: time.nanoseconds &+ (system?.offset ?? 0))
    }

    /// Whether a difference of arrival and time can be the latency of a receiver, by a precise
    /// system clock.
    private func isLatency(_ difference: Int64) -> Bool {
        guard let system, system.precise else { return false }
        let latency = difference &- system.offset
        return latency >= -ClockJudge.clockError.nanoseconds
            && latency <= ReceiverClock.maxLatency.nanoseconds
    }

    /// What a camera is told for the receiver's `time`: the system clock where that time is missing
    /// or cannot be right; nil where neither can be believed.
    func pushedTime(_ time: UnixTime?, at now: Instant) -> UnixTime? {
        let known = system.map { UnixTime(nanoseconds: now.nanoseconds &- $0.offset) }
        let plausible = known.flatMap { $0 >= buildDate ? $0 : nil }
        guard let time else { return plausible }
        if time < buildDate { return plausible ?? time }
        if let plausible, system?.synchronised == true {
            let apart = (time - plausible).nanoseconds.magnitude
            if apart > ClockJudge.day.nanoseconds.magnitude { return plausible }
        }
        return time
    }
}
