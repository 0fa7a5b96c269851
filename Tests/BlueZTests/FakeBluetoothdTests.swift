import BlueZ
import Clock
import FakeBlueZ
import OsmoProtocol
import RadioPort
import Reactor
import Simulation
import Testing

/// The fake bluetoothd by itself: its control lines, its answers, and its air.
@Suite struct FakeBluetoothdTests {
    @Test(
        "a control line is understood",
        arguments: [
            "", "press cam1 record", "press all power", "confirm cam1", "refuse 60:60:1f:c0:00:00",
            "away cam2", "back cam2", "drop all", "stall cam1 on", "stall all off", "blink cam1",
            "set cam1 battery=50", "set all answer_ms=5", "fault cam1 abort=3", "fault all links=4",
            "fault 02:00:00:00:00:01 one_connect=yes", "fault cam1 mtu=69", "adapter all off",
            "adapter 02:00:00:00:00:01 on", "report",
        ])
    func controlLineUnderstood(line: String) throws {
        let scene = try Scene(cameras: 2)
        #expect(scene.standIn.command(line) == nil)
        scene.end()
    }

    @Test(
        "a control line that makes no sense is refused with a reason",
        arguments: [
            "jump", "press cam1", "press cam9 record", "press cam1 lens", "stall cam1 maybe",
            "set cam1 battery", "set cam1 battery=high", "set cam1 colour=red",
            "fault cam1 abort=-1",
            "fault cam1 abort=many", "fault cam9 abort=1", "fault cam1 stale=1", "fault cam1 =",
            "adapter cam1 off", "adapter all explode", "restart soon", "restart -1", "crash 3601",
            "away", "drop cam1 cam2",
        ])
    func controlLineMakesNoSense(line: String) throws {
        let scene = try Scene(cameras: 2)
        #expect(scene.standIn.command(line)?.isEmpty == false)
        scene.end()
    }

    @Test("a pressed button records, and the line says so") func pressedButtonRecordsLineSays()
        throws
    {
        let scene = try Scene()
        scene.command("press cam1 record")
        let isTold = scene.loop.turn { scene.lines.contains { $0.hasSuffix(" cam1 record start") } }
        #expect(isTold)
        scene.command("press cam1 record")
        let isStopped = scene.loop.turn {
            scene.lines.contains { $0.hasSuffix(" cam1 record stop") }
        }
        #expect(isStopped)
        scene.end()
    }

    @Test("lines begin with the monotonic instant") func linesBeginMonotonicInstant() throws {
        let scene = try Scene()
        scene.start()
        scene.open(scene.link())
        let line = try #require(scene.lines.first { $0.contains(" cam1 connected adapter=") })
        let stamp = try #require(line.split(separator: " ").first.flatMap { Int64($0) })
        let age = MonotonicClock.now() - Instant(nanoseconds: stamp)
        #expect(age >= .zero)
        #expect(age < .seconds(60))
        scene.end()
    }

    @Test("whoever connects to a stranger is told on") func whoeverConnectsStrangerTold() throws {
        let scene = try Scene(strangers: 1)
        scene.start()
        scene.radio.startDiscovery(scene.link().adapter)
        scene.loop.turn(for: .milliseconds(100))
        let stranger = LinkID(
            camera: FakeSettings.stranger(0).address, adapter: scene.link().adapter)
        scene.radio.connect(stranger)
        scene.awaits("end") { $0.isEnd(stranger) }
        #expect(scene.lines.contains { $0.hasSuffix(" stranger1 touched") })
        scene.end()
    }

    @Test("one stalled camera may hold all buffers, until its link goes")
    func oneStalledCameraMayHold() throws {
        let scene = try Scene(cameras: 2)
        scene.command("fault all shared_buffers=yes")
        scene.start()
        let links = [scene.link(0), scene.link(1)]
        for link in links {
            scene.open(link)
            scene.shakeHands(link)
        }
        let frame = Frame(GPSPush(voidAtDate: 20_260_701, time: 120_000), sequence: 1).encoded
        scene.command("stall cam1 on")
        for _ in 0..<16 {
            for link in links { #expect(scene.radio.write(frame, to: link)) }
            scene.loop.turn(for: .milliseconds(1))
        }
        #expect(scene.loop.turn { scene.voids(of: "cam2") >= 15 })
        let before = scene.voids(of: "cam2")
        #expect(scene.radio.write(frame, to: links[1]))
        scene.loop.turn(for: .milliseconds(50))
        #expect(scene.voids(of: "cam2") <= max(before, 16))
        scene.radio.disconnect(links[0])
        #expect(scene.loop.turn { scene.voids(of: "cam2") == 17 })
        #expect(scene.voids(of: "cam1") == 0)
        scene.end()
    }

    @Test("a device that nobody wants is forgotten, a trusted one is kept")
    func deviceNobodyWantsForgottenTrusted() throws {
        let scene = try Scene(cameras: 2, forget: .milliseconds(100))
        scene.start()
        scene.find(scene.link(0))
        scene.find(scene.link(1))
        scene.radio.trust(scene.link(1))
        scene.command("away all")
        scene.loop.turn(for: .milliseconds(250))
        scene.radio.connect(scene.link(0))
        scene.awaits("end") { $0 == .connectEnded(scene.link(0), .unknownDevice) }
        scene.command("back all")
        scene.radio.connect(scene.link(1))
        scene.awaits("open link") { $0.isOpen(scene.link(1)) }
        scene.end()
    }
}
