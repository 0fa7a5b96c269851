import BlueZ
import Clock
import FakeBlueZ
import RadioPort
import Testing

/// Each of BlueZ's quirks (field notes D1 to D17), and how the radio deals with it.
@Suite struct FaultTests {
    /// A Connect that fails once and succeeds the next time.
    @Test(
        "D1, D3, D6: a refused Connect is told by its reason, and the next one works",
        arguments: [
            ("fault cam1 in_progress=1", ConnectOutcome.inProgress),
            ("fault cam1 abort=1", .aborted),
            ("fault cam1 software_abort=1", .aborted),
        ])
    func d1D3D6RefusedConnect(
        fault: String, result: ConnectOutcome
    ) throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command(fault)
        scene.radio.connect(link)
        scene.awaits("end") { $0.isEnd(link) }
        #expect(scene.events.contains(.connectEnded(link, result)))
        #expect(!scene.events.contains(.linkClosed(link)))
        scene.loop.turn(for: .milliseconds(20))
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D2: a stale pending Connect ends with Disconnect") func d2StalePendingConnectEnds()
        throws
    {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("fault cam1 stale=yes")
        for _ in 0..<2 {
            scene.forgetEvents()
            scene.radio.connect(link)
            scene.awaits("end") { $0.isEnd(link) }
            #expect(scene.events.contains(.connectEnded(link, .inProgress)))
        }
        scene.radio.disconnect(link)
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D4: objects that come after ServicesResolved, without a word, are found")
    func d4ObjectsComeAfterServicesResolved() throws {
        let scene = try Scene(slowness: 0.1)
        let link = scene.link()
        scene.start()
        scene.find(link)
        // The objects come 100 ms after ServicesResolved: a request sent at once is too early.
        scene.command("fault cam1 late_objects=1")
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D4, D9: objects that never come fail the setup, after a grace")
    func d4D9ObjectsNeverCome() throws {
        var timing = Scene.timing
        timing.characteristics = .milliseconds(100)
        let scene = try Scene(timing: timing)
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("fault cam1 no_objects=1")
        scene.radio.connect(link)
        scene.awaits("failure") { $0.isFailure(link) }
        #expect(scene.events.contains(.setupFailed(link, .noCharacteristics)))
        scene.radio.disconnect(link)
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        #expect(scene.count { $0 == .linkClosed(link) } == 1)
        scene.end()
    }

    @Test("D5: services that are never resolved leave the link to be given up")
    func d5ServicesNeverResolvedLeave() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("fault cam1 unresolved=1")
        scene.radio.connect(link)
        scene.awaits("end") { $0 == .connectEnded(link, .ok) }
        scene.loop.turn(for: .milliseconds(100))
        #expect(!scene.events.contains { $0.isOpen(link) || $0.isFailure(link) })
        scene.radio.disconnect(link)
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D7: a device whose object went with the scan is unknown, until the next")
    func d7DeviceWhoseObjectWent() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.command("fault cam1 vanish=yes")
        scene.start()
        scene.find(link)
        scene.loop.turn(for: .milliseconds(50))
        scene.radio.connect(link)
        scene.awaits("end") { $0.isEnd(link) }
        #expect(scene.events.contains(.connectEnded(link, .unknownDevice)))
        scene.radio.startDiscovery(link.adapter)
        let isOpen = scene.loop.turn {
            scene.forgetEvents()
            scene.radio.connect(link)
            scene.awaits("end") { $0.isEnd(link) }
            return scene.events.contains(.connectEnded(link, .ok))
        }
        #expect(isOpen)
        scene.end()
    }

    @Test("D8: a link that is not established dies, and is told as closed once")
    func d8LinkNotEstablishedDies() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("fault cam1 establish=1")
        scene.radio.connect(link)
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        #expect(scene.events.contains(.connectEnded(link, .ok)))
        #expect(!scene.events.contains { $0.isOpen(link) })
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        #expect(scene.count { $0 == .linkClosed(link) } == 1)
        scene.end()
    }

    @Test("D9: a stale cache fails the setup until the device is removed")
    func d9StaleCacheFailsSetup() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("fault cam1 stale_cache=yes")
        scene.radio.connect(link)
        scene.awaits("failure") { $0.isFailure(link) }
        #expect(
            scene.events.contains(
                .setupFailed(link, .notify("Operation failed with ATT error: 0x0e"))))
        scene.radio.remove(link)
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.forgetEvents()
        scene.open(link)
        scene.end()
    }

    @Test("D9: objects that BlueZ has no more are forgotten, and the setup fails")
    func d9ObjectsBlueZHasNo() throws {
        var timing = Scene.timing
        timing.characteristics = .milliseconds(50)
        let scene = try Scene(timing: timing)
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.radio.disconnect(link)
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.forgetEvents()
        // The devices are gone without InterfacesRemoved, so that the radio still knows them.
        scene.command("fault cam1 no_objects=2")
        for _ in 0..<2 {
            scene.forgetEvents()
            scene.radio.connect(link)
            scene.awaits("failure") { $0 == .setupFailed(link, .noCharacteristics) }
            scene.radio.disconnect(link)
            scene.awaits("closed link") { $0 == .linkClosed(link) }
        }
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D14: a Connect without answer is one that went well once services are there")
    func d14ConnectWithoutAnswerOne()
        throws
    {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("fault cam1 no_reply=1")
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        #expect(scene.events.contains(.connectEnded(link, .ok)))
        scene.command("drop cam1")
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        #expect(scene.count { $0.isEnd(link) } == 1)
        scene.end()
    }

    @Test("D14: a Connect that was given up for lost may come up late") func d14ConnectGivenUpLost()
        throws
    {
        var timing = Scene.timing
        timing.connect = .milliseconds(30)
        // The link comes 400 ms after Connect, and the property Connected 100 ms after the link.
        let scene = try Scene(slowness: 1, timing: timing)
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.radio.connect(link)
        scene.awaits("end") { $0.isEnd(link) }
        #expect(scene.events.contains(.connectEnded(link, .noReply)))
        scene.awaits("open link") { $0.isOpen(link) }
        #expect(scene.count { $0.isEnd(link) } == 1)
        scene.command("drop cam1")
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.end()
    }

    @Test("D17: a device that goes and is back can be connected again") func d17DeviceGoesBackCan()
        throws
    {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.command("blink cam1")
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        scene.forgetEvents()
        scene.open(link)
        scene.end()
    }

    @Test("D3: a camera that never answers is given up by the kernel")
    func d3CameraNeverAnswersGiven() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.command("fault cam1 deaf=yes")
        scene.start()
        scene.find(link)
        scene.radio.connect(link)
        scene.awaits("end") { $0.isEnd(link) }
        #expect(scene.events.contains(.connectEnded(link, .aborted)))
        scene.end()
    }

    @Test("D3: Disconnect ends a Connect to it before that") func d3DisconnectEndsConnectBefore()
        throws
    {
        let scene = try Scene(slowness: 1)
        let link = scene.link()
        scene.command("fault cam1 deaf=yes")
        scene.start()
        scene.find(link)
        scene.radio.connect(link)
        scene.loop.turn(for: .milliseconds(200))
        #expect(!scene.events.contains { $0.isEnd(link) })
        scene.radio.disconnect(link)
        scene.awaits("end", within: .seconds(1)) { $0.isEnd(link) }
        #expect(scene.events.contains(.connectEnded(link, .aborted)))
        scene.end()
    }

    @Test("D3, D11: a bluetoothd that dies of it is told as gone, and comes back")
    func d3D11BluetoothdDiesTold() throws {
        let scene = try Scene(slowness: 0.1)
        let link = scene.link()
        scene.command("fault cam1 deaf=yes")
        scene.command("fault all fatal_connect=yes")
        scene.start()
        scene.find(link)
        scene.radio.connect(link)
        scene.awaits("loss") { $0 == .available(false) }
        scene.forgetEvents()
        scene.awaits("return") { $0 == .available(true) }
        scene.command("fault cam1 deaf=no")
        scene.open(link)
        scene.end()
    }

    @Test("an absent camera's Connect is given up by bluetoothd") func absentCameraSConnectGiven()
        throws
    {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("away cam1")
        scene.radio.connect(link)
        scene.awaits("end") { $0.isEnd(link) }
        #expect(scene.events.contains(.connectEnded(link, .aborted)))
        scene.end()
    }

    @Test("a Connect waits for a camera that comes back") func connectWaitsCameraComesBack() throws
    {
        let scene = try Scene(slowness: 0.1)
        let link = scene.link()
        scene.start()
        scene.find(link)
        scene.command("away cam1")
        scene.radio.connect(link)
        scene.loop.turn(for: .milliseconds(50))
        scene.command("back cam1")
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("an MTU that carries no push fails the setup", arguments: [(68, false), (69, true)])
    func mtuCarriesNoPushFails(mtu: Int, isEnough: Bool) throws {
        for fault in ["no_acquire=no", "no_acquire=yes"] {
            let scene = try Scene()
            let link = scene.link()
            scene.command("fault cam1 mtu=\(mtu)")
            scene.command("fault cam1 \(fault)")
            scene.start()
            scene.find(link)
            scene.radio.connect(link)
            scene.awaits("end") { $0.isOpen(link) || $0.isFailure(link) }
            #expect(scene.events.contains { $0.isOpen(link) } == isEnough)
            #expect(scene.events.contains(.setupFailed(link, .mtu(mtu))) == !isEnough)
            scene.end()
        }
    }

    @Test("a Disconnect that is never answered still ends the link for us")
    func disconnectNeverAnsweredStillEnds() throws {
        var timing = Scene.timing
        timing.disconnect = .milliseconds(50)
        let scene = try Scene(timing: timing)
        let link = scene.link()
        scene.start()
        scene.open(link)
        scene.command("fault cam1 hold_disconnect=1")
        scene.radio.disconnect(link)
        scene.awaits("closed link") { $0 == .linkClosed(link) }
        // BlueZ still holds the link, so that the next attempt begins with the set-up.
        scene.forgetEvents()
        scene.radio.connect(link)
        scene.awaits("open link") { $0.isOpen(link) }
        scene.end()
    }

    @Test("D10: WriteValue takes one frame at a time, and drops the others")
    func d10WriteValueTakesOneFrame() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.command("fault cam1 no_acquire=yes")
        scene.start()
        scene.open(link)
        let frame = [UInt8](repeating: 0xAA, count: 66)
        #expect(scene.radio.write(frame, to: link))
        #expect(!scene.radio.write(frame, to: link))
        #expect(scene.loop.turn { scene.radio.write(frame, to: link) })
        scene.end()
    }

    @Test("a frame that is longer than an ATT write is not taken") func frameLongerThanATTWrite()
        throws
    {
        for fault in ["no_acquire=no", "no_acquire=yes"] {
            let scene = try Scene()
            let link = scene.link()
            scene.command("fault cam1 mtu=100")
            scene.command("fault cam1 \(fault)")
            scene.start()
            scene.open(link)
            #expect(!scene.radio.write([UInt8](repeating: 0, count: 98), to: link))
            #expect(scene.radio.write([UInt8](repeating: 0, count: 97), to: link))
            scene.end()
        }
    }

    @Test("a descriptor takes a dozen frames or so that nobody reads, not more")
    func descriptorTakesDozenFramesOr() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        // The fake bluetoothd runs on this thread, so that it reads nothing meanwhile.
        let frame = [UInt8](repeating: 0xAA, count: 66)
        let taken = (0..<100).count { _ in scene.radio.write(frame, to: link) }
        #expect((4...20).contains(taken), "\(taken)")
        scene.end()
    }
}
