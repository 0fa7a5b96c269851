import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation
import Testing
import TrackFormat

@testable import Fleet

/// Nothing grows without end: each of the rig's bounds is tested at the bound and one beyond.
@Suite struct RigBoundsTests {
    static func hear(_ bench: RigBench, _ number: Int) {
        bench.feed(
            .radio(
                .sighting(
                    Sighting(
                        link: .test(number), advertisement: .supported(.action4), rssi: -60))))
    }

    static func any() -> RigBench {
        var settings = RigBench.settings()
        settings.admission = .any
        return RigBench(settings)
    }

    @Test("admit = any lets 99 in; the 100th is a stranger until one has gone")
    func admitAnyLets99100th() {
        let bench = Self.any()
        for number in 1...100 { Self.hear(bench, number) }
        #expect(bench.rig.roster.entries.count == Roster.bound)
        #expect(bench.summary(100)?.state == .listed)
        // The first cameras are heard no more, and count as absent when their time is over.
        bench.pass(.seconds(60))
        Self.hear(bench, 100)
        #expect(bench.rig.roster.entries.count == Roster.bound)
        #expect(bench.rig.roster[address: QueueBench.camera(100)] != nil)
    }

    @Test("the 32 last forgotten cameras stay out, one more and the first may come in again")
    func n32LastForgottenCamerasStay() {
        let bench = Self.any()
        for number in 1...33 {
            Self.hear(bench, number)
            bench.command(.forget, "\(QueueBench.camera(number))", for: .seconds(1))
        }
        #expect(bench.rig.turnedAway.count == Rig.turnedAwayBound)
        Self.hear(bench, 2)
        Self.hear(bench, 33)
        #expect(bench.rig.roster.entries.isEmpty)
        Self.hear(bench, 1)
        #expect(bench.rig.roster.entries.map(\.address) == [QueueBench.camera(1)])
    }

    @Test("cameras of eight epochs are counted, and the ninth displaces the first")
    func camerasEightEpochsCountedNinth() {
        var pushes = PushFanOut(settings: RigBench.settings())
        for sequence in 1...8 { pushes.count(1, of: sequence) }
        #expect(pushes.cameras(of: 1) == 1)
        pushes.count(1, of: 9)
        #expect(pushes.cameras(of: 1) == 0)
        #expect(pushes.cameras(of: 2) == 1)
        #expect(pushes.cameras(of: 9) == 1)
    }

    @Test("an epoch's cameras are those whose links took a push of it")
    func epochSCamerasThoseWhose() {
        let bench = RigBench.of(3)
        bench.pass(.seconds(20))
        #expect(bench.epochs.last?.pushedCameras == 3)
        bench.refusing = QueueBench.camera(2)
        bench.pass(.seconds(1))
        #expect(bench.epochs.suffix(5).allSatisfy { $0.pushedCameras == 2 })
        #expect(bench.summary(2)!.dropped >= 9)
        bench.refusing = nil
        bench.pass(.seconds(1))
        #expect(bench.epochs.last?.pushedCameras == 3)
    }

    @Test("a window is at most ten minutes") func windowMostTenMinutes() {
        let bench = RigBench(RigBench.settings())
        bench.command(.pair(.seconds(601)), for: .seconds(600) - TimeSpan(nanoseconds: 1))
        #expect(bench.ends.isEmpty)
        bench.pass(TimeSpan(nanoseconds: 1))
        #expect(bench.ends[Ticket(number: 1)].code == .timeout)
    }

    @Test("after hours of strangers, drops and commands everything is within its bound")
    func afterHoursStrangersDropsCommands() {
        let bench = RigBench.of(3, adapters: 2)
        bench.passers = 200
        bench.receiverOn = false
        for round in 0..<16 {
            bench.pass(.seconds(60))
            bench.lose(1 + round % 3)
            bench.command(.record(.toggle), for: .seconds(1))
            if round % 10 == 5 { bench.restartBlueZ() }
        }
        bench.pass(.seconds(30))
        #expect(bench.rig.strangers.members.count <= Strangers.bound)
        #expect(bench.rig.queue.candidates.count == 3)
        #expect(bench.rig.queue.adapters.members.count == 2)
        #expect(bench.rig.queue.candidates.allSatisfy { $0.sightings.count <= 2 })
        #expect(bench.rig.dispatch.count == 0)
        #expect(bench.rig.pendingOperations.isEmpty)
        #expect(bench.states.prefix(3).allSatisfy { $0 == .ready })
    }
}
