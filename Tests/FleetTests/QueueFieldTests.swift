import Clock
import OsmoProtocol
import RadioPort
import Testing

@testable import Fleet

/// The field notes' BlueZ problems, D1 to D20, as far as the queue decides about them.
@Suite struct QueueFieldTests {
    typealias Bench = QueueBench

    @Test("D1: one Connect at a time per adapter, in fair turns") func d1OneConnectTimePer() {
        var bench = Bench.ready(cameras: Bench.cameras(3))
        for number in 1...3 { bench.hear(Bench.camera(number)) }
        #expect(bench.attempts == [Bench.camera(1)])
        bench.handle(.connectEnded(.test(1), .ok))
        #expect(bench.attempts == [Bench.camera(1), Bench.camera(2)])
        bench.handle(.connectEnded(.test(2), .failed("x")))
        #expect(bench.attempts.count == 3)
    }

    @Test("D1: two adapters connect side by side") func d1TwoAdaptersConnectSide() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(2))
        bench.hear(Bench.camera(1), on: Bench.adapterA)
        bench.hear(Bench.camera(2), on: Bench.adapterB)
        #expect(bench.attempts.count == 2)
    }

    @Test("D1: a camera that never answers loses its turn to the others")
    func d1CameraNeverAnswersLoses() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.hear(Bench.camera(1))
        bench.hear(Bench.camera(2))
        bench.pass(.seconds(20))
        #expect(bench.log.last?.request == .disconnect(.test(1)))
        // Until this Connect has ended no other may begin.
        #expect(bench.attempts.count == 1)
        bench.handle(.connectEnded(.test(1), .aborted))
        bench.hear(Bench.camera(1))
        bench.hear(Bench.camera(2))
        #expect(bench.attempts == [Bench.camera(1), Bench.camera(2)])
    }

    @Test("D2: InProgress is met with one Disconnect, waiting, and at last removal")
    func d2InProgressMetOneDisconnect() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        var removals: [Int] = []
        for round in 1...5 {
            bench.hear(Bench.camera(1))
            #expect(bench.attempts.count == round)
            let requests = bench.handle(.connectEnded(.test(1), .inProgress))
            #expect(requests.contains(.disconnect(.test(1))) == (round == 1))
            if requests.contains(.remove(.test(1))) { removals.append(round) }
            bench.pass(.seconds(60))
        }
        #expect(removals == [5])
    }

    @Test("D2: a Connect that goes well between starts the count anew")
    func d2ConnectGoesWellBetween() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for round in 1...9 {
            bench.hear(Bench.camera(1))
            #expect(bench.attempts.count == round)
            bench.handle(.connectEnded(.test(1), round == 5 ? .ok : .inProgress))
            if round == 5 { bench.handle(.linkClosed(.test(1))) }
            bench.pass(.seconds(60))
        }
        #expect(bench.count(.remove(.test(1))) == 0)
    }

    @Test("D3: an aborted Connect is repeated at once three times, then backed off")
    func d3AbortedConnectRepeatedOnce() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        for round in 1...3 {
            bench.handle(.connectEnded(.test(1), .aborted))
            bench.pass(.milliseconds(250) - TimeSpan(nanoseconds: 1))
            #expect(bench.attempts.count == round)
            bench.pass(TimeSpan(nanoseconds: 1))
            #expect(bench.attempts.count == round + 1)
        }
        bench.handle(.connectEnded(.test(1), .aborted))
        bench.hear(Bench.camera(1))
        bench.pass(.milliseconds(900))
        #expect(bench.attempts.count == 4)
        bench.hear(Bench.camera(1))
        bench.pass(.milliseconds(400))
        #expect(bench.attempts.count == 5)
    }

    @Test("D3: a link that dies before it is usable counts as an abort")
    func d3LinkDiesBeforeUsable() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.handle(.connectEnded(.test(1), .ok))
        bench.handle(.linkClosed(.test(1)))
        bench.pass(.milliseconds(250))
        #expect(bench.attempts.count == 2)
    }

    @Test("D4: resolved without characteristics is disconnected, tried again, then removed")
    func d4ResolvedWithoutCharacteristicsDisconnected() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for round in 1...2 {
            bench.hear(Bench.camera(1))
            bench.handle(.connectEnded(.test(1), .ok))
            let failure = bench.handle(.setupFailed(.test(1), .noCharacteristics))
            #expect(failure.contains(.disconnect(.test(1))))
            let closed = bench.handle(.linkClosed(.test(1)))
            #expect(closed.contains(.remove(.test(1))) == (round == 2))
            bench.pass(.seconds(3))
        }
    }

    @Test("D5: services that never resolve end at 15 s, then removal, then a power cycle")
    func d5ServicesNeverResolveEnd() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for round in 1...6 {
            bench.hear(Bench.camera(1))
            #expect(bench.attempts.count == round)
            bench.handle(.connectEnded(.test(1), .ok))
            let due = bench.now + .seconds(15)
            bench.pass(.seconds(15) - TimeSpan(nanoseconds: 1))
            #expect(bench.count(.disconnect(.test(1))) == round - 1)
            bench.pass(TimeSpan(nanoseconds: 1))
            #expect(bench.count(.disconnect(.test(1))) == round)
            #expect(bench.log.last { $0.request == .disconnect(.test(1)) }?.at == due)
            bench.handle(.linkClosed(.test(1)))
            #expect(bench.count(.remove(.test(1))) == round - 1)
            #expect(bench.count(.powerOff(adapter: Bench.adapterA)) == (round == 6 ? 1 : 0))
            bench.pass(.seconds(76))
        }
    }

    @Test("D5: an adapter that holds another link is never turned off")
    func d5AdapterHoldsAnotherLink() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.open(Bench.camera(2))
        for _ in 1...8 {
            bench.hear(Bench.camera(1))
            bench.handle(.connectEnded(.test(1), .ok))
            bench.handle(.setupFailed(.test(1), .noCharacteristics))
            bench.handle(.linkClosed(.test(1)))
            bench.pass(.seconds(76))
        }
        #expect(bench.count(.powerOff(adapter: Bench.adapterA)) == 0)
    }

    @Test("D6: transient failures are retried for ever where retries is 0")
    func d6TransientFailuresRetriedEver() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for round in 1...50 {
            bench.hear(Bench.camera(1))
            #expect(bench.attempts.count == round)
            bench.handle(
                .connectEnded(.test(1), .failed("Software caused connection abort")))
            bench.pass(.seconds(61))
        }
    }

    @Test("a bus that refuses us access is asked once a minute") func busRefusesUsAccessAsked() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.handle(.connectEnded(.test(1), .denied))
        for _ in 1...59 {
            bench.pass(.seconds(1))
            bench.hear(Bench.camera(1))
        }
        #expect(bench.attempts.count == 1)
        bench.pass(.seconds(1))
        #expect(bench.attempts.count == 2)
    }

    @Test("retries is the number of failures after which a camera is left alone")
    func retriesNumberFailuresAfterWhich() {
        var bench = Bench.ready(cameras: Bench.cameras(1), retries: 3)
        for _ in 1...6 {
            bench.hear(Bench.camera(1))
            bench.handle(.connectEnded(.test(1), .failed("x")))
            bench.pass(.seconds(61))
        }
        #expect(bench.attempts.count == 3)
        bench.queue.clear(Bench.camera(1), at: bench.now)
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == 4)
    }

    @Test("D7: a forgotten device is looked for again, and then connected while looking")
    func d7ForgottenDeviceLookedAgain() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        for _ in 1...2 {
            let requests = bench.handle(.connectEnded(.test(1), .unknownDevice))
            #expect(requests == [.startDiscovery(adapter: Bench.adapterA)])
            bench.pass(.seconds(1))
            bench.hear(Bench.camera(1))
        }
        #expect(bench.attempts.count == 3)
        // The third Connect is sent while discovery runs.
        #expect(bench.log.last?.request == .connect(.test(1)))
        #expect(bench.queue.discovery.isScanning(Bench.adapterA))
        // After a while BlueZ has accepted it; discovery stops, since the kernel connects faster
        // without it.
        bench.pass(ConnectionQueue.acceptance)
        #expect(bench.log.last?.request == .stopDiscovery(adapter: Bench.adapterA))
        #expect(!bench.queue.discovery.isScanning(Bench.adapterA))
        bench.handle(.connectEnded(.test(1), .ok))
        #expect(bench.queue.candidates[0].phase.link == .test(1))
    }

    @Test("D7: discovery stops at once when Connect ends before that")
    func d7DiscoveryStopsOnceWhen() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        for _ in 1...2 {
            bench.handle(.connectEnded(.test(1), .unknownDevice))
            bench.pass(.seconds(1))
            bench.hear(Bench.camera(1))
        }
        let connected = bench.handle(.connectEnded(.test(1), .ok))
        #expect(connected.contains(.stopDiscovery(adapter: Bench.adapterA)))
    }

    @Test("D7: a Connect that is taken needs no scan the next time") func d7ConnectTakenNeedsNo() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for round in 1...4 {
            bench.hear(Bench.camera(1))
            bench.handle(.connectEnded(.test(1), round == 3 ? .ok : .unknownDevice))
            if round == 3 { bench.handle(.linkClosed(.test(1))) }
            bench.pass(.seconds(10))
        }
        bench.hear(Bench.camera(1))
        #expect(bench.log.last?.request == .connect(.test(1)))
        #expect(!bench.queue.discovery.isScanning(Bench.adapterA))
    }

    @Test("D8: discovery is stopped before Connect and goes on when no set-up runs")
    func d8DiscoveryStoppedBeforeConnect() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        let requests = bench.hear(Bench.camera(1))
        #expect(
            requests == [.stopDiscovery(adapter: Bench.adapterA), .connect(.test(1))])
        #expect(bench.handle(.connectEnded(.test(1), .ok)) == [.trust(.test(1))])
        let opened = bench.handle(
            .linkOpen(.test(1), LinkParameters(mtu: 500, path: .descriptor)))
        #expect(opened == [.startDiscovery(adapter: Bench.adapterA)])
    }

    @Test(
        "D9: a stale cache is removed at the second failure in a row",
        arguments: [
            SetupFailure.notify("UnknownObject"), .write("ATT error: 0x0e"), .noCharacteristics,
        ])
    func d9StaleCacheRemovedSecond(failure: SetupFailure) {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for _ in 1...2 {
            bench.hear(Bench.camera(1))
            bench.handle(.connectEnded(.test(1), .ok))
            bench.handle(.setupFailed(.test(1), failure))
            bench.handle(.linkClosed(.test(1)))
            bench.pass(.seconds(3))
        }
        #expect(bench.count(.remove(.test(1))) == 1)
    }

    @Test("an MTU that is too small is told and never cured by removal") func mtuTooSmallToldNever()
    {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for _ in 1...4 {
            bench.hear(Bench.camera(1))
            bench.handle(.connectEnded(.test(1), .ok))
            bench.handle(.setupFailed(.test(1), .mtu(23)))
            bench.handle(.linkClosed(.test(1)))
            bench.pass(.seconds(61))
        }
        #expect(bench.count(.remove(.test(1))) == 0)
        #expect(bench.queue[Bench.camera(1)]?.error == "MTU 23 is too small, 69 needed")
    }

    @Test("D8: a look that a Connect cut short goes on for what is left of it")
    func d8LookConnectCutShort() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.open(Bench.camera(1))
        bench.pass(.seconds(100))
        let starts = { (bench: Bench) in
            bench.log.filter { $0.request == .startDiscovery(adapter: Bench.adapterA) }.map(\.at)
        }
        while !bench.queue.discovery.isScanning(Bench.adapterA) { bench.pass(.milliseconds(100)) }
        bench.now = starts(bench).last! + .milliseconds(1500)
        #expect(bench.hear(Bench.camera(2)).contains(.stopDiscovery(adapter: Bench.adapterA)))
        bench.pass(.seconds(2))
        #expect(!bench.queue.discovery.isScanning(Bench.adapterA))
        bench.handle(.connectEnded(.test(2), .failed("x")))
        #expect(starts(bench).last == bench.now)
        bench.pass(.milliseconds(2500) - TimeSpan(nanoseconds: 1))
        #expect(bench.queue.discovery.isScanning(Bench.adapterA))
        bench.pass(TimeSpan(nanoseconds: 1))
        #expect(!bench.queue.discovery.isScanning(Bench.adapterA))
    }

    @Test("D11: a restart of bluetoothd drops everything, and everything is rebuilt")
    func d11RestartBluetoothdDropsEverything() {
        var bench = Bench.ready(cameras: Bench.cameras(3))
        bench.open(Bench.camera(1))
        bench.hear(Bench.camera(2))
        bench.pass(.seconds(5))
        bench.handle(.available(false))
        #expect(bench.news.contains(.closed(.test(1))))
        #expect(bench.queue.candidates.allSatisfy { $0.phase == .idle })
        bench.handle(.available(true))
        bench.appear(Bench.adapterA)
        #expect(bench.log.last?.request == .startDiscovery(adapter: Bench.adapterA))
        let before = bench.attempts.count
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == before + 1)
    }
}
