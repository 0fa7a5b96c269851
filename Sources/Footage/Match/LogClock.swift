/// The relation of a log's monotonic clock to UTC.
///
/// A machine's clock drifts by tens of parts in a million, and more in the sun. So the relation is
/// made anew for each clip, from the part of the log that the clip needs.
struct LogClock: Equatable, Sendable {
    /// The span that is averaged into one point, microseconds.
    static let bucket: Int64 = 10_000_000
    /// Buckets of a log: 46 days.
    static let maxBuckets = 400_000
    /// How far around a span the log is used, microseconds.
    static let margin: Int64 = 60_000_000

    private struct Bucket: Equatable, Sendable {
        var start: Int64
        var count: Int64 = 0
        /// Sums of differences from `start`, and of UTC less the monotonic clock from `ahead`.
        var monotonic: Int64 = 0
        var ahead: Int64 = 0
    }

    private var buckets: [Bucket] = []
    /// UTC less the monotonic clock of the first row.
    private var firstAhead: Int64?

    mutating func take(monotonic: Int64, utc: Int64) {
        let ahead = firstAhead ?? utc &- monotonic
        firstAhead = ahead
        let start = monotonic &- monotonic % Self.bucket
        if buckets.last?.start != start {
            guard buckets.count < Self.maxBuckets else { return }
            buckets.append(Bucket(start: start))
        }
        let last = buckets.count - 1
        buckets[last].count += 1
        buckets[last].monotonic &+= monotonic &- start
        buckets[last].ahead &+= utc &- monotonic &- ahead
    }

    /// A line through the log's points around `range` of its clock; nil where there is none.
    func line(around range: ClosedRange<Int64>) -> LogLine? {
        guard let firstAhead else { return nil }
        var near = buckets.filter {
            $0.start >= range.lowerBound &- Self.margin &- Self.bucket
                && $0.start <= range.upperBound &+ Self.margin
        }
        if near.isEmpty, let nearest = nearest(to: range.lowerBound) { near = [nearest] }
        guard let first = near.first else { return nil }
        var sum = 0.0
        var sumX = 0.0
        var sumY = 0.0
        var sumXX = 0.0
        var sumXY = 0.0
        for bucket in near {
            let weight = Double(bucket.count)
            let x = Double(bucket.start &- first.start) + Double(bucket.monotonic) / weight
            let y = Double(bucket.ahead) / weight
            sum += weight
            sumX += weight * x
            sumY += weight * y
            sumXX += weight * x * x
            sumXY += weight * x * y
        }
        let spread = sumXX - sumX * sumX / sum
        // A minute or less shows no slope.
        let isLong = near.count > 6
        let slope = isLong && spread > 0 ? (sumXY - sumX * sumY / sum) / spread : 0
        return LogLine(
            start: first.start, ahead: firstAhead, offset: (sumY - slope * sumX) / sum,
            slope: max(-LogLine.maxSlope, min(LogLine.maxSlope, slope)))
    }

    private func nearest(to monotonic: Int64) -> Bucket? {
        buckets.min {
            abs(Double($0.start) - Double(monotonic)) < abs(Double($1.start) - Double(monotonic))
        }
    }
}

/// UTC as a linear function of a log's monotonic clock.
struct LogLine: Equatable, Sendable {
    /// No machine's clock drifts more.
    static let maxSlope = 500e-6

    let start: Int64
    let ahead: Int64
    let offset: Double
    let slope: Double

    /// Microseconds since 1970.
    func utc(_ monotonic: Int64) -> Double {
        Double(monotonic &+ ahead) + offset + slope * Double(monotonic &- start)
    }
}
