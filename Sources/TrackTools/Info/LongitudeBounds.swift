/// Finds the narrowest range of longitudes that holds all the given ones, in a fixed amount of
/// memory.
struct LongitudeBounds {
    private static let cells = 360
    private static let circle: Int64 = 36_000_000_000
    private static let cell = circle / Int64(cells)

    /// For each degree of the circle the range of the longitudes in it, 1e-8 degrees.
    private var ranges = [ClosedRange<Int64>?](repeating: nil, count: cells)

    /// - Parameter longitude: 1e-8 degrees, -180 to 180 degrees.
    mutating func add(_ longitude: Int64) {
        // 180 and -180 degrees are the same longitude.
        let place = longitude == Self.circle / 2 ? -longitude : longitude
        let index = min(max(0, Int((place + Self.circle / 2) / Self.cell)), Self.cells - 1)
        guard let range = ranges[index] else {
            ranges[index] = place...place
            return
        }
        if !range.contains(place) {
            ranges[index] = min(range.lowerBound, place)...max(range.upperBound, place)
        }
    }

    /// The western and the eastern end of the range, 1e-8 degrees; nil without any longitude. West
    /// is the greater number where the range crosses 180 degrees.
    var ends: (west: Int64, east: Int64)? {
        let used = ranges.compactMap { $0 }
        guard let first = used.first, let last = used.last else { return nil }
        // The widest gap between longitudes is what the range leaves out.
        var widest = first.lowerBound + Self.circle - last.upperBound
        var ends = (west: first.lowerBound, east: last.upperBound)
        for (left, right) in zip(used, used.dropFirst())
        where right.lowerBound - left.upperBound > widest {
            widest = right.lowerBound - left.upperBound
            ends = (right.lowerBound, left.upperBound)
        }
        return ends
    }
}
