import Clock
import Navigation
import Testing

/// What counts as a trip, a place, and a way (contract 7.9).
@Suite struct VehicleWatchTests {
    /// A vehicle at one epoch a second, and what it told.
    struct Drive {
        var watch: VehicleWatch
        var now = Instant.zero + .seconds(1000)
        var events: [(at: Double, event: VehicleEvent)] = []
        var latitude = 48.0
        var hasSpeed = true

        init(circles: [PlaceCircle] = [], startAfter: Int = 5, stopAfter: Int = 60) {
            watch = VehicleWatch(
                rules: VehicleRules(
                    startAbove: 15 / 3.6, startAfter: .seconds(startAfter), stopBelow: 5 / 3.6,
                    stopAfter: .seconds(stopAfter), circles: circles))
        }

        /// Drives north at a speed, km/h, for so many seconds.
        mutating func drive(_ speed: Double, for seconds: Int, hertz: Int = 1, drift: Double = 0) {
            for index in 0..<seconds * hertz {
                now += .milliseconds(1000 / hertz)
                latitude += speed / 3.6 / Double(hertz) / 111_200
                let swing = drift / 111_200 * (index % 2 == 0 ? 1 : -1)
                var fix = Fix(
                    mode: .threeD, time: nil, arrival: now, latitudeDegrees: latitude + swing,
                    longitudeDegrees: 11)
                if hasSpeed { fix.speedMetresPerSecond = speed / 3.6 }
                for event in watch.see(fix) { events.append((now.seconds - 1000, event)) }
            }
        }

        mutating func lose(for seconds: Int) {
            watch.lose()
            now += .seconds(seconds)
        }

        var told: [VehicleEvent] { events.map(\.event).filter { $0 != .motion } }
    }

    @Test("a start takes its wait, counted from the first fast epoch") func startTakesItsWait() {
        var drive = Drive()
        drive.drive(0, for: 10)
        drive.drive(15.1, for: 5)
        #expect(drive.told.isEmpty)
        drive.drive(15.1, for: 1)
        #expect(drive.events.map(\.at) == [12, 16])
        #expect(drive.events.map(\.event) == [.motion, .started])
    }

    @Test("the threshold itself is neither above nor below") func thresholdItself() {
        var drive = Drive()
        drive.drive(15, for: 60)
        #expect(drive.events.isEmpty)
        drive.drive(20, for: 10)
        drive.drive(5, for: 300)
        #expect(drive.told == [.started])
    }

    @Test("one slow epoch begins the wait anew, and so does a lost fix") func waitsBeginAnew() {
        var drive = Drive()
        drive.drive(30, for: 4)
        drive.drive(10, for: 1)
        drive.drive(30, for: 5)
        #expect(drive.told.isEmpty)
        drive.lose(for: 1)
        drive.drive(30, for: 5)
        #expect(drive.told.isEmpty)
        drive.drive(30, for: 1)
        #expect(drive.told == [.started])
        drive.drive(0, for: 60)
        drive.lose(for: 600)
        drive.drive(0, for: 60)
        #expect(drive.told == [.started])
        drive.drive(0, for: 1)
        #expect(drive.told == [.started, .stopped])
    }

    @Test("a red light is no stop") func redLightIsNoStop() {
        var drive = Drive()
        for _ in 0..<20 {
            drive.drive(50, for: 40)
            drive.drive(0, for: 59)
        }
        #expect(drive.told == [.started])
    }

    @Test("settling at rest after the start of the daemon is no stop") func settlingIsNoStop() {
        var drive = Drive()
        drive.drive(1, for: 3600)
        #expect(drive.events.isEmpty)
        #expect(drive.watch.restingSince == .zero + .seconds(1061))
    }

    @Test("a ferry is a trip: speed alone decides") func ferryIsTrip() {
        var drive = Drive()
        drive.drive(28, for: 3600)
        drive.drive(0, for: 120)
        #expect(drive.told == [.started, .stopped])
    }

    @Test("drift at rest starts nothing and adds nothing to the way", arguments: [true, false])
    func driftAtRest(hasSpeed: Bool) {
        var drive = Drive()
        drive.hasSpeed = hasSpeed
        drive.drive(1, for: 1800, drift: 0)
        drive.drive(0, for: 1800, drift: 1.5)
        #expect(drive.events.isEmpty)
        #expect(drive.watch.wayMetres == 0)
    }

    @Test("a speed without a course counts, and none at all is made from places")
    func speedFromPlaces() {
        var drive = Drive()
        drive.hasSpeed = false
        drive.drive(50, for: 30, hertz: 5)
        drive.drive(0, for: 90, hertz: 5)
        #expect(drive.told == [.started, .stopped])
    }

    @Test("a jump of the position is no trip") func jumpIsNoTrip() {
        var drive = Drive()
        drive.hasSpeed = false
        drive.drive(0, for: 60)
        drive.latitude += 0.02
        drive.drive(0, for: 60)
        #expect(drive.events.isEmpty)
    }

    @Test("one wild speed does nothing, even where no wait is asked for") func wildSpeed() {
        var drive = Drive(startAfter: 0, stopAfter: 0)
        drive.drive(0, for: 10)
        drive.drive(200, for: 1)
        drive.drive(0, for: 10)
        #expect(drive.events.isEmpty)
        drive.drive(20, for: 2)
        drive.drive(0, for: 1)
        drive.drive(20, for: 2)
        #expect(drive.told == [.started])
        drive.drive(0, for: 2)
        #expect(drive.told == [.started, .stopped])
    }

    @Test("the way is speed over time, whatever the places do", arguments: [1, 10])
    func wayIsSpeedOverTime(hertz: Int) {
        var drive = Drive()
        drive.drive(36, for: 101, hertz: hertz, drift: 3)
        let first = 1 / Double(hertz)
        #expect((drive.watch.wayMetres - 10 * (101 - first)).magnitude < 1e-6)
    }

    @Test("a place is entered at its radius and left 20 m beyond, after two epochs that agree")
    func placeIsEnteredAndLeft() {
        let middle = Place(latitudeDegrees: 48.01, longitudeDegrees: 11)
        var drive = Drive(circles: [PlaceCircle(name: "home", middle: middle, radiusMetres: 100)])
        // 1,112 m to its middle at 10 m/s: the first epoch within 100 m is the 102nd.
        drive.drive(36, for: 102)
        #expect(drive.watch.place == nil)
        drive.drive(36, for: 1)
        #expect(drive.watch.place == "home")
        // Left where the middle is more than 120 m behind: the 124th, and one more.
        drive.drive(36, for: 21)
        #expect(drive.watch.place == "home")
        drive.drive(36, for: 1)
        #expect(drive.watch.place == nil)
        #expect(drive.told == [.started, .place("home"), .place(nil)])
    }

    @Test("a single epoch elsewhere, or a lost fix between two, changes no place")
    func singleEpochElsewhere() {
        let middle = Place(latitudeDegrees: 48, longitudeDegrees: 11)
        var drive = Drive(circles: [PlaceCircle(name: "yard", middle: middle, radiusMetres: 50)])
        drive.drive(0, for: 2)
        #expect(drive.watch.place == "yard")
        for _ in 0..<5 {
            drive.latitude = 48.01
            drive.drive(0, for: 1)
            drive.latitude = 48
            drive.drive(0, for: 1)
        }
        drive.latitude = 48.01
        drive.drive(0, for: 1)
        drive.lose(for: 10)
        drive.drive(0, for: 1)
        #expect(drive.watch.place == "yard")
        drive.drive(0, for: 1)
        #expect(drive.watch.place == nil)
    }

    @Test("of places that overlap the first counts, and the one that was entered until it is left")
    func overlappingPlaces() {
        let middle = Place(latitudeDegrees: 48, longitudeDegrees: 11)
        let north = Place(latitudeDegrees: 48.001, longitudeDegrees: 11)
        var drive = Drive(circles: [
            PlaceCircle(name: "first", middle: north, radiusMetres: 100),
            PlaceCircle(name: "second", middle: middle, radiusMetres: 100),
        ])
        drive.drive(0, for: 2)
        #expect(drive.watch.place == "second")
        drive.latitude = 48.0008
        drive.drive(0, for: 2)
        #expect(drive.watch.place == "second")
        drive.latitude = 48.0012
        drive.drive(0, for: 2)
        #expect(drive.watch.place == "first")
    }
}
