import Clock
import OsmoProtocol
import RadioPort
import Testing

@testable import Fleet

/// Several adapters: how cameras are spread over them, pins, limits, and adapters that go.
@Suite struct QueueAdapterTests {
    typealias Bench = QueueBench
    static let adapterA = Bench.adapterA
    static let adapterB = Bench.adapterB

    @Test("cameras heard by both adapters are spread by load") func camerasHeardBothAdaptersSpread()
    {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(10))
        for number in 1...10 {
            bench.hear(Bench.camera(number), on: Self.adapterA)
            bench.hear(Bench.camera(number), on: Self.adapterB)
        }
        for _ in 1...10 {
            for link in bench.queue.candidates.compactMap(\.phase.link) {
                guard let phase = bench.queue[link.camera]?.phase, phase.holdsSlot else { continue }
                bench.handle(.connectEnded(link, .ok))
                bench.handle(.linkOpen(link, LinkParameters(mtu: 500, path: .descriptor)))
            }
        }
        #expect(bench.queue.linked(Self.adapterA) == 5)
        #expect(bench.queue.linked(Self.adapterB) == 5)
    }

    @Test("of equally loaded adapters the one that hears better is taken")
    func equallyLoadedAdaptersOneHears() {
        var bench = Bench.ready(adapters: 2, cameras: [])
        bench.queue.ending = true
        _ = bench.queue.admit(Bench.camera(1), pinned: nil, trusted: true, at: bench.now)
        bench.hear(Bench.camera(1), on: Self.adapterA, rssi: -70)
        bench.hear(Bench.camera(1), on: Self.adapterB, rssi: -50)
        bench.queue.ending = false
        bench.step()
        #expect(bench.log.last?.request == .connect(.test(1, on: Self.adapterB)))
    }

    @Test("of two adapters the one with fewer links is taken, though the other hears better")
    func twoAdaptersOneFewerLinks() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(4))
        for number in 1...2 { bench.open(Bench.camera(number), on: Self.adapterA) }
        bench.open(Bench.camera(3), on: Self.adapterB)
        bench.queue.ending = true
        bench.hear(Bench.camera(4), on: Self.adapterA, rssi: -40)
        bench.hear(Bench.camera(4), on: Self.adapterB, rssi: -80)
        bench.queue.ending = false
        bench.step()
        #expect(bench.log.last?.request == .connect(.test(4, on: Self.adapterB)))
    }

    @Test("a pinned camera waits for its adapter") func pinnedCameraWaitsAdapter() {
        var bench = Bench.ready(
            adapters: 1, cameras: Bench.cameras(1), pinned: Self.adapterB)
        bench.hear(Bench.camera(1), on: Self.adapterA)
        #expect(bench.attempts.isEmpty)
        bench.appear(Self.adapterB)
        bench.hear(Bench.camera(1), on: Self.adapterB)
        #expect(bench.log.last?.request == .connect(.test(1, on: Self.adapterB)))
    }

    @Test("only configured adapters are used, powered and listened with")
    func onlyConfiguredAdaptersUsedPowered() {
        var bench = Bench(adapters: [Self.adapterB])
        bench.appear(Self.adapterA, powered: false)
        _ = bench.queue.admit(Bench.camera(1), pinned: nil, trusted: true, at: bench.now)
        bench.hear(Bench.camera(1), on: Self.adapterA)
        bench.pass(.seconds(120))
        #expect(bench.log.isEmpty)
    }

    @Test("D12: cameras of a gone adapter move to the other and stay there")
    func d12CamerasGoneAdapterMove() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(2))
        bench.open(Bench.camera(1), on: Self.adapterA)
        bench.open(Bench.camera(2), on: Self.adapterB)
        bench.handle(.adapterGone(Self.adapterA))
        #expect(bench.news.contains(.closed(.test(1))))
        bench.hear(Bench.camera(1), on: Self.adapterB)
        #expect(bench.log.last?.request == .connect(.test(1, on: Self.adapterB)))
        let link = LinkID.test(1, on: Self.adapterB)
        bench.handle(.connectEnded(link, .ok))
        bench.handle(.linkOpen(link, LinkParameters(mtu: 500, path: .descriptor)))
        // The adapter comes back as another hciN: it counts as the same one, and no camera is moved
        // back to it.
        bench.handle(
            .adapter(AdapterState(address: Self.adapterA, name: "hci2", powered: true)))
        bench.pass(.seconds(60))
        #expect(bench.queue[Bench.camera(1)]?.phase == .open(link))
    }

    @Test("D13: an adapter that is off is turned on, at growing intervals")
    func d13AdapterOffTurnedGrowing() {
        var bench = Bench()
        bench.appear(Self.adapterA, powered: false)
        bench.pass(.seconds(200))
        let times = bench.log.filter { $0.request == .powerOn(adapter: Self.adapterA) }
            .map(\.at.seconds)
        #expect(times == [0, 5, 15, 35, 75, 135, 195])
    }

    @Test("D13: a blocked adapter is left to a person, but for a try a minute")
    func d13BlockedAdapterLeftPerson() {
        var bench = Bench()
        bench.appear(Self.adapterA, powered: false, blocked: true)
        bench.pass(.seconds(239))
        // BlueZ does not always report that a person has unblocked the adapter.
        #expect(bench.log.map(\.at.seconds) == [60, 120, 180])
        #expect(bench.log.allSatisfy { $0.request == .powerOn(adapter: Self.adapterA) })
        #expect(bench.news == [.adapter(Self.adapterA, .blocked)])
        bench.appear(Self.adapterA, powered: false, blocked: false)
        #expect(bench.log.last?.request == .powerOn(adapter: Self.adapterA))
    }

    @Test("D13: looking starts anew after a power cycle") func d13LookingStartsAnewAfter() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.appear(Self.adapterA, powered: false)
        let before = bench.count(.startDiscovery(adapter: Self.adapterA))
        bench.appear(Self.adapterA, powered: true)
        #expect(bench.count(.startDiscovery(adapter: Self.adapterA)) == before + 1)
    }

    @Test("a full adapter is named and left alone until a link on it goes")
    func fullAdapterNamedLeftAlone() {
        var bench = Bench.ready(cameras: Bench.cameras(3))
        bench.open(Bench.camera(1))
        bench.hear(Bench.camera(2))
        bench.handle(.connectEnded(.test(2), .adapterFull))
        #expect(bench.news.contains(.adapter(Self.adapterA, .full(links: 1))))
        #expect(
            bench.queue.adapters.summary(at: bench.now) { _ in 1 }.first?.error
                == "full with 1 links")
        let before = bench.attempts.count
        bench.hear(Bench.camera(3))
        #expect(bench.attempts.count == before)
        bench.handle(.linkClosed(.test(1)))
        #expect(bench.attempts.count == before + 1)
    }

    @Test("a full adapter is tried again after a minute") func fullAdapterTriedAgainAfter() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.open(Bench.camera(1))
        bench.hear(Bench.camera(2))
        bench.handle(.connectEnded(.test(2), .adapterFull))
        bench.pass(.seconds(60))
        bench.hear(Bench.camera(2))
        #expect(bench.attempts.last == Bench.camera(2))
        #expect(bench.attempts.count == 3)
    }

    @Test("an adapter on which everybody fails is passed over for one that works")
    func adapterWhichEverybodyFailsPassed() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(7))
        for number in 4...6 { bench.open(Bench.camera(number), on: Self.adapterB) }
        for number in 1...3 {
            bench.hear(Bench.camera(number), on: Self.adapterA)
            bench.handle(.connectEnded(.test(number), .failed("broken")))
        }
        bench.pass(.seconds(2))
        // The adapter with fewer links and the better signal is failing, so that even a camera that
        // has not failed on it goes elsewhere.
        for number in [7, 1, 2, 3] {
            bench.queue.ending = true
            bench.hear(Bench.camera(number), on: Self.adapterA, rssi: -40)
            bench.hear(Bench.camera(number), on: Self.adapterB, rssi: -80)
            bench.queue.ending = false
            bench.step()
            let link = LinkID.test(number, on: Self.adapterB)
            #expect(bench.log.last?.request == .connect(link))
            bench.handle(.connectEnded(link, .ok))
        }
    }

    @Test("an adapter on which six Connects in a row went unanswered is turned off and on")
    func adapterWhichSixConnectsRow() {
        var bench = Bench.ready(cameras: Bench.cameras(3))
        for turn in 1...6 {
            #expect(bench.count(.powerOff(adapter: Self.adapterA)) == 0)
            let number = turn % 3 + 1
            bench.pass(.seconds(60))
            bench.hear(Bench.camera(number))
            bench.pass(ConnectionQueue.connectDeadline)
            bench.handle(.connectEnded(.test(number), .aborted))
        }
        #expect(bench.attempts.count == 6)
        #expect(bench.count(.powerOff(adapter: Self.adapterA)) == 1)
    }

    // MARK: Limits after a crash

    /// Three links are open, and bluetoothd dies at the fourth Connect.
    private static func crashAtFour(_ bench: inout Bench) {
        bench.appear(Self.adapterA)
        for number in 1...3 { bench.open(Bench.camera(number)) }
        bench.pass(.seconds(5))
        bench.hear(Bench.camera(4))
        bench.handle(.connectEnded(.test(4), .ok))
        bench.pass(.seconds(1))
        bench.handle(.available(false))
    }

    @Test("the second crash behind the same number of links caps them for 60 s")
    func secondCrashBehindSameNumber() {
        var bench = Bench.ready(cameras: Bench.cameras(5))
        Self.crashAtFour(&bench)
        #expect(bench.queue.adapters.limit(Self.adapterA, at: bench.now) == nil)
        Self.crashAtFour(&bench)
        #expect(
            bench.news.contains(.adapter(Self.adapterA, .capped(links: 3, span: .seconds(60)))))
        bench.appear(Self.adapterA)
        for number in 1...3 { bench.open(Bench.camera(number)) }
        bench.hear(Bench.camera(4))
        #expect(bench.attempts.last == Bench.camera(3))
        bench.pass(.seconds(60))
        bench.hear(Bench.camera(4))
        #expect(bench.attempts.last == Bench.camera(4))
    }

    @Test("a number of links is remembered over crashes behind others")
    func numberLinksRememberedOverCrashes() {
        var bench = Bench.ready(cameras: Bench.cameras(6))
        Self.crashAtFour(&bench)
        // Another crash at the fifth Connect came between: the fourth link was still closing.
        bench.appear(Self.adapterA)
        for number in 1...3 { bench.open(Bench.camera(number)) }
        bench.pass(.seconds(5))
        for number in 4...5 {
            bench.hear(Bench.camera(number))
            bench.handle(.connectEnded(.test(number), .ok))
        }
        bench.handle(.available(false))
        #expect(bench.queue.adapters.limit(Self.adapterA, at: bench.now) == nil)
        bench.pass(.seconds(60))
        Self.crashAtFour(&bench)
        #expect(bench.queue.adapters.limit(Self.adapterA, at: bench.now) == 3)
    }

    @Test("crashes behind numbers of links that stood before cap nothing")
    func crashesBehindNumbersLinksStood() {
        var bench = Bench.ready(cameras: Bench.cameras(5))
        for number in 1...4 { bench.open(Bench.camera(number)) }
        bench.handle(.available(false))
        for _ in 0..<3 {
            Self.crashAtFour(&bench)
            #expect(bench.queue.adapters.limit(Self.adapterA, at: bench.now) == nil)
        }
    }

    @Test("crashes behind few links cap nothing, however many there are")
    func crashesBehindFewLinksCap() {
        var bench = Bench.ready(cameras: Bench.cameras(5))
        for number in 1...3 {
            for _ in 0..<3 {
                bench.appear(Self.adapterA)
                for other in 1..<number { bench.open(Bench.camera(other)) }
                bench.hear(Bench.camera(number))
                bench.handle(.connectEnded(.test(number), .ok))
                bench.handle(.available(false))
                #expect(bench.queue.adapters.limit(Self.adapterA, at: bench.now) == nil)
            }
        }
    }

    @Test("a crash later than 1 s after a Connect caps nothing") func crashLaterThan1S() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.open(Bench.camera(1))
        bench.pass(.seconds(1) + TimeSpan(nanoseconds: 1))
        bench.handle(.available(false))
        #expect(bench.queue.adapters.limit(Self.adapterA, at: bench.now) == nil)
    }

    @Test("each further crash of the kind caps for twice as long") func eachFurtherCrashKindCaps() {
        var bench = Bench.ready(cameras: Bench.cameras(5))
        Self.crashAtFour(&bench)
        for span in [60, 120, 240] {
            Self.crashAtFour(&bench)
            #expect(
                bench.news.last { if case .adapter = $0 { true } else { false } }
                    == .adapter(Self.adapterA, .capped(links: 3, span: .seconds(span))))
            bench.pass(.seconds(span))
        }
    }

    // MARK: Bounds

    @Test("the 16th adapter is used and the 17th is not, unless one has gone")
    func n16thAdapterUsed17thNot() {
        var bench = Bench()
        for number in 1...17 { bench.appear(Bench.camera(number)) }
        #expect(bench.queue.adapters.usable(Bench.camera(16)))
        #expect(!bench.queue.adapters.usable(Bench.camera(17)))
        bench.handle(.adapterGone(Bench.camera(3)))
        bench.appear(Bench.camera(17))
        #expect(bench.queue.adapters.usable(Bench.camera(17)))
        #expect(bench.queue.adapters.members.count == AdapterSet.bound)
    }

    @Test("the 100th camera is taken and the 101st is not") func n100thCameraTaken101stNot() {
        var bench = Bench()
        for number in 1...ConnectionQueue.bound {
            let taken = bench.queue.admit(
                Bench.camera(number), pinned: nil, trusted: true, at: .zero)
            #expect(taken)
        }
        let taken = bench.queue.admit(Bench.camera(101), pinned: nil, trusted: true, at: .zero)
        #expect(!taken)
    }
}
