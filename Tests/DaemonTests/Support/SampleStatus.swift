import Clock
import Fleet
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort

@testable import Daemon

/// A status with a fix, a recording camera, an absent one and a stranger.
enum SampleStatus {
    static let now = Instant(nanoseconds: 100_000_000_000)

    static func make() -> DaemonStatus {
        DaemonStatus(
            version: "0.1.0", uptime: .milliseconds(12_340), rig: rig, bluetooth: .ok,
            track: TrackStatus(
                path: "/tracks/track-20260701T100000Z.csv", rows: 4000, isOn: true),
            logLevel: .info, instant: now)
    }

    static var fix: Fix {
        Fix(
            mode: .threeD, time: UnixTime(nanoseconds: 1_782_900_000_100_000_000), arrival: now,
            latitudeDegrees: 48.1371540, longitudeDegrees: -11.5, heightMetres: 520.1,
            speedMetresPerSecond: 15, courseDegrees: 285.84, satellites: 12, hdop: 0.9,
            quality: .rtkFixed, device: "/dev/ttyACM0")
    }

    static var rig: RigStatus {
        RigStatus(
            gps: GPSStatus(
                state: .fix3d, fix: fix, device: "/dev/ttyACM0", rateHertz: 10,
                age: .milliseconds(30), timeTrusted: true),
            push: PushStatus(rateHertz: 10, targetHertz: 10, sent: 4000, dropped: 0, void: 2),
            cameras: [front, rear, stranger],
            adapters: [
                AdapterSummary(
                    address: BluetoothAddress(value: 0xAABB_CCDD_EEFF), name: "hci0", usable: true,
                    links: 1, error: nil)
            ])
    }

    static var front: CameraSummary {
        var camera = CameraSummary(
            name: "front", address: BluetoothAddress(value: 0x6060_1F60_11E7), state: .ready,
            stateSince: now - .seconds(20))
        camera.number = 1
        camera.adapter = BluetoothAddress(value: 0xAABB_CCDD_EEFF)
        camera.model = .action4
        camera.status = status
        camera.statusInstant = now - .milliseconds(400)
        camera.text = StatusText(mode: "VIDEO", parameters: "4K60 RS")
        camera.statusFresh = true
        camera.recording = true
        camera.recordSeconds = 12
        camera.gps = .pushing
        camera.pushed = 1000
        camera.rssi = -58
        camera.product = "DJI-ACTION4"
        camera.link = LinkParameters(mtu: 517, path: .descriptor)
        camera.roundTrip = .milliseconds(35)
        camera.refusedModes = [0x34]
        return camera
    }

    /// protocol 6.2, status_video_recording.
    static var status: CameraStatus? {
        let frame: [UInt8]? = [UInt8](
            hexadecimal:
                "AA380000000000001BD382221D0201031006034B00000000000000000060EA00000F270000"
                + "1815000000000100000000000000570302A859")
        guard let frame, let decoded = try? Frame(datagram: frame) else { return nil }
        return CameraStatus(payload: decoded.payload)
    }

    static var rear: CameraSummary {
        var camera = CameraSummary(
            name: "rear", address: BluetoothAddress(value: 0x6060_1F60_11E8), state: .absent,
            stateSince: now - .seconds(90))
        camera.number = 2
        camera.model = .osmo360
        camera.error = "not heard for 60 s: off, asleep, or held by DJI Mimo?"
        return camera
    }

    static var stranger: CameraSummary {
        CameraSummary(
            name: "action6-0001", address: BluetoothAddress(value: 0x6060_1F00_0001),
            state: .listed, stateSince: now)
    }
}
