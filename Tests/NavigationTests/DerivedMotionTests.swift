import Clock
import Glibc
import Testing

@testable import Navigation

/// Receivers that state no velocity, and heights that jump (decisions 42 and 43).
@Suite("Derived motion")
struct DerivedMotionTests {
    typealias Script = ReceiverScript

    /// The errors of pushes on a circle in metres, without a stated velocity.
    static func errors(
        radius: Double, speed: Double, hertz: Double, noise: Double = 0
    ) -> [Double] {
        var script = Script()
        var random = LinearGenerator(state: 7)
        let rig = CarryTests.circle(radius: radius, speed: speed)
        var errors: [Double] = []
        for tick in 0...Int(60 * hertz) {
            let time = Double(tick) / hertz
            var report = rig.report(time)
            report.speedMetresPerSecond = .nan
            report.courseDegrees = .nan
            report.latitudeDegrees += Double.random(in: -noise...noise, using: &random) / 111_200
            report.longitudeDegrees += Double.random(in: -noise...noise, using: &random) / 74_400
            script.say(report, at: time)
            guard time > 5 else { continue }
            for share in stride(from: 0.0, to: 1, by: 0.1) {
                errors.append(rig.error(script, at: time + share / hertz))
            }
        }
        return errors.sorted()
    }

    @Test(
        "A circle at 15 m/s without stated velocity: 95 % within 2 m", arguments: [60.0, 100, 200])
    func circle(radius: Double) {
        let errors = Self.errors(radius: radius, speed: 15, hertz: 1)
        let p95 = errors[errors.count * 95 / 100]
        #expect(p95 < 2, "\(p95)")
    }

    @Test("Noise at rest is carried nowhere far", arguments: [1.0, 10])
    func rest(hertz: Double) {
        let errors = Self.errors(radius: 100, speed: 1e-6, hertz: hertz, noise: 1)
        #expect(errors[errors.count * 95 / 100] < 3)
    }

    static func height(_ says: [(height: Double, climb: Double)], accuracy: Double) -> Script {
        var script = Script()
        for (second, said) in says.enumerated() {
            var report = Script.report(Double(second), height: said.height, climb: said.climb)
            report.verticalAccuracyMetres = accuracy
            script.say(report, at: Double(second))
        }
        return script
    }

    @Test(
        "A height that jumps is not carried on against the stated climb",
        arguments: [
            (2.0, 20.5, 82.0), (2, 20.5, .nan), (7.2, 26, 82), (16.1, 35.6, 82), (0, -35, 5),
        ])
    func jump(climb: Double, size: Double, accuracy: Double) throws {
        var says = (0..<10).map { (height: 190 + climb * Double($0), climb: climb) }
        let jumped = says[9].height + climb + size
        says.append((jumped, climb))
        let script = Self.height(says, accuracy: accuracy)
        for later in [0.1, 0.5, 1.0, 1.5] {
            let fix = try #require(script.position(at: 10 + later)?.fix)
            let height = try #require(fix.heightMetres)
            #expect(abs(height - jumped - climb * later) <= 1, "\(height)")
            #expect(abs((fix.climbMetresPerSecond ?? 99) - climb) < 1)
        }
    }

    @Test(
        "Noisy heights are never carried by more than a metre from the stated climb",
        arguments: 1...20)
    func noisy(seed: Int) throws {
        var random = LinearGenerator(state: UInt64(seed))
        var script = Script()
        for second in 0..<120 {
            let climb = Double.random(in: -2...2, using: &random)
            let height = 500 + Double.random(in: -15...15, using: &random)
            var report = Script.report(Double(second), height: height, climb: climb)
            report.verticalAccuracyMetres = 20
            script.say(report, at: Double(second))
            let fix = try #require(script.position(at: Double(second) + 0.9)?.fix)
            #expect(abs((try #require(fix.heightMetres)) - height - climb * 0.9) <= 1.0001)
        }
    }

    @Test("Heights that climb steadily beyond their accuracy win", arguments: [5.0, -8])
    func steady(slope: Double) throws {
        let script = Self.height((0..<12).map { (500 + slope * Double($0), 0) }, accuracy: 3)
        let height = try #require(script.position(at: 12)?.fix.heightMetres)
        #expect(abs(height - 500 - slope * 12) < 0.5)
    }

    @Test(
        "Heights without a climb that only wander are held, a difference of them too",
        arguments: [true, false])
    func wandering(isDifferenceStated: Bool) throws {
        var random = LinearGenerator(state: 3)
        var script = Script()
        var (drift, last) = (0.0, 500.0)
        var (held, carried) = (0.0, 0.0)
        for second in 0..<300 {
            drift = drift * 0.9 + Double.random(in: -2...2, using: &random)
            let height = 500 + drift
            let climb = isDifferenceStated && second > 0 ? height - last : .nan
            script.say(
                Script.report(Double(second), height: height, climb: climb), at: Double(second))
            let pushed = try #require(script.position(at: Double(second) + 0.9)?.fix.heightMetres)
            held += (height - 500) * (height - 500)
            carried += (pushed - 500) * (pushed - 500)
            last = height
        }
        #expect(carried < held * 1.1, "\(carried) of \(held)")
    }
}
