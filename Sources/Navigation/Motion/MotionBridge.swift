/// The motion between two fixes of which both are known: a file has that, a push never does.
///
/// A cubic curve (Hermite) leaves the first fix with its velocity and comes to the second one with
/// the velocity of that. Where velocities are unknown, or do not fit the way between the two, it is
/// a straight line (decision 90).
package struct MotionBridge: Sendable {
    /// A stated velocity may be off the mean one by this share of it, and by this many metres.
    private static let credible = (share: 0.5, metres: 1.0)

    private let start: Place
    private let seconds: Double
    private let way: GroundVector
    /// Velocities times `seconds`: the curve's tangents.
    private let tangents: (start: GroundVector, end: GroundVector)

    /// - Parameters:
    ///   - velocity: metres a second there; nil where it is unknown.
    ///   - endVelocity: likewise at `end`.
    ///   - seconds: from one fix to the other, more than 0.
    package init(
        from start: Place, velocity: GroundVector?, to end: Place, endVelocity: GroundVector?,
        seconds: Double
    ) {
        self.start = start
        self.seconds = seconds
        let way = start.displacement(to: end)
        self.way = way
        let allowed = Self.credible.share * way.length + Self.credible.metres
        if let velocity, let endVelocity, (velocity * seconds - way).length <= allowed,
            (endVelocity * seconds - way).length <= allowed
        {
            tangents = (velocity * seconds, endVelocity * seconds)
        } else {
            tangents = (way, way)
        }
    }

    /// Where the rig was `elapsed` seconds after the first fix: 0 to the whole way's.
    package func place(after elapsed: Double) -> Place {
        let share = min(max(0, elapsed / seconds), 1)
        let rest = 1 - share
        let path =
            tangents.start * (share * rest * rest) + way * (share * share * (3 - 2 * share))
            + tangents.end * (share * share * -rest)
        return start.moved(by: path, carrying: .zero).0
    }
}
