/// The slopes that matches allow, for frames and pushes whose phase moves so slowly that least
/// squares cannot tell. Such a line is never above the first frame that shows a push, nor below the
/// frame before it, by more than the jitter of arrivals.
struct DriftInterval: Equatable, Sendable {
    /// The camera's seconds for one of UTC, less 1.
    let range: ClosedRange<Double>

    /// How much one push may be later than another, microseconds: three standard deviations of 5
    /// ms.
    static let jitter = 15_000.0

    private static let bound = 400e-6
    private static let steps = 60

    /// nil where no slope is allowed.
    init?(_ points: [MatchedPush], around slope: Double) {
        guard let origin = points.first else { return nil }
        /// How much room a line of this slope has between the frames; the function has one maximum.
        func room(_ slope: Double) -> Double {
            var lowest = Double.infinity
            var highest = -Double.infinity
            for point in points {
                let way = (point.sent - origin.sent) * (1 + slope)
                lowest = min(lowest, point.first - origin.first - way)
                highest = max(highest, point.before - origin.first - way)
            }
            return lowest - highest
        }
        var (low, high) = (slope - Self.bound, slope + Self.bound)
        for _ in 0..<Self.steps {
            let third = (high - low) / 3
            if room(low + third) < room(high - third) { low += third } else { high -= third }
        }
        let best = (low + high) / 2
        let needed = min(room(best), 0) - Self.jitter
        /// The slope on one side of the maximum at which the room falls below what is needed.
        func edge(_ far: Double) -> Double {
            var (inside, outside) = (best, far)
            for _ in 0..<40 {
                let middle = (inside + outside) / 2
                if room(middle) >= needed { inside = middle } else { outside = middle }
            }
            return inside
        }
        range = edge(best - Self.bound)...edge(best + Self.bound)
    }

    /// Whether the phase between ten pushes a second and the frames moves by less than one frame
    /// over a stretch.
    ///
    /// - Parameters:
    ///   - frame: interval of frames, microseconds.
    ///   - span: of the stretch, microseconds.
    static func isNeeded(frame: Double, span: Double) -> Bool {
        guard frame > 0 else { return false }
        let ratio = 100_000 / frame
        return (1...4).contains { count in
            let beats = ratio * Double(count)
            let perPush = abs(beats - beats.rounded()) / Double(count)
            return perPush * span / 100_000 < 1
        }
    }
}
