import Clock
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// Contract 7.9 and 7.10: places, sleep and waking, photos.
@Suite struct AutoPlaceTests {
    /// A place of five kilometres around the bench, that lies north of it until somebody goes there.
    static func place(_ inside: AutoPlace.Inside) -> AutoPlace {
        let middle = Place(latitudeDegrees: 48.5, longitudeDegrees: 11.55)
        return AutoPlace(
            circle: PlaceCircle(name: "there", middle: middle, radiusMetres: 20_000), inside: inside
        )
    }

    static func bench(
        _ inside: AutoPlace.Inside, cameras: Int = 1,
        _ change: (inout AutoSettings) -> Void = { _ in }
    ) -> RigBench {
        RigBench.auto(cameras) {
            $0.places = [place(inside)]
            change(&$0)
        }
    }

    @Test("a place that says stop is the one stop while moving; left again, speed counts")
    func placeStops() {
        let bench = Self.bench(.stop)
        bench.drive(50, for: 30)
        bench.latitude = 48.5
        bench.drive(50, for: 10)
        #expect(bench.recording == [false])
        #expect(bench.rig.status(at: bench.now).auto.place == "there")
        bench.drive(50, for: 300)
        #expect(bench.recording == [false])
        bench.latitude = 48.1
        bench.drive(50, for: 10)
        #expect(bench.recording == [true])
        #expect(bench.told(.auto).suffix(2) == ["- place=there", "- place=-"])
    }

    @Test("a place that says record records at rest, and stops where it is left at rest")
    func placeRecords() {
        let bench = Self.bench(.record)
        bench.latitude = 48.5
        bench.drive(0, for: 600)
        #expect(bench.recording == [true])
        bench.latitude = 48.1
        bench.drive(0, for: 60)
        #expect(bench.recording == [false])
    }

    @Test("left while moving, the trip goes on") func placeRecordsLeftMoving() {
        let bench = Self.bench(.record)
        bench.latitude = 48.5
        bench.drive(50, for: 60)
        bench.drive(0, for: 60)
        bench.drive(50, for: 60)
        bench.latitude = 48.1
        bench.drive(50, for: 60)
        #expect(bench.orders() == ["start 1"])
        bench.drive(0, for: 60)
        #expect(bench.orders() == ["start 1", "stop 1"])
    }

    @Test("a place that says nothing leaves everything as it is") func placeOfNothing() {
        let bench = Self.bench(.nothing) { $0.sleepAfter = .seconds(60) }
        bench.latitude = 48.5
        bench.drive(0, for: 300)
        bench.drive(50, for: 60)
        #expect(bench.orders().isEmpty)
        #expect(bench.states == [.ready])
        bench.command(.record(.start))
        bench.drive(0, for: 120)
        #expect(bench.recording == [true])
    }

    @Test("a command by hand wins in a place too") func handWinsInPlace() {
        let bench = Self.bench(.stop)
        bench.drive(50, for: 30)
        bench.command(.record(.start))
        bench.latitude = 48.5
        bench.drive(50, for: 60)
        #expect(bench.recording == [true])
    }

    @Test("inside = sleep stops, then sleeps at rest") func placeSleeps() {
        let bench = Self.bench(.sleep)
        bench.drive(50, for: 30)
        bench.latitude = 48.5
        bench.drive(50, for: 20)
        #expect(bench.recording == [false])
        #expect(bench.states == [.ready])
        bench.drive(0, for: 60)
        #expect(bench.states == [.asleep])
        #expect(bench.told(.camera).last?.hasSuffix("cause=auto") == true)
    }

    // MARK: Sleep and waking

    @Test("at rest and not recording cameras sleep, and motion wakes them")
    func sleepAndWake() {
        let bench = RigBench.auto(2) {
            $0.sleepAfter = .seconds(120)
            $0.wakeOn = .motion
        }
        bench.drive(50, for: 30)
        bench.drive(0, for: 40)
        #expect(bench.recording == [false, false])
        bench.drive(0, for: 110)
        #expect(bench.states == [.ready, .ready])
        bench.drive(0, for: 30)
        #expect(bench.states == [.asleep, .asleep])
        bench.drive(50, for: 60)
        #expect(bench.recording == [true, true])
        let ready = bench.told(.camera).filter { $0.contains("state=ready") }
        #expect(ready.suffix(2).allSatisfy { $0.hasSuffix("cause=auto") })
    }

    @Test("a camera that was sent to sleep by hand is not woken before the start")
    func sleepByHandHolds() {
        let bench = RigBench.auto(1) {
            $0.wakeOn = .motion
            $0.recordAfter = .seconds(60)
        }
        bench.command(.sleep)
        bench.drive(50, for: 50)
        #expect(bench.states == [.asleep])
        bench.drive(50, for: 60)
        #expect(bench.recording == [true])
    }

    @Test("a camera that was woken by hand is not sent back to sleep") func wakeByHandHolds() {
        let bench = RigBench.auto(1) { $0.sleepAfter = .seconds(60) }
        bench.drive(0, for: 120)
        #expect(bench.states == [.asleep])
        bench.command(.wake, for: .seconds(20))
        bench.drive(0, for: 600)
        #expect(bench.states == [.ready])
    }

    @Test("off: motion wakes nobody") func nobodyIsWoken() {
        let bench = RigBench.auto(1) { $0.sleepAfter = .seconds(60) }
        bench.drive(0, for: 120)
        bench.drive(50, for: 60)
        #expect(bench.states == [.asleep])
    }

    // MARK: Photos

    private static func photographs(_ interval: AutoSettings.PhotoInterval) -> RigBench {
        let bench = RigBench.auto(1) {
            $0.recordAbove = 10
            $0.photoEvery = interval
        }
        bench.command(.mode(name: "photo"))
        return bench
    }

    private static func shots(_ bench: RigBench) -> Int {
        bench.told(.photo).filter { $0 == "cam1 state=sent cause=auto" }.count
    }

    @Test("every N m along the way, and none for drift at rest") func photosByDistance() {
        let bench = Self.photographs(.metres(50))
        bench.drive(1, for: 600)
        #expect(Self.shots(bench) == 0)
        // 1,000 m: at 50, 100, … 1000, as far as the change of speed lets one say.
        bench.drive(36, for: 100)
        #expect((19...20).contains(Self.shots(bench)))
        #expect(bench.violations == 0)
    }

    @Test("never faster than the camera confirms") func neverTooFast() {
        let bench = Self.photographs(.metres(1))
        bench.drive(108, for: 60)
        let sent = bench.notices.filter { $0.kind == .photo && $0.fields[0].value == "sent" }
        let done = bench.notices.filter { $0.kind == .photo && $0.fields[0].value != "sent" }
        #expect(sent.count > 10)
        for (next, before) in zip(sent.dropFirst(), done) {
            #expect(next.instant >= before.instant)
        }
        #expect(sent.count - done.count <= 1)
    }

    @Test("every N s while the vehicle moves, and not in a tunnel") func photosByTime() {
        let bench = Self.photographs(.seconds(10))
        bench.drive(0, for: 120)
        #expect(Self.shots(bench) == 0)
        bench.drive(50, for: 106)
        let moving = Self.shots(bench)
        #expect((10...11).contains(moving))
        bench.latitude = nil
        bench.drive(50, for: 60)
        #expect(Self.shots(bench) <= moving + 1)
    }
}
