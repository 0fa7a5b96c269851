/// Counts the intervals between rows by their length, and finds gaps.
struct IntervalCounts: Equatable {
    /// A pause between two rows.
    struct Gap: Equatable {
        /// Time of the row before the pause, milliseconds since 1970.
        var begin: Int64
        var milliseconds: Int64
    }

    /// Intervals up to this length are counted one by one, milliseconds; receivers send at 0.1 to
    /// 40 Hz.
    static let maxCountedMilliseconds = 10_000
    /// How many of the longest gaps are kept.
    static let maxGaps = 5

    private var counts = [Int](repeating: 0, count: maxCountedMilliseconds + 1)
    private var longer = 0
    private var longerSum: Int64 = 0
    private(set) var longest: [Gap] = []

    /// Adds the next interval.
    mutating func add(_ gap: Gap) {
        if gap.milliseconds <= Self.maxCountedMilliseconds {
            counts[Int(gap.milliseconds)] += 1
        } else {
            longer += 1
            longerSum += gap.milliseconds
        }
        longest.insert(gap, keeping: Self.maxGaps)
    }

    /// The longest pauses that stand out among these intervals.
    var longestGaps: [Gap] {
        guard let usual else { return [] }
        return longest.filter { $0.milliseconds * 2 > usual * 3 }
    }

    /// The usual interval, milliseconds: the median; nil without two rows.
    var usual: Int64? {
        let total = counts.reduce(longer, +)
        guard total > 0 else { return nil }
        var seen = 0
        for (interval, count) in counts.enumerated() {
            seen += count
            if seen * 2 >= total { return Int64(interval) }
        }
        return longest.last?.milliseconds
    }

    /// Intervals of more than one and a half times the usual one, and the rows missing in them.
    var gaps: (count: Int, missingRows: Int64) {
        guard let usual, usual > 0 else { return (0, 0) }
        var gaps = longer
        // Missing rows of all longer intervals together, so that these need no list.
        var missing = longer > 0 ? longerSum / usual - Int64(longer) : 0
        for (interval, count) in counts.enumerated()
        where count > 0 && Int64(interval) * 2 > usual * 3 {
            gaps += count
            missing += ((Int64(interval) + usual / 2) / usual - 1) * Int64(count)
        }
        return (gaps, max(0, missing))
    }
}

extension [IntervalCounts.Gap] {
    /// Inserts a gap into a list that goes from the longest to the shortest and has `limit` entries
    /// at most.
    mutating func insert(_ gap: IntervalCounts.Gap, keeping limit: Int) {
        let place = firstIndex { $0.milliseconds < gap.milliseconds } ?? count
        guard place < limit else { return }
        insert(gap, at: place)
        if count > limit { removeLast() }
    }
}
