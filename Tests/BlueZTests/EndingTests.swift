import BlueZ
import Clock
import FakeBlueZ
import OsmoProtocol
import RadioPort
import Reactor
import Testing

/// How links end: by the camera, by us, with the adapter, with bluetoothd, or with the bus.
@Suite struct EndingTests {
    @Test("a dropped link is closed once, and takes no frame any more")
    func droppedLinkClosedOnceTakes() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.command("drop cam1")
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        #expect(!scene.radio.write([1], to: link))
        scene.loop.turn(for: .milliseconds(50))
        #expect(scene.count { $0 == .linkClosed(link) } == 1)
        #expect(!scene.events.contains { $0.isFailure(link) })
        scene.end()
    }

    @Test("Disconnect closes the link, and the next Connect works")
    func disconnectClosesLinkNextConnect() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.radio.disconnect(link)
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.forgetEvents()
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("a link found at the start is told as connected, and taken over")
    func linkFoundStartToldConnected() throws {
        let scene = try Scene(cameras: 2)
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.forgetEvents()
        // As if the daemon had been killed: nothing is cleaned up.
        scene.makeRadio()
        scene.start()
        scene.awaits("sighting") { event in
            if case .sighting(let sighting) = event {
                sighting.connected && sighting.link == link
            } else {
                false
            }
        }
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.shakeHands(link)
        scene.end()
    }

    @Test("leaving ends our links, and no others") func leavingEndsOurLinksNo() throws {
        let scene = try Scene(cameras: 2)
        scene.start()
        scene.open(scene.link(0))
        scene.open(scene.link(1))
        // Another program's radio.
        var isOpen = false
        let other = BlueZRadio(bus: scene.daemon.address, on: scene.loop) { event, _ in
            if event.isOpen(scene.link(1)) { isOpen = true }
        }
        other.start()
        scene.command("drop cam2")
        scene.awaits("closed link") { $0 == .linkClosed(scene.link(1)) }
        let isOthers = scene.loop.turn {
            other.connect(scene.link(1))
            scene.loop.turn(for: .milliseconds(20))
            return isOpen
        }
        #expect(isOthers)
        scene.radio.close()
        let isLeft = scene.loop.turn { scene.standIn.adapter(of: "cam1") == nil }
        #expect(isLeft)
        #expect(scene.standIn.adapter(of: "cam2") != nil)
        other.close()
        scene.end()
    }

    @Test("D13: an adapter that is turned off closes its links, and can be turned on")
    func d13AdapterTurnedOffCloses() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.command("adapter all off")
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.awaits("adapter off") { if case .adapter(let it) = $0 { !it.powered } else { false } }
        scene.radio.connect(link)
        scene.awaits("end") { $0 == .connectEnded(link, .notReady) }
        scene.forgetEvents()
        scene.radio.powerOn(link.adapter)
        scene.awaits("adapter on") { if case .adapter(let it) = $0 { it.powered } else { false } }
        // The radio knows the camera from before, so that no scan is needed.
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D13: rfkill is told") func d13RfkillTold() throws {
        let scene = try Scene()
        let address = scene.link().adapter
        scene.start()
        scene.command("adapter all block")
        scene.awaits("blocked") { if case .adapter(let it) = $0 { it.blocked } else { false } }
        scene.forgetEvents()
        scene.radio.powerOn(address)
        scene.awaits("blocked") {
            if case .adapter(let it) = $0 { it.blocked && !it.powered } else { false }
        }
        scene.command("adapter all unblock")
        scene.forgetEvents()
        scene.radio.powerOn(address)
        scene.awaits("on") {
            if case .adapter(let it) = $0 { !it.blocked && it.powered } else { false }
        }
        scene.end()
    }

    @Test("D12: an adapter that is unplugged comes back by its address")
    func d12AdapterUnpluggedComesBack() throws {
        let scene = try Scene(adapters: 2)
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.command("adapter \(link.adapter) remove")
        scene.awaits("gone") { $0 == .adapterGone(link.adapter) }
        let closed = scene.events.firstIndex(of: .linkClosed(link))
        let gone = scene.events.firstIndex(of: .adapterGone(link.adapter))
        #expect(try #require(closed) < #require(gone))
        scene.forgetEvents()
        scene.command("adapter \(link.adapter) add")
        scene.awaits("adapter") {
            if case .adapter(let it) = $0 {
                it.address == link.adapter && it.name == "hci2"
            } else {
                false
            }
        }
        scene.forgetEvents()
        scene.open(link)
        scene.end()
    }

    @Test("a camera is reached by either of two adapters") func cameraReachedEitherTwoAdapters()
        throws
    {
        let scene = try Scene(adapters: 2)
        scene.start()
        scene.open(scene.link(0, adapter: 1))
        #expect(scene.standIn.adapter(of: "cam1") == scene.link(0, adapter: 1).adapter)
        scene.radio.disconnect(scene.link(0, adapter: 1))
        scene.awaits("closed link") { $0 == .linkClosed(scene.link(0, adapter: 1)) }
        scene.open(scene.link(0, adapter: 0))
        #expect(scene.standIn.adapter(of: "cam1") == scene.link(0, adapter: 0).adapter)
        scene.end()
    }

    @Test("an adapter without room says so") func adapterWithoutRoomSaysSo() throws {
        let scene = try Scene(cameras: 2)
        scene.command("fault all links=1")
        scene.start()
        scene.open(scene.link(0))
        scene.find(scene.link(1))
        scene.radio.connect(scene.link(1))
        scene.awaits("full") { $0 == .connectEnded(scene.link(1), .adapterFull) }
        scene.end()
    }

    @Test("D8: a Connect sent right behind StopDiscovery waits for its answer")
    func d8ConnectSentRightBehind() throws {
        // While a scan runs, connecting takes ten seconds, which is one second at this slowness;
        // without a scan it takes half a second.
        let scene = try Scene(slowness: 0.1)
        let link = scene.link()
        scene.start()
        scene.radio.startDiscovery(link.adapter)
        scene.awaits("sighting") { if case .sighting = $0 { true } else { false } }
        scene.radio.stopDiscovery(link.adapter)
        scene.radio.connect(link)
        let start = scene.loop.now
        scene.awaits("end") { $0.isEnd(link) }
        #expect(scene.loop.now - start < .milliseconds(900))
        scene.end()
    }
}
