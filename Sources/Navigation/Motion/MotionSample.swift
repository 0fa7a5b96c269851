import Clock

/// The part of a fix that says how the rig moves.
struct MotionSample: Equatable, Sendable {
    /// The fix's time; nil where it has none, or has the time of another epoch.
    var time: UnixTime?
    var arrival: Instant
    var place: Place
    /// Metres; nil unless 3-D.
    var heightMetres: Double?
    /// Metres a second over ground, with a course beside it; nil otherwise.
    var velocity: GroundVector?
    /// Whether the velocity was computed from places, because the receiver states none.
    var isDerived = false
    /// Metres a second, up positive, within the bounds of belief.
    var climb: Double?
    /// Accuracy of the height, metres.
    var heightAccuracy: Double?

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
        heightAccuracy = fix.verticalAccuracyMetres
        if let speed = fix.speedMetresPerSecond, let course = fix.courseDegrees {
            velocity = GroundVector(length: speed, courseDegrees: course)
        } else {
            velocity = resting ? .zero : nil
        }
    }
}
