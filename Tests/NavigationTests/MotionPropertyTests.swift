import Clock
import Glibc
import Testing

@testable import Navigation

/// Rules that carried positions keep, wherever and however a rig moves.
@Suite("Carrying forward, over seeds")
struct MotionPropertyTests {
    typealias Script = ReceiverScript

    /// The random numbers of one seed.
    struct Draw {
        var random: LinearGenerator

        init(_ seed: Int) { random = LinearGenerator(state: UInt64(seed)) }

        mutating func number(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &random)
        }

        mutating func one<T>(_ values: [T]) -> T {
            values[Int.random(in: values.indices.lowerBound...values.count - 1, using: &random)]
        }
    }

    @Test(
        "Straight ways from anywhere, any direction, up to 600 m/s, latency included",
        arguments: 1...60)
    func straight(seed: Int) throws {
        var draw = Draw(seed)
        let isPolar = seed % 6 == 0
        let start = Place(
            latitudeDegrees: isPolar
                ? draw.one([-1, 1]) * draw.number(89...90) : draw.number(-88...88),
            longitudeDegrees: draw.one([draw.number(-180...180), 180, -180, 179.9999, 0]))
        let velocity = GroundVector(
            length: draw.one([draw.number(3...60), draw.number(60...600)]),
            courseDegrees: draw.number(0...360))
        let (hertz, latency) = (draw.one([1.0, 2, 5, 10, 25]), draw.number(0...0.3))
        func truth(_ time: Double) -> (Place, GroundVector) {
            start.moved(by: velocity * time, carrying: velocity)
        }
        var script = Script()
        _ = script.source.setSystemClock(Script.epoch, synchronised: true, at: Script.instant(0))
        for tick in 0...Int(6 * hertz) {
            let time = Double(tick) / hertz
            let (place, moving) = truth(time)
            script.say(
                Script.report(
                    time, latitude: place.latitudeDegrees, longitude: place.longitudeDegrees,
                    speed: moving.length, course: moving.courseDegrees), at: time + latency)
        }
        for age in stride(from: latency, through: 1, by: 0.1) {
            let fix = try #require(script.position(at: 6 + age)?.fix)
            // A kilometre from a pole the course changes by half a radian a second, although the
            // rig drives straight on.
            let allowed = isPolar ? 5 + 0.6 * velocity.length : 0.5 + 0.01 * velocity.length
            #expect(fix.place.displacement(to: truth(6 + age).0).length < allowed)
            #expect(abs(fix.longitudeDegrees) <= 180 && abs(fix.latitudeDegrees) <= 90)
            #expect(abs((fix.speedMetresPerSecond ?? 0) - velocity.length) < 1)
        }
    }

    @Test("Up and down alone: the place stands and the height is carried", arguments: 1...40)
    func vertical(seed: Int) throws {
        var draw = Draw(seed)
        let (size, pace) = (draw.number(0.5...15), draw.number(0.1...0.5))
        let (steady, quiver) = (draw.number(-8...8), draw.one([0, 0.05, 0.09]))
        let hertz = draw.one([1.0, 2, 5, 10])
        func height(_ time: Double) -> Double {
            900 + steady * time - size / pace * cos(pace * time)
        }
        func climb(_ time: Double) -> Double { steady + size * sin(pace * time) }
        var script = Script()
        var (held, carried) = (0.0, 0.0)
        for tick in 0...Int(40 * hertz) {
            let time = Double(tick) / hertz
            script.say(
                Script.report(
                    time, height: height(time), speed: quiver,
                    course: quiver > 0 ? draw.number(0...359) : .nan, climb: climb(time)), at: time)
            guard time > 3 else { continue }
            let later = time + min(1, 1 / hertz) * draw.number(0...1)
            let fix = try #require(script.position(at: later)?.fix)
            #expect(fix.place == Place(latitudeDegrees: 48, longitudeDegrees: 11))
            #expect(fix.courseDegrees == nil)
            let error = (try #require(fix.heightMetres)) - height(later)
            let allowed = 0.3 + size * pace * (later - time) * (later - time)
            #expect(abs(error) < allowed, "seed \(seed), \(later)")
            carried += error * error
            held += (height(time) - height(later)) * (height(time) - height(later))
        }
        #expect(carried < held / 4)
    }

    @Test("Place, velocity, height, climb and time are of one instant", arguments: 1...30)
    func consistent(seed: Int) throws {
        var draw = Draw(seed)
        var rig = CarryTests.circle(
            radius: draw.number(30...400) * draw.one([1, -1]), speed: draw.number(3...30))
        let (steady, growing) = (draw.number(-9...9), draw.number(-0.4...0.4))
        rig.height = { (500 + steady * $0 + growing * $0 * $0 / 2, steady + growing * $0) }
        let (hertz, latency) = (draw.one([1.0, 4, 8, 10, 20]), draw.number(0...0.3))
        let script = rig.script(hertz: hertz, until: 12, latency: latency)
        for _ in 0..<10 {
            let time = 12 + latency + draw.number(0.01...0.6)
            let before = try #require(script.position(at: time - 0.01)?.fix)
            let middle = try #require(script.position(at: time)?.fix)
            let after = try #require(script.position(at: time + 0.01)?.fix)
            let way = before.place.displacement(to: after.place) * 50
            let velocity = try #require(middle.velocity)
            #expect((way - GroundVector(north: velocity.north, east: velocity.east)).length < 0.1)
            let rise = (try #require(after.heightMetres)) - (try #require(before.heightMetres))
            #expect(abs(rise * 50 - (try #require(middle.climbMetresPerSecond))) < 0.02)
            #expect(abs((try #require(middle.time) - Script.epoch).seconds - time) < 1e-6)
        }
    }

    @Test("A new fix is believed at once, wherever it is", arguments: 1...30)
    func noBlending(seed: Int) throws {
        var draw = Draw(seed)
        var script = Script()
        var place = Place(latitudeDegrees: draw.number(-60...60), longitudeDegrees: 179.99)
        var time = 0.0
        for _ in 0..<80 {
            time += draw.one([0.1, 0.2, 1])
            let metres = draw.one([0.5, 5, 40, 500, 1e6])
            let way = GroundVector(length: metres, courseDegrees: draw.number(0...360))
            place = place.moved(by: way, carrying: .zero).0
            let speed = draw.one([0, 3, 30, .nan])
            script.say(
                Script.report(
                    time, latitude: place.latitudeDegrees, longitude: place.longitudeDegrees,
                    height: draw.number(0...3000), speed: speed,
                    course: speed > 0 ? draw.number(0...359) : .nan), at: time)
            for carrying in Carrying.allCases {
                let fix = try #require(script.position(at: time, carrying)?.fix)
                #expect(fix.place.displacement(to: place).length < 0.001, "\(carrying) at \(time)")
            }
        }
    }

    @Test("The latency is found among arrivals that are held up", arguments: 1...30)
    func latency(seed: Int) throws {
        var draw = Draw(seed)
        let (hertz, latency) = (draw.one([1.0, 5, 10]), draw.number(0.05...0.3))
        let rig = CarryTests.straight
        for isSynchronised in [true, false] {
            var script = Script()
            if isSynchronised {
                _ = script.source.setSystemClock(
                    Script.epoch, synchronised: true, at: Script.instant(0))
            }
            var last = 0.0
            for tick in 0..<60 {
                let time = Double(tick) / hertz
                // One fix in four comes without delay.
                let held = draw.one([0, draw.number(0...0.3), draw.number(0...0.05), 0.1])
                last = max(last + 1e-4, time + latency + held)
                script.say(rig.report(time), at: last)
            }
            let now = last + 0.3
            let fix = try #require(script.position(at: now)?.fix)
            // Arrivals alone show only when a fix would have come without delay: the latency stays
            // unknown.
            let instant = isSynchronised ? now : now - latency
            #expect(fix.place.displacement(to: rig.place(instant)).length < 0.2)
            #expect(abs(((try #require(fix.time)) - Script.epoch).seconds - instant) < 0.005)
        }
    }

    @Test("A stop in a drive stands still, whatever course the receiver invents", arguments: 1...20)
    func stops(seed: Int) throws {
        var draw = Draw(seed)
        let (pace, hertz) = (draw.number(3...25), draw.one([1.0, 5, 10]))
        var script = Script()
        var north = 0.0
        let start = Place(latitudeDegrees: 48, longitudeDegrees: 11)
        for tick in 0...Int(30 * hertz) {
            let time = Double(tick) / hertz
            let speed = time < 10 ? pace : max(0, pace - (time - 10) * 4)
            let isStill = speed == 0
            let place = start.moved(by: GroundVector(north: north, east: 0), carrying: .zero).0
            script.say(
                Script.report(
                    time, latitude: place.latitudeDegrees, longitude: place.longitudeDegrees,
                    speed: isStill ? draw.one([0, 0.04, 0.08]) : speed,
                    course: isStill ? draw.one([.nan, draw.number(0...359)]) : 0), at: time)
            if isStill, time > 22 {
                let later = script.position(at: time + 0.9 / hertz)?.fix
                #expect(later?.place == place, "seed \(seed) at \(time)")
                #expect(later?.velocity.map { $0.north == 0 && $0.east == 0 } ?? false)
            }
            north += speed / hertz
        }
    }
}
