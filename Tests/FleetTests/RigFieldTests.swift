import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// The field notes' BlueZ problems, D11 to D20, as the whole rig meets them. docs/field-notes.md
/// has the table of all of them.
@Suite struct RigFieldTests {
    static func ready(_ count: Int, adapters: Int = 1) -> RigBench {
        let bench = RigBench.of(count, adapters: adapters)
        bench.pass(.seconds(5 + 2 * count))
        precondition(bench.states.allSatisfy { $0 == .ready }, "the bench connects everybody")
        return bench
    }

    @Test("D11: bluetoothd restarts, and all cameras are back without a person")
    func d11BluetoothdRestartsAllCameras() {
        let bench = Self.ready(4)
        bench.restartBlueZ()
        #expect(!bench.states.contains(.ready))
        bench.pass(.seconds(12))
        #expect(bench.states == [.ready, .ready, .ready, .ready])
        #expect((1...4).allSatisfy { bench[$0].handshakes == 2 })
        #expect(bench.violations == 0)
        #expect(bench.notices.count { $0.kind == .alarm } == 4)
    }

    @Test("D12: an unplugged adapter's cameras go to the other one")
    func d12UnpluggedAdapterSCameras() {
        let bench = Self.ready(4, adapters: 2)
        #expect(Set((1...4).map { bench.summary($0)?.adapter }).count == 2)
        bench.unplug(RigBench.adapterA)
        bench.pass(.seconds(30))
        #expect((1...4).allSatisfy { bench.summary($0)?.adapter == RigBench.adapterB })
        #expect(bench.states == [.ready, .ready, .ready, .ready])
        bench.plug(RigBench.adapterA, name: "hci2")
        bench.pass(.seconds(60))
        #expect((1...4).allSatisfy { bench.summary($0)?.adapter == RigBench.adapterB })
        #expect(bench.violations == 0)
    }

    @Test("D13: an adapter turned off and on again has its cameras back")
    func d13AdapterTurnedOffAgain() {
        let bench = Self.ready(2)
        bench.adapters[RigBench.adapterA]!.powered = false
        for number in 1...2 { bench.lose(number) }
        bench.feed(.radio(.adapter(bench.adapters[RigBench.adapterA]!)))
        bench.pass(.seconds(20))
        #expect(bench.requests.contains { $0.request == .powerOn(adapter: RigBench.adapterA) })
        #expect(bench.states == [.ready, .ready])
    }

    @Test("D13: a blocked adapter is named with what to do about it")
    func d13BlockedAdapterNamedWhat() {
        let bench = Self.ready(1)
        bench.adapters[RigBench.adapterA]!.blocked = true
        bench.adapters[RigBench.adapterA]!.powered = false
        bench.feed(.radio(.adapter(bench.adapters[RigBench.adapterA]!)))
        let before = bench.requests.count
        bench.pass(.seconds(299))
        let since = bench.requests[before...].map(\.request)
        #expect(since == Array(repeating: .powerOn(adapter: RigBench.adapterA), count: 4))
        #expect(
            bench.rig.status(at: bench.now).adapters.first?.error
                == "blocked by rfkill: rfkill unblock bluetooth")
    }

    @Test("D14: a success after NoReply is used") func d14SuccessAfterNoReplyUsed() {
        let bench = RigBench.of(1)
        bench.air[QueueBench.camera(1)]!.deaf = true
        bench.pass(.seconds(3))
        bench.feed(.radio(.connectEnded(.test(1), .noReply)))
        bench.air[QueueBench.camera(1)]!.deaf = false
        bench.air[QueueBench.camera(1)]!.links = [.test(1)]
        bench[1] = {
            var camera = bench[1]
            _ = camera.handle(.linkUp, at: bench.now)
            _ = camera.handle(.mtu(500), at: bench.now)
            _ = camera.handle(.subscribed, at: bench.now)
            return camera
        }()
        bench.eventQueue.removeAll { if case .gone = $0.event { true } else { false } }
        bench.feed(.radio(.linkOpen(.test(1), LinkParameters(mtu: 500, path: .call))))
        bench.pass(.seconds(3))
        #expect(bench.summary(1)?.state == .ready)
        #expect(bench.summary(1)?.link?.path == .call)
    }

    @Test("D14: a late link that nobody wants is ended") func d14LateLinkNobodyWants() {
        let bench = RigBench.of(1)
        bench.feed(
            .radio(.linkOpen(.test(9), LinkParameters(mtu: 500, path: .descriptor))))
        #expect(bench.requests.last?.request == .disconnect(.test(9)))
    }

    @Test("D15: signal strength is a hint of discovery and stays after it")
    func d15SignalStrengthHintDiscovery() {
        let bench = Self.ready(1)
        bench.pass(.seconds(60))
        #expect(bench.summary(1)?.rssi == -60)
        bench.feed(
            .radio(
                .sighting(
                    Sighting(link: .test(1), advertisement: .supported(.action4), rssi: nil))))
        #expect(bench.summary(1)?.rssi == -60)
    }

    @Test("D15: what BlueZ merely remembers is not connected") func d15WhatBlueZMerelyRemembers() {
        let bench = RigBench(RigBench.settings(cameras: 1))
        bench.feed(
            .radio(
                .sighting(
                    Sighting(link: .test(1), advertisement: .supported(.action4), rssi: nil))))
        bench.pass(.seconds(120))
        #expect(!bench.requests.contains { $0.request == .connect(.test(1)) })
        #expect(bench.summary(1)?.state == .absent)
    }

    @Test("what BlueZ holds connected already is taken over") func whatBlueZHoldsConnectedAlready()
    {
        let bench = RigBench.of(1)
        bench.feed(
            .radio(
                .sighting(
                    Sighting(
                        link: .test(1), advertisement: .supported(.action4), rssi: nil,
                        connected: true))))
        #expect(bench.requests.last?.request == .connect(.test(1)))
    }

    @Test("D16: after 60 s in which nobody was heard, looking starts anew") func d16After60SWhich()
    {
        let bench = RigBench(RigBench.settings(cameras: 1))
        bench.pass(.seconds(200))
        let starts = bench.requests.filter {
            $0.request == .startDiscovery(adapter: RigBench.adapterA)
        }
        #expect(starts.map { $0.at.seconds } == [100, 160, 220, 280])
        let stops = bench.requests.filter {
            $0.request == .stopDiscovery(adapter: RigBench.adapterA)
        }
        #expect(stops.map { $0.at.seconds } == [160, 220, 280])
    }

    @Test("D16: an adapter deaf for eleven minutes is turned off and on, once")
    func d16AdapterDeafElevenMinutes() {
        let bench = RigBench(RigBench.settings(cameras: 1))
        bench.receiverOn = false
        bench.pass(.seconds(3600))
        let cycles = bench.requests.filter {
            $0.request == .powerOff(adapter: RigBench.adapterA)
        }
        #expect(cycles.map { $0.at.seconds } == [760])
        #expect(bench.adapters[RigBench.adapterA]?.powered == true)
        #expect(bench.adapters[RigBench.adapterA]?.discovering == true)
    }

    @Test("D17: a device that vanishes and appears again is not given up")
    func d17DeviceVanishesAppearsAgain() {
        let bench = RigBench.of(1)
        bench.connectDelay = .seconds(100)
        bench.pass(.seconds(2))
        for _ in 1...3 {
            bench.feed(.radio(.connectEnded(.test(1), .unknownDevice)))
            bench.pass(.seconds(4))
        }
        bench.eventQueue.removeAll { if case .connected = $0.event { true } else { false } }
        bench.connectDelay = .milliseconds(400)
        bench.feed(.radio(.connectEnded(.test(1), .unknownDevice)))
        bench.pass(.seconds(30))
        #expect(bench.summary(1)?.state == .ready)
    }

    @Test("D20: a camera that is not heard for 60 s may be held by another controller")
    func d20CameraNotHeard60() {
        let bench = Self.ready(1)
        bench.air[QueueBench.camera(1)]!.present = false
        bench.lose(1)
        bench.pass(.seconds(59))
        #expect(bench.summary(1)?.state == .absent)
        #expect(bench.summary(1)?.error == "link lost")
        bench.pass(.seconds(4))
        #expect(bench.summary(1)?.error?.contains("held by another controller?") == true)
        let told = bench.notices.filter {
            $0.fields.contains { $0.value.contains("another controller") }
        }
        #expect(told.count == 1)
        bench.air[QueueBench.camera(1)]!.present = true
        bench.pass(.seconds(6))
        #expect(bench.summary(1)?.state == .ready)
        #expect(bench.summary(1)?.error == nil)
    }

    @Test("a camera whose adapter is missing says so, though another one hears it")
    func cameraWhoseAdapterMissingSays() {
        let bench = RigBench.of(1) { $0.roster[0].adapter = RigBench.adapterB }
        bench.pass(.seconds(30))
        #expect(bench.summary(1)?.state == .absent)
        #expect(bench.summary(1)?.error == "waits for adapter BB:BB:BB:BB:BB:02")
        bench.plug(RigBench.adapterB, name: "hci1")
        bench.pass(.seconds(20))
        #expect(bench.summary(1)?.state == .ready)
    }

    @Test("without an adapter every camera says so") func withoutAdapterEveryCameraSays() {
        let bench = RigBench.of(1, adapters: 0)
        bench.pass(.seconds(90))
        #expect(bench.summary(1)?.error == "no usable adapter")
        bench.plug(RigBench.adapterA)
        bench.pass(.seconds(15))
        #expect(bench.states == [.ready])
    }

    @Test("an unsupported model on the roster is named and never connected")
    func unsupportedModelRosterNamedNever() {
        let bench = RigBench(RigBench.settings(cameras: 1))
        for _ in 1...60 {
            bench.feed(
                .radio(
                    .sighting(
                        Sighting(
                            link: .test(1), advertisement: .unsupported("Osmo Nano"), rssi: -50))))
            bench.pass(.seconds(1))
        }
        #expect(bench.summary(1)?.state == .unsupported)
        #expect(bench.summary(1)?.error == "Osmo Nano does not speak this protocol")
        #expect(!bench.requests.contains { $0.request == .connect(.test(1)) })
        #expect(bench.command(.record(.start)).end.code == .unsupported)
    }
}
