import Glibc

/// The trigonometry that navigation needs, in radians: the one place of the core that leaves the
/// standard library.
enum Trigonometry {
    static let pi = Double.pi

    static func radians(degrees: Double) -> Double { degrees * (pi / 180) }

    static func degrees(radians: Double) -> Double { radians * (180 / pi) }

    static func sine(_ angle: Double) -> Double { sin(angle) }

    static func cosine(_ angle: Double) -> Double { cos(angle) }

    /// The angle of the point (`x`, `y`), -π to π; 0 at the origin.
    static func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }

    static func exponential(_ power: Double) -> Double { exp(power) }

    /// `angle` less whole turns, -π to π.
    static func wrapped(_ angle: Double) -> Double { remainder(angle, 2 * pi) }
}
