import Clock
import OsmoProtocol
import RadioPort
import Testing

@testable import Fleet

/// When adapters scan for cameras while links are open.
@Suite struct DiscoveryTests {
    typealias Bench = QueueBench
    static let adapterA = Bench.adapterA
    static let adapterB = Bench.adapterB

    /// Two cameras, the first one connected, the second one absent for two minutes.
    private static func calm(pinned: BluetoothAddress? = nil) -> Bench {
        var bench = Bench.ready(cameras: Bench.cameras(2), pinned: pinned)
        bench.open(Bench.camera(1))
        bench.pass(.seconds(120))
        return bench
    }

    /// Four cameras, one connected by each of two adapters, and two minutes passed.
    private static func calmPair() -> Bench {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(4))
        bench.open(Bench.camera(1), on: adapterA)
        bench.open(Bench.camera(2), on: adapterB)
        bench.pass(.seconds(120))
        return bench
    }

    /// When scans began and ended, in seconds since `start`: (began, ended).
    private static func looks(
        _ bench: Bench, _ adapter: BluetoothAddress, since start: Instant
    ) -> [(Double, Double)] {
        var looks: [(Double, Double)] = []
        for (at, request) in bench.log where at >= start {
            let seconds = (at - start).seconds
            if request == .startDiscovery(adapter: adapter) { looks.append((seconds, .infinity)) }
            if request == .stopDiscovery(adapter: adapter), !looks.isEmpty {
                looks[looks.count - 1].1 = seconds
            }
        }
        return looks
    }

    /// The longest time between `from` and `to` in which none of these adapters scanned.
    private static func maxPause(
        _ bench: Bench, _ adapters: [BluetoothAddress], from: Instant, to: Instant
    ) -> Double {
        var pause = 0.0
        var longest = 0.0
        let all = adapters.flatMap { looks(bench, $0, since: from) }
        // A scan that began before `from` may still be running.
        var instant = all.map(\.0).min() ?? 0
        while instant < (to - from).seconds {
            let isLooking = all.contains { $0.0 <= instant && instant < $0.1 }
            pause = isLooking ? 0 : pause + 0.05
            longest = max(longest, pause)
            instant += 0.05
        }
        return longest
    }

    @Test("nobody expected: 4 s in 20") func nobodySought4S20() {
        var bench = Self.calm()
        let start = bench.now
        bench.pass(.seconds(200))
        let looks = Self.looks(bench, Self.adapterA, since: start)
        #expect((9...11).contains(looks.count))
        #expect(looks.dropLast().allSatisfy { abs($0.1 - $0.0 - 4) < 0.001 })
        #expect(zip(looks, looks.dropFirst()).allSatisfy { abs($1.0 - $0.0 - 20) < 0.001 })
    }

    @Test("a camera that was lost is expected for 60 s: 2 s in 4, then as before")
    func cameraLostSought60S() {
        var bench = Self.calm()
        bench.queue.expect(Bench.camera(2), at: bench.now)
        bench.step()
        let start = bench.now
        bench.pass(.seconds(60))
        let looks = Self.looks(bench, Self.adapterA, since: start)
        #expect((14...15).contains(looks.count), "\(looks)")
        #expect(looks.dropFirst().dropLast().allSatisfy { abs($0.1 - $0.0 - 2) < 0.001 })
        #expect(
            Self.maxPause(bench, [Self.adapterA], from: start, to: bench.now) <= 2.1)
        let later = bench.now
        bench.pass(.seconds(100))
        #expect((4...6).contains(Self.looks(bench, Self.adapterA, since: later).count))
    }

    @Test("while pairing it goes on for as long as the window") func whilePairingGoesLongWindow() {
        var bench = Self.calm()
        bench.queue.pairing = true
        bench.step()
        let start = bench.now
        bench.pass(.seconds(200))
        #expect(
            Self.maxPause(bench, [Self.adapterA], from: start, to: bench.now) <= 2.1)
    }

    @Test("two adapters take turns: while a camera is expected one of them always looks")
    func twoAdaptersTakeTurnsWhile() {
        var bench = Self.calmPair()
        bench.queue.expect(Bench.camera(3), at: bench.now)
        bench.step()
        bench.pass(.seconds(4))
        let start = bench.now
        bench.pass(.seconds(50))
        let both = [Self.adapterA, Self.adapterB]
        #expect(Self.maxPause(bench, both, from: start, to: bench.now) <= 0.1)
        for adapter in both {
            let share = Self.looks(bench, adapter, since: start)
                .reduce(0) { $0 + min($1.1, 50) - $1.0 }
            #expect((24...27).contains(share), "\(share)")
        }
    }

    @Test("two adapters take turns: while nobody is expected a pause is half as long")
    func twoAdaptersTakeTurnsWhileNobody() {
        var bench = Self.calmPair()
        let start = bench.now
        bench.pass(.seconds(200))
        let both = [Self.adapterA, Self.adapterB]
        #expect(Self.maxPause(bench, both, from: start, to: bench.now) <= 6.1)
        for adapter in both {
            #expect((9...11).contains(Self.looks(bench, adapter, since: start).count))
        }
    }

    @Test("only the adapter that a camera is pinned to seeks it")
    func onlyAdapterCameraPinnedSeeks() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(2))
        _ = bench.queue.admit(
            Bench.camera(3), pinned: Self.adapterB, trusted: true, at: bench.now)
        bench.open(Bench.camera(1), on: Self.adapterA)
        bench.open(Bench.camera(2), on: Self.adapterB)
        bench.pass(.seconds(120))
        bench.queue.expect(Bench.camera(3), at: bench.now)
        bench.step()
        let start = bench.now
        bench.pass(.seconds(60))
        #expect((14...15).contains(Self.looks(bench, Self.adapterB, since: start).count))
        #expect((2...4).contains(Self.looks(bench, Self.adapterA, since: start).count))
    }

    @Test("an adapter without links looks all the time, and the other goes on as it does")
    func adapterWithoutLinksLooksAll() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(2))
        bench.open(Bench.camera(1), on: Self.adapterA)
        bench.pass(.seconds(120))
        let start = bench.now
        bench.pass(.seconds(50))
        #expect(bench.queue.discovery.isScanning(Self.adapterB))
        #expect(Self.looks(bench, Self.adapterB, since: start).count <= 1)
        #expect((2...3).contains(Self.looks(bench, Self.adapterA, since: start).count))
    }

    @Test("a failure brings one look out of turn, after a rest of 4 s")
    func failureBringsOneLookOut() {
        var bench = Self.calm()
        while !bench.queue.discovery.isScanning(Self.adapterA) { bench.pass(.milliseconds(100)) }
        bench.pass(.seconds(4))
        let start = bench.now
        bench.queue.recordFailure(Bench.camera(2), "x", at: bench.now)
        bench.step()
        bench.pass(.seconds(30))
        let began = Self.looks(bench, Self.adapterA, since: start).map(\.0)
        // The next scan begins after what was left of the 4 s of rest, the one after it 20 s later.
        #expect(began.count == 2)
        #expect((3.8...4.0).contains(began[0]))
        #expect(abs(began[1] - began[0] - 20) < 0.001)
    }

    @Test("D16: where BlueZ denies that it scans, looking starts anew after 8 s")
    func d16WhereBlueZDeniesScans() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.pass(.seconds(5))
        bench.handle(
            .adapter(
                AdapterState(
                    address: Self.adapterA, name: "hci0", powered: true, discovering: false)))
        let start = bench.now
        bench.pass(.seconds(8) - TimeSpan(nanoseconds: 1))
        #expect(Self.looks(bench, Self.adapterA, since: start).isEmpty)
        bench.pass(TimeSpan(nanoseconds: 1))
        #expect(Self.looks(bench, Self.adapterA, since: start).map(\.0) == [8])
        // Reported once, it counts once.
        bench.pass(.seconds(59))
        #expect(Self.looks(bench, Self.adapterA, since: start).count == 1)
    }

    @Test(
        "D16: a word that is taken back, or a camera that is heard, counts for more",
        arguments: [true, false])
    func d16WordTakenBackOr(isHeard: Bool) {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.pass(.seconds(5))
        let state = AdapterState(
            address: Self.adapterA, name: "hci0", powered: true, discovering: false)
        bench.handle(.adapter(state))
        let start = bench.now
        bench.pass(.seconds(1))
        if isHeard {
            bench.queue.heardStranger(
                Sighting(link: .test(9), advertisement: .supported(.action4), rssi: -60),
                at: bench.now)
            bench.step()
        } else {
            var other = state
            other.discovering = true
            bench.handle(.adapter(other))
        }
        bench.pass(.seconds(30))
        #expect(Self.looks(bench, Self.adapterA, since: start).isEmpty)
    }
}
