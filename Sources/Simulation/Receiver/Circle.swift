/// Sine and cosine of an angle in radians, to 1e-13, by arithmetic alone: the simulated truth must
/// not share code with the navigation that is judged by it.
enum Circle {
    static func sine(_ angle: Double) -> Double { point(angle).sine }

    static func cosine(_ angle: Double) -> Double { point(angle).cosine }

    private static func point(_ angle: Double) -> (sine: Double, cosine: Double) {
        // A power series for an eighth of the angle, then the angle is doubled three times.
        let part = angle.remainder(dividingBy: 2 * .pi) / 8
        let square = part * part
        var sine = 1.0
        var cosine = 1.0
        for power in stride(from: 14.0, through: 2, by: -2) {
            sine = 1 - square / (power * (power + 1)) * sine
            cosine = 1 - square / (power * (power - 1)) * cosine
        }
        sine *= part
        for _ in 0..<3 { (sine, cosine) = (2 * sine * cosine, cosine * cosine - sine * sine) }
        return (sine, cosine)
    }
}
