import Clock
import OsmoProtocol
import RadioPort
import Testing

@testable import Fleet

/// BlueZ's events in unusual orders: no camera is connected twice, and none is lost.
@Suite struct QueueOrderTests {
    typealias Bench = QueueBench
    static let adapterA = Bench.adapterA
    static let adapterB = Bench.adapterB
    static let parameters = LinkParameters(mtu: 500, path: .descriptor)

    @Test("D14: a Connect without reply is taken back with Disconnect")
    func d14ConnectWithoutReplyTaken() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        #expect(
            bench.handle(.connectEnded(.test(1), .noReply)).contains(.disconnect(.test(1))))
    }

    @Test("D14: a success that nobody waits for any more is ended") func d14SuccessNobodyWaitsAny()
    {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.pass(.seconds(15))
        bench.handle(.connectEnded(.test(1), .aborted))
        #expect(bench.handle(.connectEnded(.test(1), .ok)).contains(.disconnect(.test(1))))
        #expect(bench.queue[Bench.camera(1)]?.phase == .idle)
    }

    @Test("D14: a success in the moment of giving up is ended, and tried again")
    func d14SuccessMomentGivingUp() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.pass(.seconds(15))
        #expect(bench.handle(.connectEnded(.test(1), .ok)).contains(.disconnect(.test(1))))
        bench.handle(.linkClosed(.test(1)))
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == 2)
    }

    @Test("D14: a late link by another adapter is ended, the one that stands stays")
    func d14LateLinkAnotherAdapter() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(1))
        bench.open(Bench.camera(1))
        let other = LinkID.test(1, on: Self.adapterB)
        #expect(bench.handle(.linkOpen(other, Self.parameters)) == [.disconnect(other)])
        #expect(bench.handle(.connectEnded(other, .ok)) == [.disconnect(other)])
        bench.handle(.linkClosed(other))
        #expect(bench.queue[Bench.camera(1)]?.phase == .open(.test(1)))
        #expect(!bench.news.contains(.closed(other)) && !bench.news.contains(.closed(.test(1))))
    }

    @Test("D14: a late link to a camera that is not wanted, or at the end, is ended")
    func d14LateLinkCameraNot() {
        for isEnding in [false, true] {
            var bench = Bench.ready(cameras: Bench.cameras(1))
            if isEnding {
                _ = bench.queue.finish(at: bench.now)
            } else {
                _ = bench.queue.want(false, Bench.camera(1), at: bench.now)
            }
            let requests = bench.handle(.linkOpen(.test(1), Self.parameters))
            #expect(requests.contains(.disconnect(.test(1))))
            #expect(bench.queue[Bench.camera(1)]?.phase == .idle)
        }
    }

    @Test("D14: a late link that is used is kept by BlueZ like any other")
    func d14LateLinkUsedKept() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        #expect(bench.handle(.linkOpen(.test(1), Self.parameters)).contains(.trust(.test(1))))
        #expect(bench.queue[Bench.camera(1)]?.phase == .open(.test(1)))
    }

    @Test("D14: a late link by another adapter does not disturb a Connect under way")
    func d14LateLinkAnotherAdapterDoes() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        let other = LinkID.test(1, on: Self.adapterB)
        #expect(bench.handle(.linkOpen(other, Self.parameters)) == [.disconnect(other)])
        bench.handle(.linkClosed(other))
        bench.handle(.connectEnded(.test(1), .ok))
        bench.handle(.linkOpen(.test(1), Self.parameters))
        #expect(bench.queue[Bench.camera(1)]?.phase == .open(.test(1)))
    }

    @Test("a link that opens before its Connect is answered is used")
    func linkOpensBeforeConnectAnswered() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.handle(.linkOpen(.test(1), Self.parameters))
        #expect(bench.queue[Bench.camera(1)]?.phase == .open(.test(1)))
        // The answer or a failure that comes afterwards changes nothing.
        bench.handle(.connectEnded(.test(1), .ok))
        bench.handle(.connectEnded(.test(1), .failed("x")))
        #expect(bench.queue[Bench.camera(1)]?.phase == .open(.test(1)))
    }

    @Test("the end of an older link does not end a new attempt") func endOlderLinkDoesNot() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.open(Bench.camera(1))
        bench.handle(.linkClosed(.test(1)))
        bench.hear(Bench.camera(1))
        bench.handle(.linkClosed(.test(1)))
        guard case .connecting = bench.queue[Bench.camera(1)]?.phase else {
            Issue.record("\(String(describing: bench.queue[Bench.camera(1)]?.phase))")
            return
        }
        #expect(bench.attempts.count == 2)
    }

    @Test("a Disconnect without an end is repeated twice, then the link counts as down")
    func disconnectWithoutEndRepeatedTwice() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.open(Bench.camera(1))
        for request in bench.queue.close(Bench.camera(1), at: bench.now) {
            bench.log.append((bench.now, request))
        }
        bench.step()
        bench.pass(.seconds(29))
        #expect(bench.count(.disconnect(.test(1))) == 3)
        #expect(bench.news.last != .closed(.test(1)))
        bench.pass(.seconds(1))
        #expect(bench.news.last == .closed(.test(1)))
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == 2)
    }

    @Test("a setup that fails on an open link ends it, and the camera is connected anew")
    func setupFailsOpenLinkEnds() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.open(Bench.camera(1))
        let failure = RadioEvent.setupFailed(.test(1), .write("hung up"))
        #expect(bench.handle(failure) == [.disconnect(.test(1))])
        bench.handle(.linkClosed(.test(1)))
        #expect(bench.news.last == .closed(.test(1)))
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == 2)
    }

    @Test("an adapter that goes while its Connect is being given up frees the camera")
    func adapterGoesWhileConnectBeing() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.pass(.seconds(15))
        bench.handle(.adapterGone(Self.adapterA))
        bench.hear(Bench.camera(1), on: Self.adapterB)
        #expect(bench.log.last?.request == .connect(.test(1, on: Self.adapterB)))
        // Events of the old attempt do not concern the new one.
        bench.handle(.connectEnded(.test(1), .aborted))
        guard case .connecting(.test(1, on: Self.adapterB), _) = bench.queue[Bench.camera(1)]?.phase
        else {
            Issue.record("\(String(describing: bench.queue[Bench.camera(1)]?.phase))")
            return
        }
    }

    @Test(
        "a link that bluetoothd makes again against our will goes with its device",
        arguments: [
            (TimeSpan.seconds(3), true), (TimeSpan.seconds(3) + TimeSpan(nanoseconds: 1), false),
        ])
    func linkBluetoothdMakesAgainAgainst(
        delay: TimeSpan, isRemoved: Bool
    ) {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.open(Bench.camera(1))
        _ = bench.queue.want(false, Bench.camera(1), at: bench.now)
        bench.handle(.linkClosed(.test(1)))
        bench.pass(delay)
        let requests = bench.hear(Bench.camera(1), rssi: nil, connected: true)
        #expect(requests.contains(.remove(.test(1))) == isRemoved)
        #expect(bench.attempts.count == 1)
        // When it is wanted again, it is connected like any other.
        _ = bench.queue.want(true, Bench.camera(1), at: bench.now)
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == 2)
    }

    @Test("a link that bluetoothd makes again to a wanted camera is taken over")
    func linkBluetoothdMakesAgainWanted() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.open(Bench.camera(1))
        bench.handle(.linkClosed(.test(1)))
        bench.hear(Bench.camera(1), rssi: nil, connected: true)
        #expect(bench.log.last?.request == .connect(.test(1)))
    }
}
