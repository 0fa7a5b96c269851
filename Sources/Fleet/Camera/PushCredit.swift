package import Clock
import Navigation

/// How many more pushes one camera is trusted with (decision 10).
///
/// An acquired descriptor gives no back-pressure, so the camera's own notifications are the only sign
/// that its link moves. At most 1.5 of its usual notification intervals' worth of pushes go out after
/// the last one: 8 to 15 frames, 15 while the interval is not known.
///
/// | happens | spent | paused |
/// | --- | --- | --- |
/// | `spend` below the limit | + 1 | no |
/// | `spend` at the limit | stays | yes |
/// | `spendLast` below 15 | + 1 | no |
/// | `giveBack` (the link did not take it) | - 1, not below 0 | no |
/// | `earn` (any notification) | 0 | no |
package struct PushCredit: Equatable, Sendable {
    /// The fewest frames, whatever the interval.
    package static let minCredit = 8
    /// The most frames, and how many before the interval is known.
    package static let maxCredit = 15
    /// The "usual" interval is the median of this many; odd, so that there is a middle one.
    package static let window = 7

    /// Pushes since the last notification.
    package private(set) var spent = 0
    /// The last notification; nil before the first.
    package private(set) var lastSign: Instant?
    /// When the first push since the last notification was withheld; nil while none was.
    package private(set) var withheldSince: Instant?
    /// Pushes withheld since.
    package private(set) var withheld = 0
    /// The last `window` intervals, a ring.
    private var intervals: [TimeSpan] = []
    private var oldest = 0
    /// The median of `intervals`; nil until the window is full.
    package private(set) var usualInterval: TimeSpan?

    package init() {}

    /// Frames that may go out between two notifications.
    ///
    /// - Parameter rate: pushes a second, 1 to 10.
    package func limit(rate: Int) -> Int {
        guard let usualInterval else { return Self.maxCredit }
        // An interval of a minute is as good as for ever, and keeps the product small.
        let nanoseconds = min(usualInterval.nanoseconds, 60_000_000_000)
        let frames = (3 * nanoseconds * Int64(rate) + 1_999_999_999) / 2_000_000_000
        return min(max(Int(frames), Self.minCredit), Self.maxCredit)
    }

    /// Whether another push may go out.
    package func covers(rate: Int) -> Bool { spent < limit(rate: rate) }

    /// Takes one push's worth of credit, or notes that a push was withheld.
    ///
    /// - Returns: whether the push may go out.
    package mutating func spend(rate: Int, at now: Instant) -> Bool {
        guard covers(rate: rate) else {
            if withheldSince == nil { withheldSince = now }
            withheld += 1
            return false
        }
        spent += 1
        return true
    }

    /// Takes credit for a void of the closing burst: whoever was paused holds a position for ever
    /// unless it is taken back, and after the burst nothing more comes that could fill the link.
    ///
    /// - Returns: whether it may go out: while fewer than `maxCredit` are out, whatever the interval.
    package mutating func spendLast() -> Bool {
        guard spent < Self.maxCredit else { return false }
        spent += 1
        return true
    }

    /// A push that was paid for did not go out after all.
    package mutating func giveBack() { spent = max(0, spent - 1) }

    /// A notification came, whatever it was.
    package mutating func earn(at now: Instant) {
        if let lastSign { note(interval: max(.zero, now - lastSign)) }
        lastSign = now
        spent = 0
        withheldSince = nil
        withheld = 0
    }

    /// Forgets the intervals: those of a handshake say nothing about those of a stream.
    package mutating func forgetIntervals() {
        intervals.removeAll(keepingCapacity: true)
        oldest = 0
        usualInterval = nil
    }

    private mutating func note(interval: TimeSpan) {
        if intervals.count < Self.window {
            intervals.append(interval)
        } else {
            intervals[oldest] = interval
            oldest = (oldest + 1) % Self.window
        }
        guard intervals.count == Self.window else { return }
        usualInterval = intervals.median
    }
}
