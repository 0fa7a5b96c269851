import BlueZ
import Clock
import FakeBlueZ
import OsmoProtocol
import RadioPort
import Testing

/// bluetoothd and the bus go and come back.
@Suite struct ServiceTests {
    @Test(
        "D11: bluetoothd dies: everything is dropped, rebuilt and usable",
        arguments: ["restart", "crash"])
    func d11BluetoothdDiesEverythingDropped(how: String) throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.forgetEvents()
        scene.command("\(how) 0.1")
        scene.awaits("loss") { $0 == .available(false) }
        #expect(!scene.radio.write([1], to: link))
        scene.awaits("return") { $0 == .available(true) }
        scene.awaits("adapter") { if case .adapter = $0 { true } else { false } }
        // The camera was connected before, so that it is known without a scan.
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        #expect(!scene.events.contains(.linkClosed(link)))
        scene.end()
    }

    @Test("D11: a Connect that is out when bluetoothd dies is over without a word")
    func d11ConnectOutWhenBluetoothd() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.command("fault cam1 deaf=yes")
        scene.start()
        scene.find(link)
        scene.radio.connect(link)
        scene.loop.turn(for: .milliseconds(50))
        scene.command("crash 0.1")
        scene.awaits("return") { $0 == .available(false) }
        scene.awaits("return") { $0 == .available(true) }
        #expect(!scene.events.contains { $0.isEnd(link) })
        scene.end()
    }

    @Test("D11: the bus dies and returns") func d11BusDiesReturns() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.forgetEvents()
        scene.daemon.stop()
        scene.awaits("loss") { $0 == .available(false) }
        #expect(!scene.radio.isBusConnected)
        try scene.daemon.start()
        scene.awaits("return") { $0 == .available(true) }
        scene.awaits("adapter") { if case .adapter = $0 { true } else { false } }
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D11: the radio may start before bluetoothd") func d11RadioMayStartBefore() throws {
        let scene = try Scene()
        scene.standIn.stop()
        scene.radio.start()
        scene.awaits("absence") { $0 == .available(false) }
        #expect(scene.radio.isBusConnected)
        scene.standIn.start()
        scene.awaits("arrival") { $0 == .available(true) }
        scene.end()
    }

    @Test("what others on the bus pretend is not believed") func whatOthersBusPretendNot() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.forgetEvents()
        let stranger = Bus(scene.daemon.address, on: scene.loop)
        stranger.open()
        #expect(scene.loop.turn { stranger.isConnected })
        // Sent on every connection; one of them is the radio's.
        let path = "/org/bluez/hci0/dev_60_60_1F_C0_00_00"
        for number in 0..<20 {
            let lie = BusMessage(
                signal: "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path)
            lie.destination = ":1.\(number)"
            lie.append { writer in
                writer.append("org.bluez.Device1")
                writer.array("{sv}") { properties in
                    properties.entry { entry in
                        entry.append("Connected")
                        entry.variant("b") { $0.append(false) }
                    }
                }
                writer.append([String]())
            }
            stranger.send(lie)
        }
        scene.loop.turn(for: .milliseconds(50))
        #expect(scene.events.isEmpty)
        scene.shakeHands(link)
        scene.end()
    }

    @Test("ten cameras connect one after the other and all take pushes")
    func tenCamerasConnectOneAfter() throws {
        let scene = try Scene(cameras: 10)
        scene.start()
        let links = (0..<10).map { scene.link($0) }
        for link in links { scene.open(link) }
        for link in links { scene.shakeHands(link) }
        let push = GPSPush(voidAtDate: 20_260_701, time: 120_000)
        let frame = Frame(push, sequence: 1).encoded
        for _ in 0..<5 {
            for link in links { #expect(scene.radio.write(frame, to: link)) }
            scene.loop.turn(for: .milliseconds(2))
        }
        for number in 1...10 {
            let name = "cam\(number)"
            #expect(scene.loop.turn { scene.voids(of: name) == 5 }, "\(name)")
        }
        scene.end()
    }
}
