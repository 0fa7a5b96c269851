/// How the rig moves over the ground after a fix. It is made when the fix comes, and evaluated at
/// each push.
///
/// Turn rate and acceleration fade with time, since bends end and nobody brakes for ever. The
/// velocity that a receiver states may be older than its place; then the motion began before the
/// fix.
struct GroundMotion: Equatable, Sendable {
    /// Seconds in which turn rate and acceleration fade to a third.
    static let fading = 2.5
    /// Metres a second squared: a stronger acceleration does not last.
    private static let strongest = 20.0

    /// Metres a second, `lag` before the fix.
    var speed: Double
    /// Radians from north, clockwise, `lag` before the fix.
    var course: Double
    /// Radians a second, clockwise positive.
    var turnRate = 0.0
    /// Metres a second squared, along the course.
    var acceleration = 0.0
    /// By how many seconds the stated velocity is older than the place.
    var lag = 0.0

    static let rest = GroundMotion(speed: 0, course: 0)

    /// A motion straight on with a constant velocity.
    init(_ velocity: GroundVector) {
        speed = velocity.length
        course = velocity.course
    }

    init(speed: Double, course: Double) {
        self.speed = speed
        self.course = course
    }

    /// Metres from the fix, `seconds` after it.
    func way(seconds: Double) -> GroundVector {
        guard turnRate != 0 || acceleration != 0 else { return velocity(at: 0) * seconds }
        var way = GroundVector.zero
        for (node, weight) in GroundMotion.quadrature {
            way = way + velocity(at: lag + node * seconds) * (weight * seconds)
        }
        return way
    }

    /// Metres a second, `seconds` after the fix.
    func velocity(seconds: Double) -> GroundVector { velocity(at: lag + seconds) }

    /// After `time` seconds of this motion.
    private func velocity(at time: Double) -> GroundVector {
        if turnRate == 0, acceleration == 0 {
            return GroundVector(length: speed, course: course)
        }
        let faded = GroundMotion.faded(time)
        let (turned, gained) = (turnRate * faded, acceleration * faded)
        // Brakes stop a rig; they do not make it drive backwards.
        return GroundVector(length: max(0, speed + gained), course: course + turned)
    }

    /// The part of an acceleration that may last, metres a second squared.
    static func lasting(_ acceleration: Double) -> Double {
        min(max(acceleration, -strongest), strongest)
    }

    /// The integral over `time` of a rate that begins at 1 and fades.
    static func faded(_ time: Double) -> Double {
        fading * (1 - Trigonometry.exponential(-time / fading))
    }

    /// Gauss-Legendre, six points on 0...1: exact to a millimetre for a turn of a radian a second.
    private static let quadrature: [(node: Double, weight: Double)] = [
        (0.033_765_242_898_423_98, 0.085_662_246_189_585_17),
        (0.169_395_306_766_867_7, 0.180_380_786_524_069_3),
        (0.380_690_406_958_401_5, 0.233_956_967_286_345_5),
        (0.619_309_593_041_598_5, 0.233_956_967_286_345_5),
        (0.830_604_693_233_132_3, 0.180_380_786_524_069_3),
        (0.966_234_757_101_576_0, 0.085_662_246_189_585_17),
    ]
}
