import Glibc
import Navigation

@testable import Simulation

/// Makes tracks of 20 samples a second by simple laws of motion.
enum GeneratedTrack {
    /// Turn rate in radians a second and acceleration in m/s², at a second of the track.
    typealias Law = @Sendable (Double) -> (turn: Double, acceleration: Double, climb: Double)

    static let laws: [(name: String, law: Law, start: Double)] = [
        ("motorway", { _ in (0, 0, 0) }, 35),
        ("city", { t in (0.25 * sin(t / 4), 1.5 * sin(t / 6), 0) }, 10),
        ("race", { t in (0.35 * sin(t / 3), 6 * sin(t / 5), sin(t / 7)) }, 40),
        ("drone", { t in (0.4 * sin(t / 2), 2 * sin(t / 3), 3 * sin(t / 4)) }, 8),
        ("walk", { t in (0.2 * sin(t), 0.1 * sin(t / 2), 0) }, 1.3),
        ("fall", { t in (0.1, 0, -50 + 10 * sin(t / 3)) }, 20),
    ]

    /// The limits of each kind of rig: metres a second, and metres a second squared.
    static let kinds: [(name: String, fastest: Double, brakes: Double, grip: Double)] = [
        ("bike", 9, 2, 3), ("car", 35, 4, 5), ("kart", 22, 7, 12), ("drone", 15, 4, 5),
        ("boat", 8, 0.5, 1),
    ]

    /// A drive of legs, each with a target speed and a bend, drawn by `seed`.
    static func drive(_ kind: Int, seed: UInt64) -> (law: Law, start: Double) {
        let (_, fastest, brakes, grip) = kinds[kind]
        var random = Noise(state: seed &* 77 &+ UInt64(kind))
        var legs: [(begin: Double, turn: Double, acceleration: Double, climb: Double)] = []
        var (time, speed) = (0.0, fastest / 2)
        let start = speed
        while time < 240 {
            let seconds = 1.5 + 5 * random.uniform()
            // One leg in six ends at rest, and some are straight.
            let aim = random.uniform() < 0.17 ? 0 : fastest * (0.2 + 0.8 * random.uniform())
            let acceleration = min(max((aim - speed) / seconds, -brakes), brakes)
            let least = max(2, min(speed, speed + acceleration * seconds))
            let bend = random.uniform() < 0.4 ? 0 : grip * (2 * random.uniform() - 1)
            let turn = min(max(bend / least, -1), 1)
            legs.append((time, turn, acceleration, kind == 3 ? 3 * random.normal() : 0))
            time += seconds
            speed = max(0, speed + acceleration * seconds)
        }
        let drawn = legs
        return (
            { time in
                let leg = drawn.last { $0.begin <= time } ?? drawn[0]
                return (leg.turn, leg.acceleration, leg.climb)
            }, start
        )
    }

    /// - Parameter noise: error of the stated velocity, metres a second, one sigma.
    static func make(_ law: Law, start: Double, seconds: Int, noise: Double = 0, seed: UInt64 = 1)
        -> RecordedTrack
    {
        var random = Noise(state: seed)
        var samples: [RecordedTrack.Sample] = []
        var place = Place(latitudeDegrees: 47, longitudeDegrees: 8)
        var (speed, course, height) = (start, 0.5, 3000.0)
        let step = 0.05
        for tick in 0..<seconds * 20 {
            let time = Double(tick) * step
            let (turn, acceleration, climb) = law(time)
            let velocity = GroundVector(
                north: speed * cos(course) + noise * random.normal(),
                east: speed * sin(course) + noise * random.normal())
            var sample = RecordedTrack.Sample(seconds: time, place: place)
            sample.heightMetres = height
            sample.speedMetresPerSecond = velocity.length
            sample.courseDegrees = (atan2(velocity.east, velocity.north) * 180 / .pi + 360)
                .truncatingRemainder(dividingBy: 360)
            sample.climbMetresPerSecond = climb
            samples.append(sample)
            let middle = course + turn * step / 2
            let way = (speed + acceleration * step / 2) * step
            place =
                place.moved(
                    by: GroundVector(north: way * cos(middle), east: way * sin(middle)),
                    carrying: .zero
                ).0
            course += turn * step
            speed = max(0, speed + acceleration * step)
            height += climb * step
        }
        return RecordedTrack(samples: samples)
    }

    private struct Noise {
        var state: UInt64

        mutating func uniform() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }

        /// A nearly normal deviate: a sum of twelve uniform ones.
        mutating func normal() -> Double {
            (0..<12).reduce(-6) { sum, _ in sum + uniform() }
        }
    }
}
