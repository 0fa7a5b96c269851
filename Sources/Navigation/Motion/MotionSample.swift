import Clock

/// What one fix says of motion.
struct MotionSample: Equatable, Sendable {
    /// The fix's time where it has one, else its arrival; seconds on that scale.
    var time: UnixTime?
    var arrival: Instant
    var place: Place
    /// Metres; nil unless 3-D.
    var heightMetres: Double?
    /// Metres a second over ground, with a course beside it; nil otherwise.
    var velocity: GroundVector?
    /// Metres a second, up positive, bounded.
    var climb: Double?
    /// Metres.
    var accuracy: Double?

    /// From `earlier` to this one, seconds.
    func seconds(since earlier: MotionSample) -> Double {
        if let time, let before = earlier.time { return (time - before).seconds }
        return (arrival - earlier.arrival).seconds
    }
}

extension MotionSample {
    /// - Parameter resting: the receiver stands although it names no course.
    init(_ fix: Fix, resting: Bool) {
        time = fix.time
        arrival = fix.arrival
        place = fix.place
        heightMetres = fix.heightMetres
        climb = fix.climbMetresPerSecond
        accuracy = fix.horizontalAccuracyMetres
        if let speed = fix.speedMetresPerSecond, let course = fix.courseDegrees {
            velocity = GroundVector(length: speed, courseDegrees: course)
        } else {
            velocity = resting ? .zero : nil
        }
    }
}
