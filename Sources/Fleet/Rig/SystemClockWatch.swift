package import Clock

/// The machine's clock against the monotonic one: finds steps, and tells the time where nothing
/// better does.
package struct SystemClockWatch: Sendable {
    /// A smaller difference is discipline, not a step.
    package static let stepBound = TimeSpan.seconds(1)

    private var last: (clock: SystemClock, instant: Instant)?

    /// The clock has not been read yet.
    package init() {}

    /// - Returns: how far the clock has jumped since the last reading; nil when it has not.
    package mutating func read(_ clock: SystemClock, at now: Instant) -> TimeSpan? {
        defer { last = (clock, now) }
        guard let last else { return nil }
        let step = (clock.time - last.clock.time) - (now - last.instant)
        return abs(step.nanoseconds) > Self.stepBound.nanoseconds ? step : nil
    }

    /// UTC at `instant`, where something disciplines the clock.
    package func utc(at instant: Instant) -> UnixTime? {
        guard let last, last.clock.synchronised else { return nil }
        return last.clock.time + (instant - last.instant)
    }
}
