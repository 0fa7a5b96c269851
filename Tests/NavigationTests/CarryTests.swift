import Clock
import Glibc
import Testing

@testable import Navigation

/// Where pushes between fixes say that the rig is.
@Suite("Carrying forward")
struct CarryTests {
    typealias Script = ReceiverScript

    /// A rig that moves as `motion` says, which gives north and east in metres and their speeds in
    /// metres a second at a time.
    struct Rig: Sendable {
        var start = Place(latitudeDegrees: 48, longitudeDegrees: 11)
        var motion: @Sendable (Double) -> (place: GroundVector, velocity: GroundVector)
        var height: @Sendable (Double) -> (metres: Double, climb: Double) = { _ in (500, 0) }

        func place(_ time: Double) -> Place {
            start.moved(by: motion(time).place, carrying: .zero).0
        }

        func report(_ time: Double) -> PositionReport {
            let place = place(time)
            let velocity = motion(time).velocity
            return Script.report(
                time, latitude: place.latitudeDegrees, longitude: place.longitudeDegrees,
                height: height(time).metres, speed: velocity.length,
                course: velocity.length > 0 ? velocity.courseDegrees : .nan,
                climb: height(time).climb)
        }

        /// Fixes at `hertz` until `end`, each `latency` late; the latency is known to the source.
        func script(hertz: Double, until end: Double, latency: Double = 0.15) -> Script {
            var script = Script()
            _ = script.source.setSystemClock(
                Script.epoch, synchronised: true, at: Script.instant(0))
            for tick in 0...Int((end * hertz).rounded()) {
                let time = Double(tick) / hertz
                script.say(report(time), at: time + latency)
            }
            return script
        }

        /// The distance in metres between the pushed place at `time` and the true one.
        func error(_ script: Script, at time: Double, _ carrying: Carrying = .extrapolate) -> Double
        {
            guard let position = script.position(at: time, carrying) else { return .infinity }
            return position.fix.place.displacement(to: place(time)).length
        }
    }

    static let straight = Rig { time in
        (
            GroundVector(length: 30 * time, courseDegrees: 60),
            GroundVector(length: 30, courseDegrees: 60)
        )
    }

    static func circle(radius: Double, speed: Double) -> Rig {
        Rig { time in
            let angle = speed / radius * time
            return (
                GroundVector(north: radius * sin(angle), east: radius * (1 - cos(angle))),
                GroundVector(length: speed, course: angle)
            )
        }
    }

    @Test("A straight way is carried exactly, latency included", arguments: [0.0, 0.05, 0.15, 0.3])
    func straightWay(latency: Double) {
        let script = Self.straight.script(hertz: 1, until: 5, latency: latency)
        for later in stride(from: latency, through: 2.5 - latency, by: 0.1) {
            #expect(Self.straight.error(script, at: 5 + later) < 0.05)
        }
        let held = Self.straight.error(script, at: 5.5 + latency, .hold)
        #expect(abs(held - 30 * (0.5 + latency)) < 0.1)
    }

    @Test("A steady bend is carried within half a metre, and far better than straight on")
    func bend() {
        let rig = Self.circle(radius: 60, speed: 15)
        let script = rig.script(hertz: 1, until: 30)
        for later in stride(from: 0.15, through: 1.15, by: 0.1) {
            #expect(rig.error(script, at: 30 + later) < 0.75)
        }
        #expect(rig.error(script, at: 31.1) < rig.error(script, at: 31.1, .constantVelocity) / 2)
    }

    @Test("Braking is carried to a stop and not backwards")
    func braking() {
        let rig = Rig { time in
            let speed = max(0, 20 - 5 * time)
            let way = time < 4 ? 20 * time - 2.5 * time * time : 40
            return (GroundVector(north: way, east: 0), GroundVector(north: speed, east: 0))
        }
        let script = rig.script(hertz: 1, until: 3)
        #expect(rig.error(script, at: 4.1) < 2)
        let position = script.position(at: 5.5)
        #expect(position.map { ($0.fix.speedMetresPerSecond ?? -1) >= 0 } ?? false)
        #expect(
            position.map { $0.fix.place.latitudeDegrees <= rig.place(5.5).latitudeDegrees + 5e-5 }
                ?? false)
    }

    @Test(
        "Place, velocity, height, climb and time of a push belong together",
        arguments: [1.0, 5, 10])
    func consistent(hertz: Double) throws {
        var rig = Self.circle(radius: 80, speed: 20)
        rig.height = { (500 + 4 * $0 + $0 * $0 / 10, 4 + $0 / 5) }
        let script = rig.script(hertz: hertz, until: 20)
        for later in [0.16, 0.4, 0.7, 0.9] {
            let before = try #require(script.position(at: 20 + later - 0.01))
            let middle = try #require(script.position(at: 20 + later))
            let after = try #require(script.position(at: 20 + later + 0.01))
            let way = before.fix.place.displacement(to: after.fix.place) * 50
            let velocity = try #require(middle.fix.velocity)
            #expect((way - GroundVector(north: velocity.north, east: velocity.east)).length < 0.05)
            let rise =
                try #require(after.fix.heightMetres) - (try #require(before.fix.heightMetres))
            #expect(abs(rise * 50 - (try #require(middle.fix.climbMetresPerSecond))) < 0.01)
            let time = try #require(middle.fix.time)
            #expect(abs((time - Script.epoch).seconds - 20 - later) < 1e-6)
            #expect(middle.instant == Script.instant(20 + later))
        }
    }

    @Test("Held positions keep the fix's place, height and time")
    func hold() throws {
        let script = Self.straight.script(hertz: 1, until: 5)
        let position = try #require(script.position(at: 5.9, .hold))
        #expect(position.fix.place == Self.straight.place(5))
        #expect(position.fix.time == Script.epoch + .seconds(5))
        #expect(position.fix.heightMetres == 500)
        #expect(abs(position.age.seconds - 0.9) < 1e-6)
    }

    @Test("At rest the place stands and the velocity is zero", arguments: [0.0, 0.05, 0.09])
    func rest(noise: Double) throws {
        var script = Script()
        for second in 0..<5 {
            script.say(
                Script.report(Double(second), speed: noise, course: Double(second) * 70),
                at: Double(second))
        }
        let position = try #require(script.position(at: 4.9))
        #expect(position.fix.place == Place(latitudeDegrees: 48, longitudeDegrees: 11))
        let velocity = try #require(position.fix.velocity)
        #expect(velocity.north == 0 && velocity.east == 0)
        #expect(velocity.north.sign == .plus && velocity.east.sign == .plus)
        #expect(position.fix.courseDegrees == nil)
    }

    @Test("A stop without a course is believed where the place agrees")
    func stopWithoutCourse() throws {
        var script = Script()
        for second in 0..<4 {
            let place = 48 + min(Double(second), 2) * 0.0001
            let moving = second < 3
            script.say(
                Script.report(
                    Double(second), latitude: place, speed: moving ? 11 : 0,
                    course: moving ? 0 : .nan), at: Double(second))
        }
        script.say(Script.report(4, latitude: 48.0002, speed: 0), at: 4)
        let position = try #require(script.position(at: 4.9))
        #expect(position.fix.latitudeDegrees == 48.0002)
        #expect(position.fix.speedMetresPerSecond == 0)
    }

    @Test("Without a course the last velocity stays for as long as a fix is fresh")
    func keptVelocity() throws {
        var script = Script()
        for tick in 0..<40 {
            let time = Double(tick) / 10
            let report = Script.report(
                time, latitude: 48 + time * 0.0001, speed: 11, course: tick < 20 ? 0 : .nan)
            script.say(report, at: time)
        }
        #expect(script.losses.isEmpty)
        let position = try #require(script.position(at: 3.95))
        #expect(abs((position.fix.speedMetresPerSecond ?? 0) - 11.1) < 0.3)
        var later = script
        for tick in 40..<50 {
            let time = Double(tick) / 10
            later.say(Script.report(time, latitude: 48 + time * 0.0001, speed: 11), at: time)
        }
        let derived = try #require(later.position(at: 4.95))
        #expect(abs((derived.fix.speedMetresPerSecond ?? 0) - 11.1) < 0.3)
        #expect(abs(derived.fix.latitudeDegrees - 48 - 4.95 * 0.0001) < 1e-6)
    }

    @Test("A jump is the old place or the new, nothing between", arguments: [0.02, 1.0, 90])
    func jump(degrees: Double) throws {
        var script = Self.straight.script(hertz: 10, until: 5, latency: 0.02)
        let before = try #require(script.position(at: 5.1)).fix.place
        let place = before.latitudeDegrees - degrees
        var report = Script.report(5.1, latitude: place, height: 946, speed: 30, course: 60)
        report.longitudeDegrees = before.longitudeDegrees
        script.say(report, at: 5.12)
        let after = try #require(script.position(at: 5.15))
        #expect(abs(after.fix.latitudeDegrees - place) < 2e-5)
        #expect(abs((after.fix.heightMetres ?? 0) - 946) < 1)
        #expect(abs((after.fix.speedMetresPerSecond ?? 0) - 30) < 1)
    }

    @Test(
        "Over the date line and near the poles, up to 600 m/s",
        arguments: [(0.0, 179.99), (89.99, 10), (-89.99, -170), (70, -179.999)])
    func farPlaces(latitude: Double, longitude: Double) throws {
        var rig = Rig { time in
            (GroundVector(north: 0, east: 0), GroundVector(length: 600, courseDegrees: 80))
        }
        rig.start = Place(latitudeDegrees: latitude, longitudeDegrees: longitude)
        var script = Script()
        for second in 0..<3 {
            let way = GroundVector(length: 600 * Double(second), courseDegrees: 80)
            let (place, velocity) = rig.start.moved(
                by: way, carrying: GroundVector(length: 600, courseDegrees: 80))
            script.say(
                Script.report(
                    Double(second), latitude: place.latitudeDegrees,
                    longitude: place.longitudeDegrees, speed: 600,
                    course: velocity.courseDegrees), at: Double(second))
        }
        let position = try #require(script.position(at: 3))
        let (place, _) = rig.start.moved(
            by: GroundVector(length: 1800, courseDegrees: 80), carrying: .zero)
        // A kilometre from a pole the course changes by half a radian a second, although the rig
        // drives straight on.
        let allowed = abs(latitude) > 89 ? 100.0 : 5
        #expect(position.fix.place.displacement(to: place).length < allowed)
        #expect(abs(position.fix.longitudeDegrees) <= 180)
        #expect(abs((position.fix.speedMetresPerSecond ?? 0) - 600) < 1)
    }

    @Test("Nothing that comes makes a carried value that is not finite", arguments: 1...20)
    func finite(seed: Int) {
        var random = LinearGenerator(state: UInt64(seed))
        func draw(_ values: [Double]) -> Double { values.randomElement(using: &random) ?? 0 }
        var script = Script()
        var now = 0.0
        for _ in 0..<300 {
            now += draw([0.01, 0.1, 1, 3])
            script.say(
                Script.report(
                    now + draw([0, 0, 0, -1, 100]), mode: Int(draw([1, 2, 3, 3, 3])),
                    latitude: draw([48, 48.001, 90, -90, 1e-9, .nan]),
                    longitude: draw([180, -180, 11, 11.001, .infinity]),
                    height: draw([0, 500, 1e5, -100, .nan]), speed: draw([0, 1, 30, 600, .nan]),
                    course: draw([0, 359.999, 180, .nan]), climb: draw([0, 99, -99, 1e9, .nan])),
                at: now)
            for later in [0, 0.5, 2.4] {
                guard let fix = script.position(at: now + later)?.fix else { continue }
                let numbers: [Double] = [
                    fix.latitudeDegrees, fix.longitudeDegrees, fix.heightMetres ?? 0,
                    fix.speedMetresPerSecond ?? 0, fix.courseDegrees ?? 0,
                    fix.climbMetresPerSecond ?? 0,
                ]
                #expect(numbers.allSatisfy { $0.isFinite }, "seed \(seed) at \(now): \(fix)")
                #expect(abs(fix.latitudeDegrees) <= 90 && abs(fix.longitudeDegrees) <= 180)
                #expect(abs(fix.climbMetresPerSecond ?? 0) <= 101)
            }
        }
    }
}
