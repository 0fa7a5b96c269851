import Clock

/// A speed made from places, for receivers that state none: over ten seconds, so that a drift of
/// three metres at rest makes no more than 2 km/h of it.
struct DerivedSpeed: Sendable {
    /// Over so long a time a speed is measured.
    static let base = TimeSpan.seconds(10)
    /// Between two places that are kept.
    static let step = TimeSpan.seconds(1)
    /// Metres a second: a place that is further than that from the one before is a jump.
    static let jump = 150.0

    /// At most as many as `base` has steps, and one.
    private var points: [(instant: Instant, place: Place)] = []

    /// Metres a second; nil before there are places enough.
    mutating func speed(of fix: Fix) -> Double? {
        let now = fix.arrival
        if let newest = points.last {
            let span = now - newest.instant
            if span < Self.step { return speed }
            let way = newest.place.displacement(to: fix.place).length
            if way > Self.jump * span.seconds { points = [] }
        }
        points.append((now, fix.place))
        while points.count > 1, now - points[0].instant > Self.base { points.removeFirst() }
        return speed
    }

    private var speed: Double? {
        guard let oldest = points.first, let newest = points.last,
            newest.instant - oldest.instant >= Self.base * 0.8
        else { return nil }
        return oldest.place.displacement(to: newest.place).length
            / (newest.instant - oldest.instant).seconds
    }
}
