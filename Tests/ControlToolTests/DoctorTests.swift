import Clock
import Foundation
import LineProtocol
import Testing

@testable import ControlTool

@Suite struct DoctorTests {
    /// The facts of a machine on which everything is right.
    private static let fine: DoctorFacts = {
        var facts = DoctorFacts()
        facts.gpsd = DoctorFacts.GPSD(
            release: "3.25", protocolMajor: 3, devices: ["/dev/ttyACM0"], rateHertz: 10, mode: 3,
            hasSpeed: true, hasCourse: true)
        facts.neededLibrary = "libgps.so.30"
        facts.installedLibraries = ["libgps.so.30"]
        facts.bluezVersion = "5.66"
        facts.adapters = [
            .init(name: "hci0", address: "00:1A:7D:DA:71:13", roles: ["central", "peripheral"])
        ]
        facts.switches = [.init(name: "hci0")]
        facts.autoSecurity = false
        facts.cacheFiles = 12
        facts.kernel = "6.12.48-amd64 #1 SMP Debian 6.12.48-1"
        facts.status = JSONValue(
            #"{"version":"0.1.0","gps":{"time_trusted":true},"adapters":[{"hci":"hci0","links":2}],"#
                + #""cameras":[{"name":"front","number":1,"state":"ready"}]}"#)
        facts.folders = [.init(path: "/t", use: "the track", freeMegabytes: 50_000)]
        return facts
    }()

    private static func cameras(_ members: String) -> JSONValue? {
        JSONValue(
            #"{"version":"0","gps":{"time_trusted":true},"adapters":[],"cameras":[\#(members)]}"#)
    }

    private static func camera(_ state: String) -> JSONValue? {
        cameras(#"{"name":"front","number":1,"state":"\#(state)"}"#)
    }

    /// A change that makes a check fail, and the remedy that the check must name.
    private struct Fault: Sendable, CustomTestStringConvertible {
        var check: String
        var verdict: DoctorCheck.Verdict
        var wayOut: String
        var change: @Sendable (inout DoctorFacts) -> Void
        var testDescription: String { "\(check) \(wayOut)" }
    }

    private static let faults: [Fault] = [
        Fault(check: "libgps", verdict: .fail, wayOut: "install the package for this release") {
            $0.installedLibraries = ["libgps.so.28"]
        },
        Fault(check: "gpsd", verdict: .fail, wayOut: "apt install gpsd") { $0.gpsd = nil },
        Fault(check: "gpsd", verdict: .fail, wayOut: "libgps reads 3") {
            $0.gpsd?.protocolMajor = 4
        },
        Fault(check: "receiver", verdict: .fail, wayOut: "DEVICES") { $0.gpsd?.devices = [] },
        Fault(check: "rate", verdict: .fail, wayOut: "speed") { $0.gpsd?.rateHertz = nil },
        Fault(check: "rate", verdict: .warn, wayOut: "gpsctl -c 0.1") { $0.gpsd?.rateHertz = 4.4 },
        Fault(check: "fix", verdict: .fail, wayOut: "sky") { $0.gpsd?.mode = 1 },
        Fault(check: "fix", verdict: .warn, wayOut: "sky") { $0.gpsd?.mode = 2 },
        Fault(check: "motion", verdict: .warn, wayOut: "VTG") { $0.gpsd?.hasCourse = false },
        Fault(check: "libgps", verdict: .warn, wayOut: "install the package") {
            $0.neededLibrary = nil
        },
        Fault(check: "kernel", verdict: .fail, wayOut: "linux-image-6.12") {
            $0.kernel = "6.1.0-50-amd64 #1 SMP Debian 6.1.192-1"
        },
        Fault(check: "bus", verdict: .fail, wayOut: "systemctl start dbus") { $0.hasBus = false },
        Fault(check: "bluetoothd", verdict: .fail, wayOut: "systemctl start bluetooth") {
            $0.hasBluetoothd = false
        },
        Fault(check: "bluetoothd", verdict: .fail, wayOut: "5.55") { $0.bluezVersion = "5.50" },
        Fault(check: "security", verdict: .fail, wayOut: "LEAutoSecurity=false") {
            $0.autoSecurity = true
        },
        Fault(check: "cache", verdict: .warn, wayOut: "delete") { $0.cacheFiles = 20_000 },
        Fault(check: "cache", verdict: .fail, wayOut: "delete") { $0.cacheFiles = 200_000 },
        Fault(check: "rfkill", verdict: .fail, wayOut: "rfkill unblock") {
            $0.switches[0].isSoftBlocked = true
        },
        Fault(check: "rfkill", verdict: .fail, wayOut: "switch of the machine") {
            $0.switches[0].isHardBlocked = true
        },
        Fault(check: "adapter", verdict: .fail, wayOut: "plug one in") { $0.adapters = [] },
        Fault(check: "adapter", verdict: .fail, wayOut: "power on") {
            $0.adapters[0].isPowered = false
        },
        Fault(check: "adapter", verdict: .fail, wayOut: "another adapter") {
            $0.adapters[0].roles = ["peripheral"]
        },
        Fault(check: "addresses", verdict: .fail, wayOut: "take one out") {
            $0.adapters.append($0.adapters[0])
        },
        Fault(check: "links", verdict: .warn, wayOut: "one more adapter") {
            $0.status = JSONValue(
                #"{"version":"0","gps":{"time_trusted":true},"cameras":[],"#
                    + #""adapters":[{"hci":"hci0","links":4,"error":"full: 4 links"}]}"#)
        },
        Fault(check: "cameras", verdict: .fail, wayOut: "geotagctl pair") {
            $0.status = cameras("")
        },
        Fault(check: "camera", verdict: .fail, wayOut: "close DJI's app") {
            $0.status = camera("absent")
        },
        Fault(check: "camera", verdict: .fail, wayOut: "tap the camera") {
            $0.status = camera("confirm")
        },
        Fault(check: "camera", verdict: .fail, wayOut: "reconnect front") {
            $0.status = camera("refused")
        },
        Fault(check: "camera", verdict: .warn, wayOut: "protocol") {
            $0.status = camera("unsupported")
        },
        Fault(check: "camera", verdict: .warn, wayOut: "wait") { $0.status = camera("handshake") },
        Fault(check: "camera", verdict: .warn, wayOut: "camera front") {
            $0.status = camera("backoff")
        },
        Fault(check: "configuration", verdict: .fail, wayOut: "--check-config") {
            $0.configurationFault = "/etc/geotagd.conf:3: [push] rate: not allowed"
        },
        Fault(check: "geotagd", verdict: .fail, wayOut: "systemctl start geotagd") {
            $0.status = nil
        },
        Fault(check: "group", verdict: .fail, wayOut: "usermod -aG drivers") {
            $0.socket = .forbidden(group: "drivers")
        },
        Fault(check: "group", verdict: .warn, wayOut: "systemctl start geotagd") {
            $0.socket = .missing
        },
        Fault(check: "instances", verdict: .fail, wayOut: "pgrep") { $0.daemons = 2 },
        Fault(check: "unit", verdict: .warn, wayOut: "systemctl enable") { $0.unit = .disabled },
        Fault(check: "unit", verdict: .warn, wayOut: "install the package") { $0.unit = .missing },
        Fault(check: "clock", verdict: .warn, wayOut: "three good fixes") { $0.status = nil },
        Fault(check: "folder", verdict: .fail, wayOut: "install -d") {
            $0.folders[0].exists = false
        },
        Fault(check: "folder", verdict: .fail, wayOut: "chown") {
            $0.folders[0].isWritable = false
        },
        Fault(check: "space", verdict: .fail, wayOut: "keep") { $0.folders[0].freeMegabytes = 31 },
        Fault(check: "space", verdict: .warn, wayOut: "keep") {
            $0.folders[0].freeMegabytes = 1023
        },
    ]

    @Test("Where all is well, every check is OK") func allIsWell() {
        let checks = Self.fine.checks
        for check in checks { #expect(check.verdict == .ok, "\(check)") }
        #expect(checks.exitStatus == 0)
        for fault in Self.faults where !["cameras", "folder"].contains(fault.check) {
            #expect(checks.contains { $0.name == fault.check }, "\(fault.check)")
        }
        var facts = Self.fine
        facts.folders[0].freeMegabytes = nil
        #expect(facts.checks.contains(.ok("folder", "/t")))
    }

    @Test("An adapter that is turned off is no want of links") func adapterOffHasLinks() {
        var facts = Self.fine
        facts.status = JSONValue(
            #"{"version":"0","gps":{"time_trusted":true},"cameras":[],"adapters":["#
                + #"{"hci":"hci0","usable":false,"links":0,"error":"turned off"},"#
                + #"{"hci":"hci1","usable":true,"links":1}]}"#)
        #expect(facts.checks.contains(.ok("links", "1 link on 2 adapters")))
    }

    @Test("Each lack is named with its way out", arguments: faults)
    private func eachLackIsNamed(fault: Fault) throws {
        var facts = Self.fine
        fault.change(&facts)
        let check = try #require(
            facts.checks.first { $0.name == fault.check && $0.verdict != .ok })
        #expect(check.verdict == fault.verdict)
        #expect(check.wayOut.contains(fault.wayOut), "\(check)")
        #expect(facts.checks.exitStatus >= (fault.verdict == .fail ? 2 : 1))
    }

    @Test("A line is the verdict, the check, what was found, and the way out") func checkLine() {
        let check = DoctorCheck.fail("bus", "no system bus", "systemctl start dbus")
        #expect(
            check.line.rendered(colours: false)
                == "FAIL bus           no system bus: systemctl start dbus")
        #expect(
            check.json.line
                == #"{"check":"bus","verdict":"FAIL","found":"no system bus","#
                + #""do":"systemctl start dbus"}"#)
        #expect(DoctorCheck.ok("bus", "fine").json.line.hasSuffix(#""do":null}"#))
    }

    @Test("What gpsd says is read") func gpsdProbe() throws {
        var probe = GPSDProbe()
        #expect(probe.result(over: .seconds(3)) == nil)
        probe.handle(#"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"#)
        probe.handle(#"{"class":"DEVICES","devices":[{"path":"/dev/ttyACM0"}]}"#)
        probe.handle("no JSON at all")
        for tenth in 0..<30 {
            let time = "2026-07-01T10:00:0\(tenth / 10).\(tenth % 10)00Z"
            for _ in 0..<2 {
                probe.handle(#"{"class":"TPV","mode":3,"time":"\#(time)","speed":1.0,"track":2.0}"#)
            }
        }
        let facts = try #require(probe.result(over: .seconds(3)))
        #expect(
            facts
                == DoctorFacts.GPSD(
                    release: "3.25", protocolMajor: 3, devices: ["/dev/ttyACM0"], rateHertz: 10,
                    mode: 3, hasSpeed: true, hasCourse: true))
    }
}
