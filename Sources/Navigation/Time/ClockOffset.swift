import Clock

/// Where the monotonic clock stands against a receiver's time: the least delay seen.
///
/// A fix arrives late by the receiver's solving time, the serial line, and whatever held us up. The
/// last part is never negative, so the earliest arrivals of the last minute are the true ones.
struct ClockOffset: Equatable, Sendable {
    /// Two such windows are looked at; a crystal's 50 ppm are 3 ms in a minute.
    private static let window = TimeSpan.seconds(30)
    /// Fewer fixes prove nothing.
    private static let enough = 3
    /// More than this is a step of the receiver's time, not a delay.
    private static let step = TimeSpan.seconds(1)

    private var count = 0
    private var windowStart = Instant.zero
    /// arrival - time, nanoseconds.
    private var least: Int64?
    private var leastBefore: Int64?
    /// Since when every fix has been late by more than a step.
    private var lateSince: Instant?

    /// Monotonic minus receiver time, nanoseconds; nil until known.
    var nanoseconds: Int64? {
        guard count >= ClockOffset.enough else { return nil }
        return lowest
    }

    /// The same from however few fixes: enough where another clock confirms it.
    var lowest: Int64? {
        guard let least else { return nil }
        return min(least, leastBefore ?? least)
    }

    /// A fix of `time` came at `arrival`.
    mutating func add(time: UnixTime, arrival: Instant) {
        let difference = arrival.nanoseconds &- time.nanoseconds
        if let lowest {
            let delay = difference &- lowest
            if delay < -ClockOffset.step.nanoseconds { self = ClockOffset() }
            if delay > ClockOffset.step.nanoseconds {
                // A stall's backlog is late once; a receiver that stepped back stays late.
                let since = lateSince ?? arrival
                lateSince = since
                guard arrival - since > ClockOffset.step else { return }
                self = ClockOffset()
            }
        }
        lateSince = nil
        count = min(count + 1, ClockOffset.enough)
        if least == nil { windowStart = arrival }
        if arrival - windowStart > ClockOffset.window {
            leastBefore = least
            least = difference
            windowStart = arrival
        }
        least = min(least ?? difference, difference)
    }
}
