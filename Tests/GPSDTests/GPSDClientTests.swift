import Clock
import Navigation
import Reactor
import Testing

@testable import GPSD

/// The client with a server that sends what a test wants (field notes A2).
@Suite("The client on the loop", .serialized)
final class GPSDClientTests {
    let loop: EventLoop
    let server: ScriptedServer
    var inputs: [ReceiverInput] = []
    var troubles: [ClientTrouble] = []
    var streaming: [String] = []
    var client: GPSDClient?

    init() throws {
        loop = try EventLoop()
        server = try ScriptedServer(on: loop)
    }

    deinit { client?.stop() }

    var reports: [Report] {
        inputs.flatMap { input -> [Report] in
            if case .reports(let reports) = input { reports } else { [] }
        }
    }

    func start(device: String? = nil) throws {
        client = try GPSDClient(
            on: loop, settings: .init(port: server.port, device: device),
            receive: { [unowned self] input, _ in inputs.append(input) },
            complain: { [unowned self] trouble, device, _ in
                troubles.append(trouble)
                if let device { streaming.append(device) }
            })
        client?.start()
    }

    func connect(device: String? = nil) throws {
        try start(device: device)
        #expect(loop.turn { self.inputs.contains(.connected) })
        #expect(loop.turn { self.server.heard.contains("\n") || self.server.heard.contains(";") })
    }

    func hear(_ text: String, reports count: Int) {
        server.say(text)
        #expect(loop.turn { self.reports.count >= count }, "\(reports)")
    }

    static let tpv =
        #"{"class":"TPV","device":"/dev/a","status":2,"mode":3,"#
        + #""time":"2026-07-01T10:00:00.300Z","lat":48.5,"lon":-11.25,"altMSL":520.5,"#
        + #""altHAE":567.8,"track":285.5,"speed":15.25,"climb":-0.5,"eph":1.5,"epv":3.25,"#
        + #""eps":0.75}"# + "\n"
    static let sky =
        #"{"class":"SKY","device":"/dev/a","hdop":0.9,"nSat":2,"uSat":1,"satellites":["#
        + #"{"PRN":1,"used":true,"gnssid":0,"svid":1},"#
        + #"{"PRN":2,"used":false,"gnssid":0,"svid":2}]}"# + "\n"

    @Test("It greets, asks for everything, and hands a position over with all its fields")
    func position() throws {
        try connect()
        #expect(server.heard.contains(#""enable":true"#) && server.heard.contains(#""json":true"#))
        hear(Self.tpv, reports: 1)
        var expected = PositionReport(
            device: "/dev/a", mode: 3, status: 2,
            time: UnixTime(nanoseconds: 1_782_900_000_300_000_000))
        expected.latitudeDegrees = 48.5
        expected.longitudeDegrees = -11.25
        expected.heightMetres = 520.5
        expected.ellipsoidHeightMetres = 567.8
        expected.speedMetresPerSecond = 15.25
        expected.courseDegrees = 285.5
        expected.climbMetresPerSecond = -0.5
        expected.horizontalAccuracyMetres = 1.5
        expected.verticalAccuracyMetres = 3.25
        expected.speedAccuracyMetresPerSecond = 0.75
        #expect(reports == [.position(expected)])
    }

    @Test("A height that only an older gpsd's alt tells is the height above the sea")
    func olderHeight() throws {
        try connect()
        hear(
            #"{"class":"TPV","device":"/dev/a","mode":3,"lat":48.5,"lon":11,"alt":1699.1}"# + "\n"
                + Self.tpv, reports: 2)
        let heights = reports.compactMap { report -> Double? in
            if case .position(let position) = report { position.heightMetres } else { nil }
        }
        #expect(heights == [1699.1, 520.5])
    }

    @Test("While the wanted receiver is silent, the one that streams is named, once")
    func otherReceiver() throws {
        try connect(device: "/dev/b")
        client?.patience = .zero
        server.say(Self.tpv + Self.tpv)
        #expect(loop.turn { !self.streaming.isEmpty })
        #expect(streaming == ["/dev/a"])
        #expect(troubles == [.otherReceiver])
        #expect(reports.isEmpty)
    }

    @Test("A sky report, an unknown class or an error after a fix is no second fix")
    func noPhantoms() throws {
        try connect()
        hear(
            Self.tpv + Self.sky + #"{"class":"FUTURE","x":1}"# + "\n"
                + #"{"class":"ERROR","message":"no"}"# + "\n" + Self.sky, reports: 3)
        #expect(reports.count == 3)
        let positions = reports.filter { if case .position = $0 { true } else { false } }
        #expect(positions.count == 1)
        #expect(reports[1] == .sky(SkyReport(device: "/dev/a", satellitesUsed: 1, hdop: 0.9)))
    }

    @Test("A line that comes in halves is one report, and waiting for it costs nothing")
    func halves() throws {
        try connect()
        let bytes = Array(Self.tpv.utf8)
        server.say(String(decoding: bytes[..<40], as: UTF8.self))
        var wakes = 0
        let end = MonotonicClock.now() + .milliseconds(300)
        while loop.now < end {
            loop.turn(until: end)
            wakes += 1
        }
        #expect(wakes < 10)
        #expect(reports.isEmpty)
        hear(String(decoding: bytes[40...], as: UTF8.self), reports: 1)
    }

    @Test("A backlog comes as one input, in order")
    func backlog() throws {
        try connect()
        let lines = (0..<50).map {
            #"{"class":"TPV","device":"/dev/a","mode":1,"time":"2026-07-01T10:00:\#($0 + 10).000Z"}"#
        }
        hear(lines.joined(separator: "\n") + "\n", reports: 50)
        let seconds = reports.compactMap { report -> Int64? in
            if case .position(let position) = report { position.time?.wholeSeconds } else { nil }
        }
        #expect(seconds == seconds.sorted())
        #expect(seconds.count == 50)
    }

    @Test("Broken JSON, NaN, absurd numbers and a long line are survived")
    func broken() throws {
        try connect()
        let long = #"{"class":"TPV","tag":""# + String(repeating: "x", count: 9000) + "\"}\n"
        server.say(
            #"{"class":"TPV","device":"/dev/a","mode":3,"lat":48.2,"lon":nan}"# + "\n" + "}}{{\n"
                + #"{"class":"TPV","device":"/dev/a","mode":3,"lat":95,"lon":999.9}"# + "\n" + long)
        hear(Self.tpv, reports: 1)
        #expect(loop.turn { self.hasGoodFix })
        var source = PositionSource(device: nil, buildDate: UnixTime(nanoseconds: 0))
        for event in source.handle(.reports(reports), at: loop.now) {
            if case .fix(let fix, _) = event { #expect(fix.latitudeDegrees == 48.5) }
        }
        #expect(source.fix?.latitudeDegrees == 48.5)
    }

    private var hasGoodFix: Bool {
        reports.contains {
            if case .position(let position) = $0 { position.latitudeDegrees == 48.5 } else { false }
        }
    }

    @Test("Only the wanted device is heard")
    func deviceFilter() throws {
        try connect(device: "/dev/b")
        hear(
            Self.tpv + #"{"class":"TPV","device":"/dev/b","mode":1}"# + "\n"
                + #"{"class":"DEVICE","path":"/dev/b","activated":0}"# + "\n", reports: 2)
        #expect(reports.count == 2)
        #expect(reports.last == .device(path: "/dev/b", active: false))
    }

    @Test("A device that comes is no device that goes")
    func deviceComes() throws {
        try connect()
        let stamp = #""activated":"2026-07-01T10:00:00.000Z""#
        hear(#"{"class":"DEVICE","path":"/dev/b",\#(stamp),"driver":"u-blox"}"# + "\n", reports: 1)
        #expect(reports == [.device(path: "/dev/b", active: true)])
    }

    @Test("gpsd's end is told once, and its return too", arguments: ["", #"{"class":"TP"#])
    func comeback(rest: String) throws {
        try connect()
        server.say(rest)
        server.hangUp()
        #expect(loop.turn { self.inputs.contains(.disconnected) })
        #expect(troubles == [.ended])
        #expect(loop.turn { self.inputs.filter { $0 == .connected }.count == 2 })
        #expect(server.connections == 2)
        hear(Self.tpv, reports: 1)
    }

    @Test("Nobody listening is no error, and is tried again")
    func early() throws {
        let port = server.port
        client = try GPSDClient(
            on: loop, settings: .init(host: "127.0.0.1", port: port == 1 ? 2 : 1),
            receive: { [unowned self] input, _ in inputs.append(input) },
            complain: { [unowned self] trouble, device, _ in
                troubles.append(trouble)
                if let device { streaming.append(device) }
            })
        client?.start()
        #expect(loop.turn { !self.troubles.isEmpty })
        #expect(troubles == [.unreachable])
        #expect(inputs.isEmpty)
    }

    @Test("After stop nothing is told")
    func stopped() throws {
        try connect()
        client?.stop()
        let told = inputs.count
        #expect(loop.turn { self.server.connections == 1 })
        #expect(inputs.count == told)
    }
}
