import Clock

/// What the machine's own clock adds: how late fixes are, and a date where a receiver has none.
struct ClockJudge: Equatable, Sendable {
    /// A receiver's solving time and serial line explain no more than this; beyond it the two clocks
    /// just disagree (leap seconds, a bad network).
    static let maxLatency = TimeSpan.milliseconds(600)
    /// A synchronised clock may be wrong by so much in the other direction.
    private static let clockError = TimeSpan.milliseconds(50)
    private static let day = TimeSpan.seconds(86_400)

    private let buildDate: UnixTime
    private var system: SystemReading?

    private struct SystemReading: Equatable {
        /// Monotonic minus system time, nanoseconds.
        var offset: Int64
        var synchronised: Bool
    }

    init(buildDate: UnixTime) { self.buildDate = buildDate }

    mutating func setSystemClock(_ time: UnixTime, synchronised: Bool, at instant: Instant) {
        system = SystemReading(
            offset: instant.nanoseconds &- time.nanoseconds, synchronised: synchronised)
    }

    /// Monotonic minus UTC, nanoseconds, as the receiver's arrivals tell it; nil until known.
    ///
    /// Arrivals alone know only how much later than the earliest ones a fix is. A synchronised
    /// system clock knows how late those are.
    func offset(of clock: ClockOffset) -> Int64? {
        guard let least = clock.lowest, let system, system.synchronised else {
            return clock.nanoseconds
        }
        let latency = least &- system.offset
        let plausible =
            latency >= -ClockJudge.clockError.nanoseconds
            && latency <= ClockJudge.maxLatency.nanoseconds
        return plausible ? min(system.offset, least) : clock.nanoseconds
    }

    /// The fix's own instant: its time on the monotonic clock, or its arrival where that is not
    /// known or makes no sense.
    func instant(of fix: Fix, clock: ClockOffset) -> Instant {
        guard let time = fix.time, let offset = offset(of: clock) else { return fix.arrival }
        let own = Instant(nanoseconds: time.nanoseconds &+ offset)
        let late = fix.arrival - own
        return late >= .zero && late <= Receiver.freshness.most ? own : fix.arrival
    }

    /// What a camera is told for the receiver's `time`: the system clock where that time is
    /// missing or cannot be right; nil where nothing is to be believed.
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
