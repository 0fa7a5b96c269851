import BlueZ
import Clock
import FakeBlueZ
import OsmoProtocol
import RadioPort
import Reactor
import Simulation
import Testing

/// A camera from its advertisement to frames in both directions, and back.
@Suite struct LinkTests {
    @Test("a camera is found, connected and open, in this order")
    func cameraFoundConnectedOpenThis() throws {
        let scene = try Scene()
        let link = scene.link()
        scene.start()
        scene.open(link)
        let order = scene.events.compactMap { event -> String? in
            switch event {
            case .available(let isThere): "available \(isThere)"
            case .connectEnded(link, let result): "ended \(result)"
            case .linkOpen(link, let open): "open \(open.mtu) \(open.path == .descriptor)"
            case .linkClosed, .setupFailed, .frameDropped: "trouble"
            default: nil
            }
        }
        #expect(order == ["available true", "ended ok", "open 500 true"])
        scene.end()
    }

    @Test("a sighting tells model, name and strength, at most once a second")
    func sightingTellsModelNameStrength() throws {
        let scene = try Scene(cameras: 2, strangers: 5, timing: BlueZTiming())
        scene.start()
        scene.radio.startDiscovery(scene.link().adapter)
        scene.loop.turn(for: .milliseconds(300))
        var sightings: [LinkID: [Sighting]] = [:]
        for case .sighting(let sighting) in scene.events {
            sightings[sighting.link, default: []].append(sighting)
        }
        // Both cameras, and the one without R SDK among the strangers; no other device.
        #expect(sightings.count == 3)
        #expect(sightings.values.allSatisfy { $0.count == 1 })
        let first = sightings[scene.link(0)]?.first
        #expect(first?.advertisement == .supported(.action4))
        #expect(first?.name == "OsmoAction4-0000")
        #expect(first?.rssi == -45)
        #expect(first?.connected == false)
        #expect(!scene.lines.contains { $0.hasSuffix("touched") })
        scene.end()
    }

    @Test(
        "D10: a frame goes out and its answer comes in, by descriptor and by call",
        arguments: [false, true])
    func d10FrameGoesOutAnswer(
        byCall: Bool
    ) throws {
        let scene = try Scene()
        let link = scene.link()
        if byCall { scene.command("fault cam1 no_acquire=yes") }
        scene.start()
        scene.open(link)
        #expect(
            scene.events.contains(
                .linkOpen(link, LinkParameters(mtu: 500, path: byCall ? .call : .descriptor))))
        scene.shakeHands(link)
        let push = GPSPush(
            date: 20_260_701, time: 180_000, latitudeDegrees: 48.1, longitudeDegrees: 11.5,
            heightMetres: 520, northMetresPerSecond: 1, eastMetresPerSecond: -2,
            downMetresPerSecond: 0, horizontalAccuracyMetres: 1, verticalAccuracyMetres: 2,
            speedAccuracyMetresPerSecond: 0.1, satellites: 12)
        let frame = try Frame(#require(push), sequence: 77)
        #expect(scene.write(frame, to: link))
        #expect(scene.loop.turn { scene.standIn.camera("cam1")?.pushes.positions == 1 })
        #expect(
            scene.lines.contains {
                $0.contains(" cam1 gps seq=77 lat_e7=481000000 lon_e7=115000000 height_mm=520000")
            })
        #expect(scene.standIn.camera("cam1")?.violations.isEmpty == true)
        scene.end()
    }
}
