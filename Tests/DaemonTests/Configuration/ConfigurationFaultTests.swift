import Fleet
import OsmoProtocol
import Testing

@testable import Daemon
@testable import Service

@Suite struct ConfigurationFaultTests {
    static let camera = "address = 60:60:1F:60:11:E7\n"

    static let faults: [(String, [String])] = [
        (
            "host = a\n[gps]\n",
            ["x.conf:1: host: key = value before the first [section]; it belongs below [gps]"]
        ),
        (
            "directory = /a\n",
            [
                "x.conf:1: directory: key = value before the first [section]; it belongs below "
                    + "[track] or [state]"
            ]
        ),
        (
            "[gsp]\nhost = a\nport = 1\n",
            [
                "x.conf:1: [gsp]: unknown section; allowed: [gps] [push] [fleet] [auto] [control] "
                    + "[track] [state] [camera NAME] [place NAME]"
            ]
        ),
        ("[gps]\nhots = a\n", ["x.conf:2: [gps] hots: unknown key; allowed: host port device"]),
        ("[gps]\nport\n", ["x.conf:2: neither [section], key = value nor a # comment"]),
        ("[gps]\n= 1\n", ["x.conf:2: neither [section], key = value nor a # comment"]),
        (
            "[gps\nport = 1\n",
            ["x.conf:1: a section is written [name], and a camera's [camera NAME]"]
        ),
        ("[gps] x\n", ["x.conf:1: a section is written [name], and a camera's [camera NAME]"]),
        ("[]\n", ["x.conf:1: a section is written [name], and a camera's [camera NAME]"]),
        ("[gps]\nport = 1\nport = 2\n", ["x.conf:3: [gps] port: given twice, first in line 2"]),
        (
            "[gps]\nport = 1\n[push]\n[gps]\nport = 2\n",
            ["x.conf:5: [gps] port: given twice, first in line 2"]
        ),
        (
            "[gps]\nport = 1 # one\n",
            [
                "x.conf:2: [gps] port: \"1 # one\" is not allowed; allowed: 1 to 65535 "
                    + "(a comment needs a line of its own)"
            ]
        ),
        ("[gps x]\nport = 1\n", ["x.conf:1: [gps x]: unknown section; allowed: "]),
        (
            "[camera a]\nnumber = 1\n",
            ["x.conf:1: [camera a] address: is needed: the camera's, six octets, 60:60:1F:60:11:E7"]
        ),
        (
            "[camera all]\n" + camera,
            [
                "x.conf:1: [camera all]: a camera name is 1 to 32 of A-Z a-z 0-9 . _ -, not all, "
                    + "not digits only"
            ]
        ),
        ("[camera]\n" + camera, ["x.conf:1: [camera]: a camera name is"]),
        ("[camera a b]\n" + camera, ["x.conf:1: [camera a b]: a camera name is"]),
        (
            "[camera a]\n\(camera)[camera a]\naddress = 60:60:1F:60:11:E8\n",
            ["x.conf:3: [camera a]: given twice, first in line 1"]
        ),
        (
            "[camera a]\n\(camera)[camera b]\naddress = 60:60:1f:60:11:e7\n",
            ["x.conf:4: [camera b] address: 60:60:1F:60:11:E7 is already that of camera a"]
        ),
        (
            "[camera a]\n\(camera)number = 2\n[camera b]\naddress = 60:60:1F:60:11:E8\nnumber = 2\n",
            ["x.conf:6: [camera b] number: 2 is already that of camera a"]
        ),
        (
            "[camera a]\n\(camera)number = 0\n",
            ["x.conf:3: [camera a] number: \"0\" is not allowed; allowed: 1 to 99"]
        ),
        (
            "[camera a]\n\(camera)number = 100\noptional = true\nadapter = hci0\nfoo = 1\n",
            [
                "x.conf:3: [camera a] number: \"100\" is not allowed",
                "x.conf:4: [camera a] optional: ",
                "x.conf:5: [camera a] adapter: ",
                "x.conf:6: [camera a] foo: unknown key; allowed: ",
            ]
        ),
        (
            "[camera a]\naddress = 60:60:1F:60:11\n",
            ["x.conf:2: [camera a] address: \"60:60:1F:60:11\" is not allowed; allowed: six octets"]
        ),
        ("[gps]\nhost = a\tb\u{7}\n", ["x.conf:2: not UTF-8 text, or control bytes in it"]),
    ]

    @Test("What is wrong is named with file, line and key", arguments: faults)
    func whatWrongNamedFileLine(text: String, wanted: [String]) {
        let lines = complaints(text)
        #expect(lines.count == wanted.count, "\(lines)")
        for (line, head) in zip(lines, wanted) {
            #expect(line.hasPrefix(head), "\(line)")
        }
    }

    @Test(
        "What people often mean is said",
        arguments: [
            ("[track]\ndirectory = tracks\n", "allowed: an absolute path, none"),
            ("[track]\ndirectory = ~/tracks\n", " (~ is not expanded: write /home/NAME/…)"),
            ("[track]\ndirectory = \"/tracks\"\n", " (values stand without quotes)"),
            ("[state]\ndirectory = ./state\n", "allowed: an absolute path"),
            ("[state]\ncapture = capture\n", "allowed: an absolute path, none"),
            ("[control]\nfifo = command\n", "allowed: an absolute path, none"),
            ("[control]\nsocket = control.sock\n", "an absolute path of at most 107 bytes, none"),
            ("[control]\ngroup = 'gps'\n", " (values stand without quotes)"),
            ("[gps]\nhost = pi:2947\n", " (host = NAME and port = NUMBER are two keys)"),
            ("[gps]\nhost = [::1]:2947\n", " (host = NAME and port = NUMBER are two keys)"),
            ("[gps]\ndevice = \"/dev/ttyACM0\"\n", " (values stand without quotes)"),
            ("[push]\ntime = Europe/Berlin\n", "local is the zone of this machine)"),
            ("[push]\ntime = UTC\n", "local is the zone of this machine)"),
        ])
    func whatPeopleMean(text: String, tail: String) {
        let lines = complaints(text)
        #expect(lines.count == 1 && lines[0].hasSuffix(tail), "\(lines)")
    }

    @Test("Addresses of both families are hosts", arguments: ["::1", "fe80::1%eth0", "192.0.2.1"])
    func addressesAreHosts(host: String) {
        #expect(complaints("[gps]\nhost = \(host)\n").isEmpty)
    }

    @Test("The state folder alone moves the track with it") func stateFolderMovesTrack() {
        func track(_ text: String) -> String? { configuration(text).configuration.track.directory }
        #expect(track("[state]\ndirectory = /data\n") == "/data/tracks")
        #expect(track("[state]\ndirectory = /data/\n") == "/data/tracks")
        #expect(track("[state]\ndirectory = /data\n[track]\ndirectory = /csv\n") == "/csv")
        #expect(track("[track]\ndirectory = none\n[state]\ndirectory = /data\n") == nil)
        #expect(track("") == "/var/lib/geotagd/tracks")
        let simulated = Configuration.read(
            Array("[state]\ndirectory = /data\n".utf8), defaults: .simulation)
        #expect(simulated.configuration.track.directory == nil)
    }

    @Test("All faults are named, in the order of their lines") func allFaultsNamedOrderTheir() {
        let lines = complaints("[push]\nrate = 0\nmotion = x\n[nope]\n[fleet]\nadmit = y\njunk\n")
        #expect(lines.map { $0.prefix(9) } == [2, 3, 4, 6, 7].map { "x.conf:\($0):" })
    }

    @Test("Space, CR, a byte order mark and comments do not count") func spaceCRByteOrderMark() {
        let read = configuration(
            "\u{FEFF}; a\r\n # b\r\n\t[ gps ]\r\n  port=7\r\nhost =\t h \r\n\r\n")
        #expect(read.faults.isEmpty)
        #expect(read.configuration.gps.port == 7)
        #expect(read.configuration.gps.host == "h")
    }

    @Test("Lines of invalid UTF-8 and endless ones are named") func linesInvalidUTF8Endless() {
        var bytes = Array("[gps]\nhost = ".utf8) + [0xFF, 0x0A]
        bytes += Array("port = 5\nhost = ".utf8) + [UInt8](repeating: 0x68, count: 8186)
        let read = Configuration.read(bytes)
        #expect(read.faults.map(\.problem) == [.notText, .longLine])
        #expect(read.configuration.gps.port == 5)
    }

    @Test("Cameras without a number get the lowest that are free")
    func camerasWithoutNumberGetLowest() {
        let text = (1...3).map { "[camera c\($0)]\naddress = 60:60:1F:60:11:0\($0)\n" }.joined()
        let read = configuration(text + "[camera d]\naddress = 60:60:1F:60:11:09\nnumber = 2\n")
        #expect(read.configuration.cameras.map(\.number) == [1, 3, 4, 2])
    }

    @Test("There are 99 numbers") func there99Numbers() {
        func text(_ count: Int) -> String {
            (1...count).map { number in
                let octet = String(number, radix: 16)
                return "[camera c\(number)]\naddress = 60:60:1F:60:11:"
                    + (octet.count == 1 ? "0" : "") + octet + "\n"
            }.joined()
        }
        #expect(configuration(text(99)).faults.isEmpty)
        #expect(configuration(text(99)).configuration.cameras.last?.number == 99)
        #expect(configuration(text(100)).faults.map(\.problem) == [.tooManyCameras])
    }
}
