/// How a rig's velocity changed between two fixes, metres a second squared.
struct VelocityChange: Equatable, Sendable {
    var along: Double
    /// Clockwise positive; 0 where one of the fixes was too slow to have a course.
    var across: Double
    /// Seconds.
    var span: Double

    init(along: Double, across: Double, span: Double) {
        self.along = along
        self.across = across
        self.span = span
    }

    /// - Parameters:
    ///   - span: seconds, more than 0.
    ///   - slow: metres a second up to which a velocity has no course.
    init(from first: GroundVector, to second: GroundVector, in span: Double, slow: Double) {
        let (before, after) = (first.length, second.length)
        self.span = span
        along = (after - before) / span
        let turn = Trigonometry.wrapped(second.course - first.course)
        across = before > slow && after > slow ? turn / span * (before + after) / 2 : 0
    }
}
