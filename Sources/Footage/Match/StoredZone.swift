/// Finds time zones, to the quarter of an hour, of times that are known to the second.
enum StoredZone {
    /// How far a difference may be from a quarter of an hour and still be a zone, seconds.
    static let tolerance = 3.0
    private static let quarter = 900.0

    /// The zone in which a camera stored its seconds; nil where they are in none.
    static func minutes(_ flips: [SecondFlip], _ fit: ClockFit) -> Int? {
        let ahead = flips.map { Double($0.seconds) - fit.utc(ofClock: Double($0.first)) / 1e6 }
        return minutes(of: ahead.sorted())
    }

    static func minutes(_ ahead: [Int32]) -> Int? { minutes(of: ahead.map { Double($0) }.sorted()) }

    private static func minutes(of sorted: [Double]) -> Int? {
        guard !sorted.isEmpty else { return nil }
        let middle = sorted[sorted.count / 2]
        let quarters = (middle / quarter).rounded()
        guard abs(middle - quarters * quarter) <= tolerance, abs(quarters) <= 60 else { return nil }
        return Int(quarters) * 15
    }
}
