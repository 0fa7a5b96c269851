import Clock
import OsmoProtocol
import Testing

@testable import LineProtocol

/// Reads a line given as text.
func request(_ line: String) -> Request? { Request.read(Array(line.utf8)) }

/// The fault of a line; nil where it has none.
func faultOf(_ line: String) -> RequestFault? {
    guard case .failure(let fault)? = request(line)?.action else { return nil }
    return fault
}

/// A version query, as `raw` would send it.
let versionFrame = Frame(type: .query, sequence: 7, opcode: .version, payload: []).encoded

@Suite struct RequestTests {
    static let fleet: [(String, FleetCommand, Target)] = [
        ("record start", .record(.start), .all),
        ("record stop all", .record(.stop), .all),
        ("record toggle front", .record(.toggle), .these(["front"])),
        ("photo", .photo, .all),
        ("photo 1,rear,60:60:1f:60:11:e7", .photo, .these(["1", "rear", "60:60:1f:60:11:e7"])),
        ("mode video", .mode(name: "video"), .all),
        ("mode pano-supernight 3", .mode(name: "pano-supernight"), .these(["3"])),
        ("mode 0x00", .modeCode(0), .all),
        ("mode 0xFf front", .modeCode(0xFF), .these(["front"])),
        ("key record", .key(.record), .all),
        ("key qs front", .key(.qs), .these(["front"])),
        ("key snapshot", .key(.snapshot), .all),
        (
            "record start at=2026-07-01T10:00:00.1Z",
            .timedStart(at: UnixTime(nanoseconds: 1_782_900_000_100_000_000)), .all
        ),
        (
            "record start at=2026-07-01T10:00:00Z 1,rear",
            .timedStart(at: UnixTime(nanoseconds: 1_782_900_000_000_000_000)),
            .these(["1", "rear"])
        ),
        ("sleep", .sleep, .all), ("sleep force", .forcedSleep, .all),
        ("sleep front", .sleep, .these(["front"])),
        ("sleep force 1,rear", .forcedSleep, .these(["1", "rear"])),
        ("wake rear", .wake, .these(["rear"])),
        ("snapshot", .snapshot, .all), ("restart all", .restart, .all),
        ("restart 1", .restart, .these(["1"])),
        ("pair", .pair(.seconds(60)), .all), ("pair 1", .pair(.seconds(1)), .all),
        ("pair 600", .pair(.seconds(600)), .all),
        ("forget front", .forget, .these(["front"])),
        ("rename front rear", .rename(to: "rear"), .these(["front"])),
        ("connect", .connect, .all), ("disconnect 2", .disconnect, .these(["2"])),
        ("reconnect", .reconnect, .all), ("version front", .version, .these(["front"])),
        (
            "raw front " + versionFrame.hexadecimal.lowercased(), .raw(frame: versionFrame),
            .these(["front"])
        ),
    ]

    @Test("A fleet verb is read with its argument and target", arguments: fleet)
    func fleetVerbReadArgumentTarget(
        line: String, command: FleetCommand, target: Target
    ) {
        #expect(request(line) == Request(tag: nil, action: .success(.fleet(command, target))))
        #expect(Verb.named(command.verb.name) == command.verb)
    }

    static let daemon: [(String, DaemonCommand)] = [
        ("help", .help(nil)), ("help mark", .help(.mark)), ("status", .status(json: false)),
        ("status json", .status(json: true)), ("cameras", .cameras),
        ("camera front", .camera(.these(["front"]))), ("camera all", .camera(.all)),
        ("gps", .gps), ("modes", .modes(.all)), ("modes 1,2", .modes(.these(["1", "2"]))),
        ("track on", .track(.on)), ("track off", .track(.off)), ("track rotate", .track(.rotate)),
        ("mark", .mark("")), ("mark   ", .mark("")),
        ("mark start of run  2 ", .mark("start of run  2")),
        ("mark \"quoted\" ünïcode", .mark("\"quoted\" ünïcode")), ("events on", .events(true)),
        ("events off", .events(false)), ("loglevel error", .logLevel(.error)),
        ("loglevel debug", .logLevel(.debug)), ("reload", .reload), ("quit", .quit),
        ("auto on", .auto(.on)), ("auto off", .auto(.off)), ("auto status", .auto(.status)),
    ]

    @Test("A verb of the daemon is read with its argument", arguments: daemon)
    func verbDaemonReadArgument(line: String, command: DaemonCommand) {
        #expect(request(line)?.action == .success(.daemon(command)))
        #expect(line.hasPrefix(command.verb.name))
    }

    @Test("Every verb is among those tested") func everyVerbAmongThoseTested() {
        let tested = (Self.fleet.map(\.0) + Self.daemon.map(\.0)).map { line in
            String(line.prefix { $0 != " " })
        }
        #expect(Set(tested) == Set(Verb.all.map(\.name)))
    }

    @Test(
        "A verb without its argument says how it is used",
        arguments: [
            "record", "mode", "key", "restart", "forget", "rename", "rename front", "raw",
            "raw front",
            "version", "camera", "track", "events", "loglevel",
        ])
    func verbWithoutArgumentSaysHow(line: String) throws {
        let verb = try #require(Verb.named(line.prefix { $0 != " " }))
        #expect(faultOf(line) == .missingArgument(verb))
        #expect(faultOf(line)?.code == .badArgument)
        #expect(faultOf(line)?.message.contains(verb.usage) == true)
    }

    @Test(
        "A word too many is refused",
        arguments: [
            "help mark now", "status json now", "cameras all", "camera 1 2", "gps now",
            "record start 1 2",
            "photo 1 2", "mode video 1 2", "modes 1 2", "key qs 1 2", "sleep 1 2",
            "sleep force 1 2", "sleep 1 force", "wake 1, 2",
            "record start 1 at=2026-07-01T10:00:00Z", "record stop at=2026-07-01T10:00:00Z",
            "snapshot 1 2", "restart 1 2", "pair 60 60", "forget 1 2", "rename a b c",
            "connect 1 2",
            "disconnect 1 2", "reconnect 1 2", "track on now", "version 1 2", "events on off",
            "loglevel info debug", "reload now", "quit now",
        ])
    func wordTooManyRefused(line: String) throws {
        let verb = try #require(Verb.named(line.prefix { $0 != " " }))
        let fault = try #require(faultOf(line))
        #expect(fault.code == .badArgument)
        if case .badTarget = fault { return }
        #expect(fault.message.contains(verb.usage))
    }

    @Test(
        "A word that the verb does not take is refused",
        arguments: [
            "help nonsense", "status xml", "record", "record now", "record START", "mode movie",
            "mode 0x",
            "mode 0x1", "mode 0x123", "mode 0xGG", "mode 0X01", "mode 1", "key shutter", "pair 0",
            "pair 601", "pair -1", "pair +5", "pair 1.5", "pair front", "pair 99999999999999999999",
            "rename front all", "rename front 12", "rename front a,b", "rename all b",
            "rename a,b c",
            "raw all AA", "raw a,b AA", "track maybe", "events yes", "loglevel loud",
            "loglevel INFO",
        ])
    func wordVerbDoesNotTake(line: String) throws {
        let fault = try #require(faultOf(line))
        #expect(fault.code == .badArgument)
        #expect(!fault.message.isEmpty)
        #expect(!fault.message.contains("\n"))
    }

    @Test(
        "A list with a hole or with all in it is no target",
        arguments: [",", "front,", ",front", "front,,rear", "all,front", "front,all", "all,"])
    func listHoleOrAllNo(target: String) {
        #expect(faultOf("photo " + target) == .badTarget(.photo, target))
        #expect(faultOf("photo " + target)?.code == .badArgument)
    }

    @Test("Whether a camera is there is not for the grammar to say")
    func whetherCameraThereNotGrammar() {
        let command = RequestAction.fleet(.photo, .these(["nobody", "0", "1000", "ümlaut"]))
        #expect(request("photo nobody,0,1000,ümlaut")?.action == .success(command))
    }
}
