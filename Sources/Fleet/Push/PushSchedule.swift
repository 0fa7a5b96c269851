package import Clock
import OsmoProtocol

/// When frames go to the cameras: locked to the receiver, on its own grid between fixes, void
/// without one (decisions 6 and 9).
///
/// With R pushes a second and I = 1/R:
///
/// | stream | next frame |
/// | --- | --- |
/// | position, a fix came since the last push | as soon as spacing (0.8 I) and budget allow |
/// | position, none came | I after the last push; 0.2 I later where a fix is expected by then |
/// | void | I after the last position, then every second; two more in between when gpsd went |
/// | closing | three voids, 20 ms apart, 0.8 I after the last position; then ended |
///
/// The budget refills slightly faster than R a second, so that a push made early is paid back; it
/// never lets more than 11 pushes into any 10 I, nor 101 into any 100 I.
package struct PushSchedule: Equatable, Sendable {
    /// What is due: a position, or a void frame.
    package enum Frame: Equatable, Sendable {
        case position
        case void
    }

    /// Between voids while there is no fix.
    package static let voidInterval = TimeSpan.seconds(1)
    /// Voids of a burst.
    package static let burst = 3
    /// Between the voids of the closing burst.
    package static let closingSpacing = TimeSpan.milliseconds(20)
    /// Over this time `rateHertz` is measured.
    private static let measured = TimeSpan.seconds(10)
    /// An expected fix may have been due for so long, and three tenths of its interval.
    private static let overdue = TimeSpan.milliseconds(30)

    private enum Stream: Equatable {
        case position
        /// `quick` more voids follow at the pace of pushes before the slow ones.
        case void(next: Instant, quick: Int)
        case closing(next: Instant, left: Int)
        case ended
    }

    private var interval: TimeSpan
    private var stream = Stream.void(next: .zero, quick: 0)
    private var lastSent: Instant?
    private var lastFrame: Frame?
    /// When the budget would be even: each frame moves it by a little less than an interval.
    private var evenAt = Instant.zero
    /// Whether a fix came that no push has told of.
    private var hasNews = false
    private var lastFix: Instant?
    private var fixInterval: TimeSpan?
    private var stamps: [Instant] = []

    /// - Parameter rate: pushes a second, 1 to 10.
    package init(rate: Int) { interval = Self.interval(rate) }

    /// From the last frame on there are `rate` pushes a second, 1 to 10, with a budget of their own.
    package mutating func setRate(_ rate: Int) {
        let new = Self.interval(rate)
        guard new != interval else { return }
        interval = new
        evenAt = lastSent.map { $0 + cost } ?? .zero
    }

    private static func interval(_ rate: Int) -> TimeSpan {
        precondition((1...10).contains(rate), "a rate is 1 to 10 pushes a second")
        return TimeSpan(nanoseconds: 1_000_000_000 / Int64(rate))
    }

    private var spacing: TimeSpan { interval * 0.8 }
    private var patience: TimeSpan { interval * 0.2 }
    /// What a frame takes from the budget, and how far ahead of it one may leave: (100 I + advance)
    /// / cost + 1 frames fit into 100 I, which is less than 102.
    private var cost: TimeSpan { interval * 0.997 }
    private var advance: TimeSpan { interval * 0.69 }

    /// A fix worth a push has come.
    ///
    /// - Parameters:
    ///   - arrival: when the first report of its epoch came.
    ///   - interval: the usual time between epochs; nil while unknown.
    package mutating func fixArrived(_ arrival: Instant, interval: TimeSpan?) {
        switch stream {
        case .closing, .ended: return
        case .position, .void: stream = .position
        }
        hasNews = true
        lastFix = arrival
        fixInterval = interval
    }

    /// There is no fresh fix any more at `now`.
    ///
    /// - Parameter gone: gpsd itself is gone: a burst of voids instead of one.
    package mutating func lost(at now: Instant, gone: Bool = false) {
        guard case .position = stream else { return }
        hasNews = false
        lastFix = nil
        let tick = lastSent.map { $0 + interval } ?? now
        stream = .void(next: max(now, tick), quick: gone ? PushSchedule.burst - 1 : 0)
    }

    /// The last frames: a burst of voids from `now` on, then nothing.
    package mutating func close(at now: Instant) {
        switch stream {
        case .closing, .ended: return
        case .position, .void: break
        }
        let free = lastFrame == .position ? lastSent.map { $0 + spacing } : nil
        stream = .closing(next: max(now, free ?? now), left: PushSchedule.burst)
    }

    /// The closing burst is out.
    package var isEnded: Bool { stream == .ended }

    /// When the next frame is due; in the past for at once, nil after the end.
    package var nextDeadline: Instant? {
        switch stream {
        case .position: nextPosition
        case .void(let next, _): next
        case .closing(let next, _): next
        case .ended: nil
        }
    }

    /// The frame to send at `now`, if one is due; it is taken to leave at `now`.
    package mutating func advance(to now: Instant) -> Frame? {
        guard let due = nextDeadline, due <= now else { return nil }
        let frame: Frame
        switch stream {
        case .position:
            frame = .position
            hasNews = false
        case .void(_, let quick):
            frame = .void
            let pause = quick > 0 ? interval : PushSchedule.voidInterval
            stream = .void(next: now + pause, quick: max(0, quick - 1))
        case .closing(_, let left):
            frame = .void
            stream =
                left > 1
                ? .closing(next: now + PushSchedule.closingSpacing, left: left - 1) : .ended
        case .ended: return nil
        }
        lastSent = now
        lastFrame = frame
        evenAt = max(evenAt, now) + cost
        return frame
    }

    /// A camera took the position of `now`: what `rateHertz` counts.
    package mutating func delivered(at now: Instant) {
        stamps.append(now)
        while now - stamps[0] > PushSchedule.measured { stamps.removeFirst() }
    }

    /// Positions a second that at least one camera took, over the last ten seconds. The first second
    /// of a stream counts whole, since two pushes in a row say nothing about a rate.
    package func rateHertz(at now: Instant) -> Double {
        let recent = stamps.filter { now - $0 <= PushSchedule.measured }
        guard let first = recent.first, let last = recent.last else { return 0 }
        if now - last <= interval * 2 {
            let span = (last - first).seconds
            return span >= 1 ? Double(recent.count - 1) / span : Double(recent.count - 1)
        }
        return Double(recent.count) / PushSchedule.measured.seconds
    }

    private var nextPosition: Instant {
        guard let lastSent else { return .zero }
        if hasNews { return max(lastSent + spacing, evenAt - advance) }
        let grid = lastSent + interval
        return isFixExpected(near: grid) ? grid + patience : grid
    }

    /// Whether a fix is due between a little before `grid` and the end of patience.
    private func isFixExpected(near grid: Instant) -> Bool {
        guard let lastFix, let fixInterval, fixInterval > .zero else { return false }
        let early = min(PushSchedule.overdue, fixInterval * 0.3)
        let phase = (grid + patience - lastFix).nanoseconds % fixInterval.nanoseconds
        return phase >= 0 && phase <= (patience + early).nanoseconds
            && grid + patience - lastFix >= fixInterval
    }
}
