import Clock
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// A changed configuration is applied while cameras are pushed to.
@Suite struct RigReloadTests {
    static func reload(
        _ bench: RigBench, _ change: (inout RigSettings) -> Void
    ) -> [String] {
        var settings = bench.rig.settings
        change(&settings)
        let outcome = bench.rig.apply(settings, at: bench.now)
        bench.carryOut(outcome.effects)
        return outcome.restart
    }

    @Test("what cannot change live is named and stays") func whatCannotChangeLiveNamed() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(15))
        let identity = bench.rig.settings.identity
        let restart = Self.reload(bench) {
            $0.identity = ControllerIdentity(deviceID: 1, address: QueueBench.camera(9))
        }
        #expect(restart == ["[state] directory"])
        #expect(bench.rig.settings.identity == identity)
        #expect(Self.reload(bench) { $0.motion = .hold }.isEmpty)
        let from = bench.now
        bench.pass(.seconds(5))
        #expect(bench.pushes(1, since: from) >= 49)
    }

    @Test("another push rate holds from the next push on, and back again")
    func anotherPushRateHoldsFrom() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(15))
        for (rate, count) in [(5, 50), (1, 10), (10, 100)] {
            #expect(Self.reload(bench) { $0.rate = rate }.isEmpty)
            let from = bench.now
            bench.pass(.seconds(10))
            let pushes = (1...2).map { bench.pushes($0, since: from) }
            #expect(pushes.allSatisfy { abs($0 - count) <= 1 }, "\(rate) Hz: \(pushes)")
            #expect(bench.rig.status(at: bench.now).push.targetHertz == Double(rate))
        }
        #expect(bench.states == [.ready, .ready])
    }

    @Test("another receiver is the only one from then on") func anotherReceiverOnlyOneFrom() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(15))
        let device = bench.rig.status(at: bench.now).gps.device
        #expect(Self.reload(bench) { $0.device = "/dev/another" }.isEmpty)
        bench.pass(.seconds(5))
        #expect(bench.rig.status(at: bench.now).gps.state == .nodata)
        #expect(bench.summary(1)?.gps == .void)
        _ = Self.reload(bench) { $0.device = device }
        bench.pass(.seconds(3))
        #expect(bench.rig.status(at: bench.now).gps.state == .fix3d)
        #expect(bench.summary(1)?.gps == .pushing)
    }

    @Test("a new section connects its camera, a removed one lets it go")
    func newSectionConnectsCameraRemoved() {
        let bench = RigBench.of(2)
        bench.place(3)
        bench.pass(.seconds(20))
        _ = Self.reload(bench) {
            $0.roster.removeFirst()
            $0.roster.append(
                RosterEntry(name: "new", number: 3, address: QueueBench.camera(3)))
        }
        bench.pass(.seconds(25))
        #expect(bench.rig.roster.entries.map(\.name) == ["cam2", "new"])
        #expect(bench.summary(1)?.state == .listed)
        #expect(bench.summary(2)?.reconnects == 0)
        #expect(bench.summary(3)?.state == .ready)
        #expect(!bench.requests.contains { $0.request == .remove(.test(1)) })
    }

    @Test("names, numbers and order change without a reconnection")
    func namesNumbersOrderChangeWithout() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(20))
        _ = Self.reload(bench) {
            $0.roster = [
                RosterEntry(name: "rear", number: 8, address: QueueBench.camera(2)),
                RosterEntry(name: "front", number: 7, address: QueueBench.camera(1)),
            ]
        }
        bench.pass(.seconds(5))
        let cameras = bench.rig.status(at: bench.now).cameras
        #expect(cameras.map(\.name) == ["rear", "front"])
        #expect(cameras.map(\.state) == [.ready, .ready])
        #expect(cameras.map(\.reconnects) == [0, 0])
    }

    @Test("paired cameras stay, forgotten ones stay away") func pairedCamerasStayForgottenOnes() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(15))
        bench.place(0x33, rssi: -40) { $0.consent = .confirmed(after: .seconds(1)) }
        bench.command(.pair(.seconds(60)), for: .seconds(20))
        _ = Self.reload(bench) { $0.watchdog = .seconds(7) }
        bench.pass(.seconds(3))
        #expect(bench.summary(0x33)?.state == .ready)
        bench.command(.forget, "action4-0033")
        _ = Self.reload(bench) { $0.watchdog = .seconds(8) }
        bench.pass(.seconds(20))
        #expect(bench.rig.roster.entries.map(\.name) == ["cam1"])
    }

    @Test("a camera whose adapter is no longer allowed moves") func cameraWhoseAdapterNoLonger() {
        let bench = RigBench.of(2, adapters: 2)
        bench.pass(.seconds(20))
        _ = Self.reload(bench) { $0.adapters = [RigBench.adapterB] }
        bench.pass(.seconds(30))
        #expect((1...2).allSatisfy { bench.summary($0)?.adapter == RigBench.adapterB })
        #expect(bench.states == [.ready, .ready])
        #expect(bench.adapters[RigBench.adapterA]?.discovering == false)
        #expect(!bench.notices.contains { $0.kind == .alarm })
    }

    @Test("a new pin moves its camera") func newPinMovesCamera() {
        let bench = RigBench.of(1, adapters: 2)
        bench.pass(.seconds(15))
        let held = bench.summary(1)?.adapter
        let other = held == RigBench.adapterA ? RigBench.adapterB : RigBench.adapterA
        _ = Self.reload(bench) { $0.roster[0].adapter = other }
        bench.pass(.seconds(25))
        #expect(bench.summary(1)?.adapter == other)
        #expect(!bench.notices.contains { $0.kind == .alarm })
        #expect(bench.summary(1)?.state == .ready)
    }

    @Test("other retries count for cameras that are known, and free one that was given up")
    func retriesForKnown() {
        let bench = RigBench.of(1) { $0.retries = 2 }
        bench.air[QueueBench.camera(1)]!.deaf = true
        bench.pass(.seconds(120))
        #expect(bench.rig.queue.candidates[0].backoff.exhausted)
        _ = Self.reload(bench) { $0.retries = 0 }
        bench.air[QueueBench.camera(1)]!.deaf = false
        bench.pass(.seconds(60))
        #expect(bench.states == [.ready])
        bench.air[QueueBench.camera(1)]!.deaf = true
        _ = Self.reload(bench) { $0.retries = 1 }
        bench.lose(1)
        bench.pass(.seconds(120))
        #expect(bench.rig.queue.candidates[0].backoff.exhausted)
    }

    @Test("a shorter watchdog holds for a camera that is silent already")
    func watchdogForSilent() {
        let bench = RigBench.of(1) { $0.watchdog = .seconds(60) }
        bench.pass(.seconds(15))
        bench.unheard = QueueBench.camera(1)
        bench.pass(.seconds(4))
        _ = Self.reload(bench) { $0.watchdog = .seconds(5) }
        bench.pass(.seconds(2))
        #expect(bench.requests.contains { $0.request == .disconnect(.test(1)) })
    }

    @Test("a camera being paired joins under what is free, whatever a reload has given away")
    func pairingOverReload() {
        let bench = RigBench(RigBench.settings())
        bench.place(0x11E7) { $0.consent = .confirmed(after: .seconds(20)) }
        bench.pass(.seconds(10))
        bench.command(.pair(.seconds(60)), for: .seconds(10))
        _ = Self.reload(bench) {
            $0.roster = [
                RosterEntry(name: "action4-11e7", number: 1, address: QueueBench.camera(5))
            ]
        }
        bench.pass(.seconds(25))
        #expect(bench.ends[Ticket(number: 1)] == .ok)
        #expect(bench.rig.roster[address: QueueBench.camera(0x11E7)]?.number == 2)
        #expect(bench.summary(0x11E7)?.state == .ready)
        #expect(bench.saved.last?.count == 1)
        bench.pass(.seconds(60))
        #expect(bench.rig.roster.entries.count == 2)
    }

    @Test("a camera being paired that gets a section stays, and the window ends with its tap")
    func sectionWhilePairing() {
        let bench = RigBench(RigBench.settings())
        bench.place(0x11E7) { $0.consent = .confirmed(after: .seconds(20)) }
        bench.pass(.seconds(10))
        bench.command(.pair(.seconds(60)), for: .seconds(10))
        _ = Self.reload(bench) {
            $0.roster = [RosterEntry(name: "own", number: 7, address: QueueBench.camera(0x11E7))]
        }
        #expect(bench.requests.contains { $0.request == .trust(.test(0x11E7)) })
        bench.pass(.seconds(25))
        #expect(bench.ends[Ticket(number: 1)] == .ok)
        #expect(bench.rig.roster.entries.map(\.name) == ["own"])
        bench.pass(.seconds(60))
        #expect(bench.rig.roster.entries.map(\.name) == ["own"])
        #expect(bench.summary(0x11E7)?.state == .ready)
    }

    @Test("admit = any takes over a link that a killed run left behind")
    func anyTakesOverLeftLink() {
        let bench = RigBench(RigBench.settings())
        _ = Self.reload(bench) { $0.admission = .any }
        let sighting = Sighting(
            link: .test(1), advertisement: .supported(.action4), connected: true)
        bench.feed(.radio(.sighting(sighting)))
        #expect(bench.rig.roster.entries.count == 1)
        #expect(bench.requests.contains { $0.request == .connect(.test(1)) })
    }

    @Test("admit = any opens and closes the door") func admitAnyOpensClosesDoor() {
        let bench = RigBench(RigBench.settings())
        bench.place(1)
        bench.pass(.seconds(5))
        #expect(bench.states == [.listed])
        _ = Self.reload(bench) { $0.admission = .any }
        bench.pass(.seconds(25))
        #expect(bench.states == [.ready])
        _ = Self.reload(bench) { $0.admission = .roster }
        bench.pass(.seconds(30))
        #expect(bench.states == [.listed])
    }
}
