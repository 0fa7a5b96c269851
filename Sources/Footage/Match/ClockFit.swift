package import Clock

/// A push found in a clip: when it was sent, and between which two frames it came.
struct MatchedPush: Equatable, Sendable {
    /// Microseconds since 1970.
    var sent: Double
    /// The camera's clock at the last frame without it and at the first one with it.
    var before: Double
    var first: Double

    var middle: Double { (before + first) / 2 }
}

/// The line of a camera's clock over UTC: first least squares through the middles between frames,
/// then lowered below all matches, since no frame shows a push before it came.
package struct ClockFit: Equatable, Sendable {
    /// UTC of an instant on the line, microseconds.
    package private(set) var utc: Double
    /// The camera's clock at that instant, microseconds.
    package private(set) var clock: Double
    /// The camera's seconds for one of UTC, less 1.
    package private(set) var drift: Double
    /// Standard error of `drift`.
    package private(set) var driftError: Double
    /// Positions that the line was laid through.
    package private(set) var matches: Int
    /// From the first match to the last, microseconds.
    package private(set) var span: Double
    /// Standard deviation of matches from the line through their middles, microseconds.
    package private(set) var scatter: Double
    /// Half the width of the band in which the line could lie, given the frames, microseconds.
    package private(set) var room: Double
    /// The middle of all matches, by the camera's clock.
    private var middle: Double
    /// How far the line lies below the one through the middles, microseconds.
    private var lowered: Double

    /// Over a shorter span a slope is mostly noise, microseconds.
    package static let believableSpan = 120e6
    /// No camera's clock drifts more.
    package static let maxDrift = 200e-6
    /// The usual drift of cameras' clocks, which the slope of a short span is weighed against.
    private static let usualDrift = 40e-6
    /// The least variance that is assumed for arrivals, square microseconds: that of 2 ms.
    private static let leastJitter = 4e6

    /// - Parameter points: two at least, not all at one instant.
    init?(_ points: [MatchedPush]) {
        guard let origin = points.first, points.count > 1 else { return nil }
        var meanX = 0.0
        var meanY = 0.0
        for point in points {
            meanX += point.sent - origin.sent
            meanY += point.middle - origin.middle
        }
        meanX /= Double(points.count)
        meanY /= Double(points.count)
        var spread = 0.0
        var product = 0.0
        var (earliest, latest) = (Double.infinity, -Double.infinity)
        for point in points {
            let x = point.sent - origin.sent - meanX
            spread += x * x
            product += x * (point.middle - origin.middle - meanY - x)
            earliest = min(earliest, x)
            latest = max(latest, x)
        }
        guard spread > 0 else { return nil }
        var slope = product / spread
        var squares = 0.0
        for point in points {
            let x = point.sent - origin.sent - meanX
            let rest = point.middle - origin.middle - meanY - x * (1 + slope)
            squares += rest * rest
        }
        matches = points.count
        span = latest - earliest
        scatter = (squares / Double(max(1, points.count - 2))).squareRoot()
        driftError = scatter / spread.squareRoot()
        if span < Self.believableSpan {
            // Moves the slope towards 0, the more the noisier it is.
            let usual = Self.usualDrift * Self.usualDrift
            slope *= usual / (usual + driftError * driftError)
            driftError =
                (usual * driftError * driftError / (usual + driftError * driftError)).squareRoot()
        }
        drift = slope
        utc = origin.sent + meanX
        clock = origin.middle + meanY
        middle = clock
        lowered = 0
        room = 0
        lower(below: points)
    }

    /// Lowers the line until no frame shows a push before it was sent.
    private mutating func lower(below points: [MatchedPush]) {
        var lowest = Double.infinity
        var highest = -Double.infinity
        for point in points {
            let way = (point.sent - utc) * (1 + drift)
            lowest = min(lowest, point.first - way)
            highest = max(highest, point.before - way)
        }
        lowered = clock - lowest
        clock = lowest
        room = max(0, lowest - highest) / 2
    }

    /// The clock in the middle between frames for a push that was sent at `sent`: on the line
    /// before it was lowered.
    func middleClock(at sent: Double) -> Double {
        clock + lowered + (sent - utc) * (1 + drift)
    }

    /// UTC at this value of the camera's clock, microseconds since 1970.
    package func utc(ofClock other: Double) -> Double { utc + (other - clock) / (1 + drift) }

    /// UTC of that instant, rounded to the nanosecond.
    package func time(ofClock other: Int64) -> UnixTime {
        UnixTime(nanoseconds: Int64((utc(ofClock: Double(other)) * 1000).rounded()))
    }

    /// How far off an instant may be, seconds: how far the line can lie below its true place, and
    /// the error of its slope far from the matches. The time over the air is not part of it, since
    /// it is the same for all pushes.
    ///
    /// - Parameter frame: interval of frames, microseconds.
    package func uncertainty(atClock other: Int64, frame: Double) -> Double {
        let distance = max(span / 2, abs(Double(other) - middle))
        let jitter = max(Self.leastJitter, scatter * scatter - frame * frame / 12).squareRoot()
        // The push that had to wait least still waited for its frame, by at most one interval.
        let wait =
            DriftInterval.isNeeded(frame: frame, span: span)
            ? frame + scatter / 2 : min(frame, frame / 4 + jitter * 2)
        return (1000 + wait + 3 * driftError * distance) / 1e6
    }
}
