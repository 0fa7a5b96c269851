import Clock

/// How fast a receiver's epochs follow each other, measured on its own clock.
struct EpochRate: Equatable, Sendable {
    /// Intervals that the median is made of: few, so that it follows a change of rate within half a
    /// dozen epochs, and enough that lost epochs do not change it.
    private static let window = 5
    /// A longer pause says nothing about the rate.
    private static let maxInterval = TimeSpan.seconds(10)
    /// The rate is counted over so many epochs and at most ten seconds.
    private static let counted = 101

    private var intervals: [TimeSpan] = []
    private var times: [UnixTime] = []

    /// The usual time from epoch to epoch; nil before two epochs.
    private(set) var interval: TimeSpan?

    /// Whether there are enough intervals that a few lost epochs do not change their median.
    var isSettled: Bool { intervals.count > EpochRate.window / 2 }

    /// Epochs a second, lost ones counted as lost; nil before two epochs.
    var hertz: Double? {
        guard let first = times.first, let last = times.last, last > first else { return nil }
        return Double(times.count - 1) / (last - first).seconds
    }

    /// An epoch at `time`, `step` after the one before it.
    mutating func add(_ step: TimeSpan, time: UnixTime) {
        guard step > .zero, step <= EpochRate.maxInterval else {
            self = EpochRate()
            times = [time]
            return
        }
        if intervals.count == EpochRate.window { intervals.removeFirst() }
        intervals.append(step)
        interval = intervals.median
        if times.isEmpty { times.append(time + (.zero - step)) }
        times.append(time)
        while times.count > EpochRate.counted || time - times[0] > EpochRate.maxInterval {
            times.removeFirst()
        }
    }
}
