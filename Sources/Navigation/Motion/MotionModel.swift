/// How the rig moves on from its last fix: fitted when a fix comes, evaluated at each push.
struct MotionModel: Equatable, Sendable {
    /// Metres a second at the fix; nil while unknown.
    var velocity: GroundVector?
    /// Radians a second, clockwise positive.
    var turnRate = 0.0
    /// Metres a second squared, along the course.
    var acceleration = 0.0
    /// Metres a second, up positive.
    var climb = 0.0

    static let still = MotionModel(velocity: nil)

    /// Where the rig is `seconds` after the fix, metres from it, and how fast.
    func at(seconds: Double) -> (way: GroundVector, velocity: GroundVector?) {
        guard let velocity else { return (.zero, nil) }
        let speed = velocity.length
        // Brakes stop a rig; they do not send it back.
        let braking = acceleration < 0 ? min(seconds, speed / -acceleration) : seconds
        let distance = speed * braking + acceleration * braking * braking / 2
        guard speed > 0 else { return (.zero, .zero) }
        // The chord of an arc lies half the turn off the course at its start.
        let turn = turnRate * seconds
        let half = turn / 2
        let chord = half.magnitude < 1e-6 ? 1 : Trigonometry.sine(half) / half
        let way = velocity.turned(by: half) * (distance * chord / speed)
        let ahead = velocity.turned(by: turn) * ((speed + acceleration * braking) / speed)
        return (way, ahead)
    }
}
