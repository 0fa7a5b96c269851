package import Clock

extension [TimeSpan] {
    /// The middle one by length, the longer of two in the middle; nil where there is none.
    ///
    /// For a handful of spans, at each epoch and each notification: counted, since sorting
    /// allocates.
    package var median: TimeSpan? {
        let middle = count / 2
        return first { candidate in
            count(where: { $0 < candidate }) <= middle && middle < count(where: { $0 <= candidate })
        }
    }
}
