import Clock

/// The bounds of decision 6, measured on what the rig hands to the radio.
struct PushRules: Sendable {
    private let interval: TimeSpan
    private let rate: Int
    private let spacing: TimeSpan
    /// The longest that a camera may wait while fixes are fresh; receivers faster than the rate
    /// make pushes wait for their turn.
    let maxGap: TimeSpan
    /// When positions were pushed, the newest last; those of the last 100 intervals begin at
    /// `first`.
    private var stamps: [Instant] = []
    private var first = 0

    init(rate: Int) {
        self.rate = rate
        interval = TimeSpan(nanoseconds: 1_000_000_000 / Int64(rate))
        spacing = interval * 0.8
        maxGap = interval * 1.2
    }

    /// When the last position went out.
    var last: Instant? { stamps.last }

    /// Notes that a position is pushed, and judges the interval.
    mutating func record(at now: Instant) -> InvariantViolation? {
        if let last = stamps.last, now - last < spacing {
            return InvariantViolation(
                .spacing, at: now, "\((now - last).milliseconds) ms after the last")
        }
        stamps.append(now)
        while now - stamps[first] >= interval * 100 { first += 1 }
        if first > 256 {
            stamps.removeFirst(first)
            first = 0
        }
        if stamps.count - first > 101 {
            return InvariantViolation(
                .budget, at: now, "\(stamps.count - first) in \(100 * interval.seconds) s")
        }
        let recent = stamps.count - 12
        if recent >= first, now - stamps[recent] < interval * 10 {
            return InvariantViolation(.budget, at: now, "12 in \(10 * interval.seconds) s")
        }
        return nil
    }
}
