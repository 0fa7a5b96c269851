import Clock
import Fleet
import OsmoProtocol
import Testing

@testable import Daemon
@testable import Service

/// Reads a configuration text over the defaults.
func configuration(_ text: String) -> (configuration: Configuration, faults: [ConfigurationFault]) {
    Configuration.read(Array(text.utf8))
}

/// The faults of a configuration text, in the daemon's words.
func complaints(_ text: String) -> [String] {
    configuration(text).faults.map { $0.text(file: "x.conf") }
}

@Suite struct ConfigurationTests {
    @Test("An empty file is the defaults") func emptyFileDefaults() {
        let read = configuration("")
        #expect(read.configuration == Configuration())
        #expect(read.faults.isEmpty)
    }

    @Test("Every key is read") func everyKeyRead() {
        let read = configuration(
            """
            [gps]
            host = gps.example
            port = 3000
            device = /dev/ttyACM0
            [push]
            rate = 5
            motion = hold
            time = utc-03:30
            [fleet]
            admit = any
            adapters = 00:1a:7d:da:71:13, 00:1A:7D:DA:71:14
            watchdog = 10
            retries = 3
            at_exit = stop
            [control]
            fifo = none
            socket = /tmp/s
            group = video
            [track]
            directory = /data/a = b
            rotate = 10M
            sync = 1
            pushes = on
            keep = 30 days
            min_free = 1G
            [state]
            directory = /state
            capture = /tmp/capture
            [camera front]
            address = 60:60:1f:60:11:e7
            number = 7
            adapter = 00:1A:7D:DA:71:13
            optional = yes
            """)
        #expect(read.faults.isEmpty)
        var wanted = Configuration()
        wanted.gps = .init(host: "gps.example", port: 3000, device: "/dev/ttyACM0")
        wanted.push = .init(rate: 5, motion: .hold, time: .offset(.seconds(-12_600)))
        let adapter = BluetoothAddress(value: 0x001A_7DDA_7113)
        wanted.fleet = .init(
            admit: .any, adapters: [adapter, BluetoothAddress(value: 0x001A_7DDA_7114)],
            watchdog: 10, retries: 3, atExit: .stop)
        wanted.control = .init(fifo: nil, socket: "/tmp/s", group: "video")
        wanted.track = TrackSettings(directory: "/data/a = b")
        wanted.track.rotation = .size(10 << 20)
        wanted.track.sync = .seconds(1)
        wanted.track.pushes = .on
        wanted.track.keep = .days(30)
        wanted.track.minimumFree = 1 << 30
        wanted.state = .init(directory: "/state", capture: "/tmp/capture")
        wanted.cameras = [
            RosterEntry(
                name: "front", number: 7, address: BluetoothAddress(value: 0x6060_1F60_11E7),
                adapter: adapter, optional: true)
        ]
        #expect(read.configuration == wanted)
        #expect(read.configuration.trackSettings.rate == 5)
    }

    @Test("The core's settings follow") func coreSSettingsFollow() {
        var configuration = Configuration()
        configuration.push.rate = 3
        configuration.fleet.watchdog = 9
        let identity = ControllerIdentity(deviceID: 5, address: BluetoothAddress(value: 6))
        let settings = configuration.rigSettings(
            identity: identity, roster: [], seed: 1, buildDate: UnixTime(nanoseconds: 0))
        #expect(settings.rate == 3)
        #expect(settings.watchdog == .seconds(9))
        #expect(settings.timeField == .offset(.zero))
        #expect(settings.identity == identity)
    }

    static let allowed: [(String, String, [String], [String])] = [
        ("gps", "port", ["1", "65535"], ["0", "65536", "-1", "http", "", "0x10", "2 9"]),
        (
            "gps", "host", ["::1", "localhost", String(repeating: "h", count: 253)],
            ["", "a b", String(repeating: "h", count: 254)]
        ),
        ("push", "rate", ["1", "10"], ["0", "11", "9.5", "", "ten"]),
        ("push", "motion", ["hold", "extrapolate"], ["Hold", "", "linear"]),
        (
            "push", "time",
            ["utc", "local", "utc+8", "utc+08", "utc+14:00", "utc-14:00", "utc+5:45", "utc+00:00"],
            [
                "", "UTC", "utc+", "utc+14:01", "utc+15", "utc8", "utc+8:5", "utc+8:60",
                "utc+8:00:00", "gmt",
            ]
        ),
        ("fleet", "admit", ["roster", "any"], ["all", ""]),
        (
            "fleet", "adapters", ["auto", "00:1A:7D:DA:71:13"],
            [
                "", "hci0", "auto,00:1A:7D:DA:71:13", "00:1A:7D:DA:71:13,",
                "00:1A:7D:DA:71:13,00:1a:7d:da:71:13",
            ]
        ),
        ("fleet", "watchdog", ["3", "600"], ["2", "601"]),
        ("fleet", "retries", ["0", "1000"], ["-1", "1001"]),
        ("fleet", "at_exit", ["leave", "stop", "sleep"], ["off"]),
        ("control", "fifo", ["none", "/a"], ["", String(repeating: "p", count: 4096)]),
        (
            "control", "socket", ["none", "/" + String(repeating: "s", count: 106)],
            ["", "/" + String(repeating: "s", count: 107)]
        ),
        ("control", "group", ["", "video"], ["a b", String(repeating: "g", count: 33)]),
        (
            "track", "rotate", ["day", "1", "500", "4K", "10M", "2G", "1024G"],
            ["", "0", "0K", "K", "1T", "1025G", "1.5M", "1 K", "10k", "99999999999999999999"]
        ),
        ("track", "sync", ["1", "300"], ["0", "301"]),
        ("track", "pushes", ["auto", "on", "off"], ["yes", ""]),
        (
            "track", "keep", ["all", "1 day", "36500 days", "1M", "20G"],
            ["", "0 days", "36501 days", "days", "5 weeks", "30", "1023K"]
        ),
        ("track", "min_free", ["0", "1", "32M"], ["", "none", "-1"]),
        ("state", "directory", ["/s"], ["none", ""]),
        ("state", "capture", ["/s", "none"], [""]),
    ]

    @Test("A value within its bounds is taken, beyond them named", arguments: allowed)
    func valueWithinBoundsTakenBeyond(
        section: String, key: String, good: [String], bad: [String]
    ) {
        for value in good {
            #expect(complaints("[\(section)]\n\(key) = \(value)\n") == [], "\(value)")
        }
        for value in bad {
            let lines = complaints("[\(section)]\n\n\(key) = \(value)\n")
            #expect(lines.count == 1, "\(value)")
            let head = "x.conf:3: [\(section)] \(key): \"\(value)\" is not allowed; allowed: "
            #expect(lines.first?.hasPrefix(head) == true, "\(lines)")
        }
    }

    @Test("FIFO and socket cannot be one path") func fifoSocketCannotOnePath() {
        #expect(complaints("[control]\nfifo = /a\nsocket = /a\n").count == 1)
        #expect(complaints("[control]\nfifo = none\nsocket = none\n").isEmpty)
    }

    @Test("A simulation writes nothing but what is configured")
    func simulationWritesNothingButWhat() {
        let text = "[track]\ndirectory = /t\n"
        let read = Configuration.read(Array(text.utf8), defaults: .simulation).configuration
        #expect(read.control.fifo == nil && read.control.socket == nil)
        #expect(read.state.directory == nil)
        #expect(read.track.directory == "/t")
    }

    @Test("Made-up cameras stand beside those of the file, each with an address of its own")
    func madeUpCamerasStandBeside() {
        let first = SimulatedHardware.addresses(1)[0]
        var read = configuration("[camera mine]\naddress = \(first)\nnumber = 2\n").configuration
        read.addSimulatedCameras(upTo: 3)
        #expect(read.cameras.map(\.name) == ["mine", "cam1", "cam3"])
        #expect(Set(read.cameras.map(\.address)).count == 3)
        read.addSimulatedCameras(upTo: 2)
        #expect(read.cameras.count == 3)
    }
}
