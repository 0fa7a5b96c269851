import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// Many cameras, many strangers and bad adapters, for a long time.
@Suite struct RigFleetTests {
    @Test("twenty cameras on two adapters are all ready, ten on each")
    func twentyCamerasTwoAdaptersAll() {
        let bench = RigBench.of(20, adapters: 2)
        bench.pass(.seconds(30))
        #expect(bench.states == Array(repeating: .ready, count: 20))
        let onA = (1...20).count { bench.summary($0)?.adapter == RigBench.adapterA }
        #expect(onA == 10)
        let from = bench.now
        bench.pass(.seconds(2))
        #expect((1...20).allSatisfy { (19...21).contains(bench.pushes($0, since: from)) })
        #expect(bench.violations == 0)
    }

    @Test("never two Connects at once on an adapter") func neverTwoConnectsOnceAdapter() {
        let bench = RigBench.of(20, adapters: 2)
        bench.place(3) { $0.mute = true }
        bench.air[QueueBench.camera(5)]!.deaf = true
        bench.pass(.seconds(300))
        #expect(bench.mostConnects == 1)
    }

    @Test("deaf and mute cameras do not keep the others waiting") func deafMuteCamerasDoNot() {
        let bench = RigBench.of(8)
        for number in 1...2 { bench.air[QueueBench.camera(number)]!.deaf = true }
        bench.place(3) { $0.mute = true }
        bench.pass(.seconds(70))
        #expect((4...8).allSatisfy { bench.summary($0)?.state == .ready })
    }

    @Test("absent cameras cost the others nothing") func absentCamerasCostOthersNothing() {
        let bench = RigBench.of(10)
        for number in 1...6 { bench.air[QueueBench.camera(number)]!.present = false }
        bench.pass(.seconds(15))
        #expect((7...10).allSatisfy { bench.summary($0)?.state == .ready })
        #expect((1...6).allSatisfy { bench.summary($0)?.state == .absent })
        #expect((1...6).allSatisfy { bench.air[QueueBench.camera($0)]!.requests == 0 })
    }

    @Test("a deaf camera's attempts get rarer, down to one a minute and more")
    func deafCameraSAttemptsGet() {
        let bench = RigBench.of(2)
        bench.air[QueueBench.camera(1)]!.deaf = true
        bench.receiverOn = false
        bench.pass(.seconds(1800))
        let attempts = bench.requests.filter { $0.request == .connect(.test(1)) }.map(\.at)
        // Each attempt takes 20 s, and up to 60 s of waiting follow.
        #expect((15...40).contains(attempts.count))
        let last = attempts.suffix(2)
        #expect(last[last.startIndex + 1] - last[last.startIndex] > .seconds(60))
    }

    @Test("from advertising again to pushing in under 2 s plus the radio's own time")
    func fromAdvertisingAgainPushingUnder() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(20))
        bench.air[QueueBench.camera(1)]!.present = false
        bench.lose(1)
        bench.pass(.seconds(90))
        bench.air[QueueBench.camera(1)]!.present = true
        let from = bench.now
        bench.pass(.seconds(5))
        let first = bench.pushes.first { $0.at > from && $0.push.position != nil }
        // The radio of the bench hears a camera once a second, connects in 0.4 s and sets up in 0.6
        // s.
        #expect(
            first.map { $0.at - from <= .seconds(2) + bench.connectDelay + bench.setupDelay }
                == true)
    }

    @Test("two adapters, one of which never connects anybody: all are ready by the other")
    func twoAdaptersOneWhichNever() {
        let bench = RigBench.of(6, adapters: 2)
        bench.brokenAdapter = RigBench.adapterA
        bench.pass(.seconds(120))
        #expect(bench.states == Array(repeating: .ready, count: 6))
        #expect((1...6).allSatisfy { bench.summary($0)?.adapter == RigBench.adapterB })
    }

    @Test("a hundred strangers for an hour: none touched, 32 listed, nobody disturbed")
    func hundredStrangersHourNoneTouched() {
        let bench = RigBench.of(1)
        bench.receiverOn = false
        bench.passers = 100
        bench.pass(.seconds(3600))
        let touched = bench.requests.contains { request in
            guard let camera = request.request.camera else { return false }
            return camera != QueueBench.camera(1)
        }
        #expect(!touched)
        #expect(bench.states.count { $0 == .listed } == Strangers.bound)
        #expect(bench.summary(1)?.state == .ready)
        #expect(bench.summary(1)?.reconnects == 0)
        // While cameras are pushed to, an adapter scans for 4 s of each 20 s.
        #expect((0.15...0.21).contains(bench.lookedSeconds(RigBench.adapterA) / 3600))
    }

    @Test("beside a streaming camera an absent one is looked for 4 s in 20")
    func besideStreamingCameraAbsentOne() {
        let bench = RigBench.of(2)
        bench.air[QueueBench.camera(2)]!.present = false
        bench.pass(.seconds(80))
        let before = bench.lookedSeconds(RigBench.adapterA)
        bench.pass(.seconds(200))
        let share = (bench.lookedSeconds(RigBench.adapterA) - before) / 200
        #expect((0.18...0.22).contains(share))
    }

    @Test("beside streaming cameras a lost one is expected, and found within 2 s of its return")
    func besideStreamingCamerasLostOne() {
        for away in stride(from: 5, through: 50, by: 5) {
            let bench = RigBench.of(3)
            bench.sightInterval = .milliseconds(100)
            bench.pass(.seconds(40))
            bench.air[QueueBench.camera(2)]!.present = false
            bench.lose(2)
            bench.pass(.milliseconds(away * 1000 + 137 * away))
            bench.air[QueueBench.camera(2)]!.present = true
            let from = bench.now
            bench.pass(.seconds(8))
            let asked = bench.requests.first { $0.at > from && $0.request == .connect(.test(2)) }
            // The radio of the bench hears a camera 150 ms after a scan began.
            #expect(
                asked.map { $0.at - from <= .milliseconds(2160) } == true,
                "away \(away) s: \(String(describing: asked))")
        }
    }

    @Test("a camera whose link is lost again and again waits longer each time")
    func cameraWhoseLinkLostAgain() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(130))
        var readyAt: [Double] = []
        for _ in 1...7 {
            while bench.summary(2)?.state != .ready { bench.pass(.milliseconds(100)) }
            readyAt.append(bench.now.seconds)
            bench.pass(.seconds(5))
            bench.lose(2)
        }
        let waits = zip(readyAt, readyAt.dropFirst()).map { $1 - $0 - 5 }
        #expect(waits[5] > 12, "\(waits)")
        // After ten seconds of being ready the back-off starts again from the beginning.
        while bench.summary(2)?.state != .ready { bench.pass(.milliseconds(100)) }
        bench.pass(.seconds(10))
        bench.lose(2)
        #expect(bench.rig.queue[QueueBench.camera(2)]?.backoff.failures == 0)
        bench.pass(.seconds(8))
        #expect(bench.summary(2)?.state == .ready)
    }

    @Test("a link that ends by a restart is no loss: no alarm, no failure")
    func linkEndsRestartNoLoss() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(20))
        #expect(bench.command(.restart, "cam1").end == .ok)
        bench.pass(.seconds(30))
        #expect(bench.summary(1)?.reconnects == 1)
        #expect(!bench.notices.contains { $0.kind == .alarm })
        #expect(bench.rig.queue[QueueBench.camera(1)]?.backoff.failures == 0)
    }

    @Test("a camera that was told to restart is expected, one that sleeps is not")
    func cameraToldRestartSoughtOne() {
        for command in [FleetCommand.restart, .sleep] {
            let bench = RigBench.of(2)
            bench.place(2) { $0.sleepDropsLink = true }
            bench.pass(.seconds(130))
            bench.command(command, "cam2", for: .milliseconds(50))
            bench.air[QueueBench.camera(2)]!.present = false
            bench.pass(.seconds(5))
            #expect(bench.summary(2)?.state != .ready)
            let before = bench.lookedSeconds(RigBench.adapterA)
            bench.pass(.seconds(50))
            let share = (bench.lookedSeconds(RigBench.adapterA) - before) / 50
            #expect(command == .restart ? share > 0.4 : share < 0.3, "\(command): \(share)")
        }
    }

    @Test("a lost camera is looked for at once") func lostCameraLookedOnce() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(27))
        bench.lose(2)
        bench.pass(.seconds(6))
        #expect(bench.summary(2)?.state == .ready)
        let alarms = bench.notices.filter { $0.kind == .alarm }
        #expect(alarms.map(\.name) == ["cam2"])
        #expect(alarms.first?.fields == [Field("reason", "lost")])
    }

    @Test("a silent camera is let go by the watchdog and comes back when it speaks")
    func silentCameraLetGoWatchdog() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(20))
        _ = bench[2].set("mute", to: "on", at: bench.now)
        bench.pass(.seconds(7))
        #expect(bench.summary(2)?.state != .ready)
        #expect(bench.summary(1)?.state == .ready)
        _ = bench[2].set("mute", to: "off", at: bench.now)
        bench.pass(.seconds(30))
        #expect(bench.summary(2)?.state == .ready)
    }

    @Test("a recording that ends by itself while others record is an alarm")
    func recordingEndsItselfWhileOthers() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(20))
        bench.command(.record(.start))
        bench.hand(.record, 1)
        bench.pass(.seconds(3))
        let alarms = bench.notices.filter { $0.kind == .alarm }
        #expect(alarms.map(\.name) == ["cam1"])
        #expect(alarms.first?.fields == [Field("reason", "stopped")])
        bench.hand(.record, 2)
        bench.pass(.seconds(3))
        #expect(bench.notices.count { $0.kind == .alarm } == 1)
    }

    @Test("the same seed gives the same hour, another seed another one")
    func sameSeedGivesSameHour() {
        func trace(_ seed: UInt64) -> [String] {
            let bench = RigBench.of(3) { $0.seed = seed }
            bench.air[QueueBench.camera(2)]!.deaf = true
            bench.pass(.seconds(200))
            return bench.requests.map { "\($0.at.nanoseconds) \($0.request)" }
        }
        #expect(trace(1) == trace(1))
        #expect(trace(1) != trace(2))
    }
}
