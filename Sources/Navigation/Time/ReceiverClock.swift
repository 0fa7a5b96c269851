import Clock

/// Measures the difference between the monotonic clock and one receiver's time, and tells which
/// epochs carry a time that cannot be theirs (decision 40).
///
/// An epoch arrives late by the receiver's solving time, the serial line and whatever held it up.
/// The last part is never negative, so the earliest arrivals of the last minute show the offset. An
/// arrival that is late follows a silence of that length, and one that is early follows a late one;
/// a time that jumps while the arrivals go on as usual is the receiver's own error or its step.
///
/// | state | an epoch | verdict, becomes |
/// | --- | --- | --- |
/// | on the line | its time goes on as usual, or as the arrivals do, or late as a silence explains | fits |
/// | on the line | any other time | strange, 1 suspect |
/// | n suspects | back on the line | fits, no suspects |
/// | n suspects | agrees with them | strange, n + 1 suspects; the third makes it a step |
/// | n suspects | any other time | strange, 1 suspect |
/// | late by more than a latency | the third that gets no less late | a step |
struct ReceiverClock: Equatable, Sendable {
    /// The judgement of an epoch's time.
    enum Verdict: Equatable, Sendable {
        case fits
        /// The time seems to belong to another epoch.
        case strange
        /// The third strange time in a row that agrees with the two before: the receiver's time has
        /// stepped, and this is the new line.
        case stepped
    }

    /// The greatest latency that solving times and serial lines of receivers explain.
    static let maxLatency = TimeSpan.milliseconds(600)
    /// So many epochs that agree prove a step, and so many prove an offset.
    static let enough = 3
    /// Differences of less than this between times and arrivals count as equal.
    private static let tolerance = TimeSpan.milliseconds(50)
    /// The step from one time to the next may differ from the usual one by this much and still
    /// count as regular.
    private static let regular = TimeSpan.milliseconds(30)
    /// Strange epochs whose differences lie within this agree: arrivals jitter.
    private static let agreement = TimeSpan.milliseconds(200)
    /// A time that goes back by less than this shows that the one before it was false.
    private static let flicker = TimeSpan.seconds(1)
    /// Two such windows are kept. A crystal that is off by 50 ppm moves 3 ms in a minute.
    private static let window = TimeSpan.seconds(30)

    private struct Seen: Equatable {
        var time: UnixTime
        var arrival: Instant
        var difference: Int64 { arrival.nanoseconds &- time.nanoseconds }
    }

    private var last: Seen?
    /// When anything last came from the receiver.
    private var lastHeard: Instant?
    private var windowStart = Instant.zero
    private var lows = LowDelays()
    private var lowsBefore = LowDelays()
    /// `lows` as they were before the last epoch, since the next epoch may prove its time false.
    private var lowsUndone = LowDelays()
    /// How late the last epoch on the line was, nanoseconds.
    private var lateness: Int64 = 0
    /// The longest pause beyond the usual one since the last epoch on the line, nanoseconds.
    private var silence: Int64 = 0
    private var suspects: [Int64] = []
    /// Differences of late epochs in a row that do not catch up.
    private var steadilyLate: [Int64] = []

    /// Monotonic minus receiver time, nanoseconds; nil until enough epochs show it.
    var nanoseconds: Int64? { lows.count + lowsBefore.count >= Self.enough ? lowest : nil }

    /// The same, from any number of epochs; nil without any.
    var lowest: Int64? {
        guard let before = lowsBefore.value else { return lows.value }
        guard lows.count >= Self.enough, let value = lows.value else { return before }
        return min(value, before)
    }

    /// An epoch of `time` arrived at `arrival`.
    ///
    /// - Parameter usual: from epoch to epoch, by the times before this one; nil while unknown.
    mutating func add(time: UnixTime, arrival: Instant, usual: TimeSpan?) -> Verdict {
        let new = Seen(time: time, arrival: arrival)
        let heard = lastHeard ?? arrival
        defer {
            last = new
            lastHeard = arrival
        }
        if let last, time < last.time, last.time - time < Self.flicker { lows = lowsUndone }
        guard let last, let base = lowest else {
            accept(new)
            return .fits
        }
        let steps = (
            label: (time - last.time).nanoseconds, arrival: (arrival - last.arrival).nanoseconds
        )
        let expected = usual?.nanoseconds ?? max(steps.label, 0)
        silence = max(silence, (arrival - heard).nanoseconds - expected)
        let late = new.difference &- base
        guard fits(late, steps: steps, expected: expected) else { return suspect(new) }
        if late > Self.maxLatency.nanoseconds, stays(late: new, steps: steps) {
            restart(with: steadilyLate, at: arrival)
            return .stepped
        }
        if late <= Self.maxLatency.nanoseconds { steadilyLate.removeAll() }
        accept(new)
        lateness = max(late, 0)
        return .fits
    }

    /// Notes that an epoch without a usable time arrived: there was no silence, but it says nothing
    /// of the offset.
    mutating func hear(at arrival: Instant) { lastHeard = arrival }

    private func fits(
        _ late: Int64, steps: (label: Int64, arrival: Int64), expected: Int64
    ) -> Bool {
        if suspects.isEmpty, steps.label > 0 {
            if (steps.label - expected).magnitude <= Self.regular.nanoseconds.magnitude {
                return true
            }
            let apart = (steps.label - steps.arrival).magnitude
            if apart <= Self.regular.nanoseconds.magnitude { return true }
        }
        guard late >= -Self.tolerance.nanoseconds else { return false }
        return late <= lateness + silence + Self.tolerance.nanoseconds
    }

    /// Whether `new` is the third late epoch that comes no faster than its times go on: a backlog
    /// shrinks.
    private mutating func stays(late new: Seen, steps: (label: Int64, arrival: Int64)) -> Bool {
        let catchesUp = steps.label <= 0 || Double(steps.arrival) < Double(steps.label) * 0.9
        let isFirst = steadilyLate.isEmpty
        if !isFirst, catchesUp { steadilyLate.removeAll() }
        steadilyLate.append(new.difference)
        return steadilyLate.count >= Self.enough
    }

    private mutating func suspect(_ new: Seen) -> Verdict {
        let agrees = suspects.allSatisfy {
            (new.difference &- $0).magnitude <= Self.agreement.nanoseconds.magnitude
        }
        if !agrees { suspects.removeAll(keepingCapacity: true) }
        suspects.append(new.difference)
        guard suspects.count >= Self.enough else { return .strange }
        restart(with: suspects, at: new.arrival)
        return .stepped
    }

    private mutating func accept(_ new: Seen) {
        suspects.removeAll(keepingCapacity: true)
        silence = 0
        if new.arrival - windowStart > Self.window {
            if lows.count >= Self.enough { lowsBefore = lows }
            lows = LowDelays()
            windowStart = new.arrival
        }
        lowsUndone = lows
        lows.add(new.difference)
    }

    private mutating func restart(with differences: [Int64], at arrival: Instant) {
        self = ReceiverClock()
        windowStart = arrival
        for difference in differences { lows.add(difference) }
        lowsUndone = lows
    }
}

/// The smallest differences of arrival and time in a window: several are kept, because a single one
/// may be an error.
struct LowDelays: Equatable, Sendable {
    /// Enough that the true ones are seen even if two of them are false.
    private static let maxKept = 8
    /// Three that lie so close together confirm each other, nanoseconds.
    private static let cluster: Int64 = 50_000_000

    private var kept: [Int64] = []
    /// How many are kept, at most `maxKept`.
    var count: Int { kept.count }

    /// Nanoseconds: the smallest difference that two others confirm. Where none lie so close
    /// together it is the third smallest, and of fewer than three the greatest; nil without any.
    var value: Int64? {
        for index in kept.indices.dropLast(2) where kept[index + 2] - kept[index] <= Self.cluster {
            return kept[index]
        }
        return kept.count > 2 ? kept[2] : kept.last
    }

    mutating func add(_ difference: Int64) {
        if kept.count == Self.maxKept {
            guard let greatest = kept.last, difference < greatest else { return }
            kept.removeLast()
        }
        let index = kept.firstIndex { $0 > difference } ?? kept.endIndex
        kept.insert(difference, at: index)
    }
}
