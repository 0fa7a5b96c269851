import BlueZ
import Clock
import FakeBlueZ
import Glibc
import RadioPort
import Reactor
import Testing

/// Adapters that come and go while calls are under way, and adapters that share an address.
@Suite struct AdapterLifeTests {
    private static let adapter = FakeSettings.adapter(0)

    @Test("an answer to a call of an unplugged adapter is not laid to the one that returned")
    func lateAnswer() throws {
        var timing = Scene.timing
        timing.call = .milliseconds(400)
        let scene = try Scene(timing: timing)
        let link = scene.link()
        scene.start()
        scene.command("fault \(Self.adapter) hold_scan=1")
        scene.radio.startDiscovery(Self.adapter)
        scene.loop.turn(for: .milliseconds(50))
        scene.command("adapter \(Self.adapter) remove")
        scene.awaits("going") { $0 == .adapterGone(Self.adapter) }
        scene.forgetEvents()
        scene.command("adapter \(Self.adapter) add")
        scene.awaits("return") { if case .adapter = $0 { true } else { false } }
        scene.radio.startDiscovery(Self.adapter)
        // The old call times out meanwhile.
        scene.loop.turn(for: .milliseconds(600))
        scene.radio.stopDiscovery(Self.adapter)
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("a second adapter with one address is ignored aloud, and touching it touches nothing")
    func twins() throws {
        let scene = try Scene(adapters: 2, areTwins: true)
        let link = scene.link()
        scene.start()
        scene.awaits("word of the second") {
            $0 == .adapterIgnored(Self.adapter, name: "hci1", inUse: "hci0")
                || $0 == .adapterIgnored(Self.adapter, name: "hci0", inUse: "hci1")
        }
        let isFirst = scene.events.contains(
            .adapterIgnored(Self.adapter, name: "hci1", inUse: "hci0"))
        let (used, unused) = isFirst ? ("hci0", "hci1") : ("hci1", "hci0")
        scene.open(link)
        scene.shakeHands(link)
        scene.forgetEvents()
        for action in ["off", "on", "block", "unblock", "remove", "add"] {
            scene.command("adapter \(unused) \(action)")
            scene.loop.turn(for: .milliseconds(30))
            if action == "add" { break }
        }
        #expect(!scene.events.contains(.adapterGone(Self.adapter)))
        #expect(!scene.events.contains(.linkClosed(link)))
        #expect(!scene.events.contains { if case .adapter = $0 { true } else { false } })
        // The second adapter is used when the first one goes.
        scene.forgetEvents()
        scene.command("adapter \(used) remove")
        scene.awaits("going") { $0 == .adapterGone(Self.adapter) }
        scene.awaits("the other") { if case .adapter = $0 { true } else { false } }
        scene.open(link)
        scene.end()
    }

    @Test("a link that a killed run left is reported as connected, and its end too")
    func leftLink() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.makeRadio()
        scene.forgetEvents()
        scene.start()
        scene.awaits("connected device") {
            if case .sighting(let sighting) = $0 { sighting.connected } else { false }
        }
        scene.command("away cam1")
        scene.awaits("its end") {
            if case .sighting(let sighting) = $0 { !sighting.connected } else { false }
        }
        scene.end()
    }
}

/// Only one daemon may use a bus.
@Suite struct BusClaimTests {
    private func radio(
        on bus: PrivateBus, _ loop: EventLoop, _ taken: @escaping (Int32?, Bool) -> Void,
        _ heard: @escaping (RadioEvent) -> Void
    ) -> BlueZRadio {
        var timing = BlueZTiming()
        timing.claim = .milliseconds(100)
        timing.claimAtStart = .milliseconds(500)
        let radio = BlueZRadio(bus: bus.address, on: loop, timing: timing, isExclusive: true) {
            event, _ in heard(event)
        }
        radio.onTaken = taken
        return radio
    }

    @Test("the second is told whose it is and touches nothing until the first has gone")
    func second() throws {
        let scene = try Scene()
        var first: [RadioEvent] = []
        var second: [RadioEvent] = []
        var reports: [(Int32?, Bool)] = []
        let one = radio(on: scene.daemon, scene.loop, { _, _ in }, { first.append($0) })
        one.start()
        #expect(scene.loop.turn { first.contains(.available(true)) })
        let two = radio(
            on: scene.daemon, scene.loop, { reports.append(($0, $1)) }, { second.append($0) })
        two.start()
        #expect(scene.loop.turn { !reports.isEmpty })
        scene.loop.turn(for: .milliseconds(350))
        #expect(reports.count == 1)
        #expect(reports[0].0 == getpid())
        #expect(reports[0].1)
        #expect(!second.contains(.available(true)))
        #expect(!second.contains { if case .adapter = $0 { true } else { false } })
        one.close()
        #expect(scene.loop.turn { second.contains(.available(true)) })
        two.close()
        scene.end()
    }

    @Test("a bus that returns is claimed anew; who comes later than at the start is told so")
    func busReturns() throws {
        let scene = try Scene()
        var first: [RadioEvent] = []
        let one = radio(on: scene.daemon, scene.loop, { _, _ in }, { first.append($0) })
        one.start()
        #expect(scene.loop.turn { first.contains(.available(true)) })
        scene.daemon.stop()
        #expect(scene.loop.turn { first.contains(.available(false)) })
        first = []
        try scene.daemon.start()
        #expect(scene.loop.turn { first.contains(.available(true)) })
        var reports: [(Int32?, Bool)] = []
        let two = radio(on: scene.daemon, scene.loop, { reports.append(($0, $1)) }, { _ in })
        two.start()
        #expect(scene.loop.turn { !reports.isEmpty })
        two.close()
        one.close()
        scene.end()
    }
}
