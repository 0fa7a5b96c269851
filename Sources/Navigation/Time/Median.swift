package import Clock

extension [TimeSpan] {
    /// The middle one by length, and the longer of two in the middle; nil for an empty list.
    ///
    /// Meant for a handful of spans, at each epoch and notification. It counts instead of sorting,
    /// since sorting allocates memory.
    package var median: TimeSpan? {
        let middle = count / 2
        return first { candidate in
            count(where: { $0 < candidate }) <= middle && middle < count(where: { $0 <= candidate })
        }
    }
}
