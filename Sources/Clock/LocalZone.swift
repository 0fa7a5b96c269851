/// A time zone as a list of its changes: what local time is ahead of UTC at any instant.
///
/// The offset belongs to the instant that is asked for, not to the moment of asking: a receiver's
/// time may lie on the other side of a change of summer time than the machine's clock.
package struct LocalZone: Equatable, Sendable {
    /// From an instant on local time is ahead of UTC by an offset.
    package struct Change: Equatable, Sendable {
        /// The first instant of it.
        package var from: UnixTime
        /// -24 to 24 hours.
        package var offset: TimeSpan

        /// From `from` on clocks show `offset` more than UTC.
        package init(from: UnixTime, offset: TimeSpan) {
            self.from = from
            self.offset = offset
        }
    }

    /// Changes that are kept: four a year, which is the most that any zone has, for 128 years.
    package static let maxChanges = 512

    /// No offset and no changes, ever.
    package static let utc = LocalZone(first: .zero, changes: [])

    private let first: TimeSpan
    private let changes: [Change]

    /// - Parameters:
    ///   - first: the offset before all changes.
    ///   - changes: in order of time; what exceeds the bound is left out.
    package init(first: TimeSpan, changes: [Change]) {
        self.first = first
        self.changes = Array(changes.prefix(Self.maxChanges))
    }

    /// What local time is ahead of UTC at `time`.
    package func offset(at time: UnixTime) -> TimeSpan {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if time < changes[middle].from { high = middle } else { low = middle + 1 }
        }
        return low == 0 ? first : changes[low - 1].offset
    }

    /// The zone that `offset` describes at single instants, from one day to another.
    ///
    /// - Parameter offset: what local time is ahead of UTC at an instant.
    package init(from start: UnixTime, to end: UnixTime, offset: (UnixTime) -> TimeSpan) {
        // Some zones interrupt their summer time for a month, Ramadan: steps of a week find every
        // change.
        let week: Int64 = 7 * 86_400
        var changes: [Change] = []
        var second = start.wholeSeconds
        var before = offset(start)
        let first = before
        while second < end.wholeSeconds, changes.count < Self.maxChanges {
            let next = second + week
            let after = offset(UnixTime(nanoseconds: next * 1_000_000_000))
            if after != before {
                var (low, high) = (second, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    let there = offset(UnixTime(nanoseconds: middle * 1_000_000_000))
                    if there == before { low = middle } else { high = middle }
                }
                let change = UnixTime(nanoseconds: high * 1_000_000_000)
                changes.append(Change(from: change, offset: after))
            }
            (second, before) = (next, after)
        }
        self.init(first: first, changes: changes)
    }
}
