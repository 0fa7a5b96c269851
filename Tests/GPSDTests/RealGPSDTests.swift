import Clock
import Glibc
import Reactor
import Testing

@testable import GPSD
@testable import Navigation

/// Prints a clear line where gpsd is not installed.
private let gpsdIsInstalled: Bool = {
    let found = access("/usr/sbin/gpsd", X_OK) == 0
    if !found { print("*** gpsd is not installed: its tests are SKIPPED ***") }
    return found
}()

/// The client and the core's positions with the real gpsd, fed NMEA over UDP.
@Suite("With the real gpsd", .serialized, .enabled(if: gpsdIsInstalled, "no gpsd here"))
final class RealGPSDTests {
    let loop: EventLoop
    let port: Int
    var source = PositionSource(device: nil, buildDate: UnixTime(nanoseconds: 0))
    var events: [(event: PositionEvent, at: Instant)] = []
    var client: GPSDClient?

    init() throws {
        loop = try EventLoop()
        // A port that was free a moment ago; the feeder uses the port beside it.
        let server = try ScriptedServer(on: loop)
        port = server.port
    }

    deinit { client?.stop() }

    func gpsd() throws -> ChildProcess {
        try ChildProcess([
            "/usr/sbin/gpsd", "-N", "-n", "-b", "-S", String(port), "udp://127.0.0.1:\(port)",
        ])
    }

    func feeder(_ options: String...) throws -> ChildProcess {
        try ChildProcess(
            [
                "python3", Repository.path("Tests/Tools/nmea_feeder.py"), "--udp",
                "127.0.0.1:\(port)",
            ]
                + options)
    }

    func start() throws {
        client = try GPSDClient(on: loop, settings: .init(port: port)) {
            [unowned self] input, now in
            events += source.handle(input, at: now).map { ($0, now) }
        }
        client?.start()
    }

    var state: ReceiverState? {
        events.compactMap { if case .state(let state) = $0.event { state } else { nil } }.last
    }

    var fixes: [Fix] {
        events.compactMap { if case .fix(let fix, _) = $0.event { fix } else { nil } }
    }

    @Test("Ten fixes a second arrive, with place, height, velocity and time of the feeder's circle")
    func tenHertz() throws {
        let gpsd = try gpsd()
        let feeder = try feeder("--rate", "10")
        try start()
        #expect(loop.turn(within: .seconds(20)) { self.source.timeTrusted })
        #expect(loop.turn(within: .seconds(20)) { self.fixes.count >= 40 })
        let rate = try #require(source.rateHertz)
        #expect(abs(rate - 10) < 0.2)
        let settled = fixes.suffix(30)
        let centre = Place(latitudeDegrees: 48.137154, longitudeDegrees: 11.576124)
        for fix in settled {
            let radius = centre.displacement(to: fix.place)
            #expect(abs(radius.length - 200) < 0.5, "a circle of 200 m")
            let height = try #require(fix.heightMetres)
            #expect(abs(height - 520) < 5.1)
            #expect(fix.mode == .threeD)
        }
        let complete = settled.filter { $0.courseDegrees != nil }
        #expect(complete.allSatisfy { abs(($0.speedMetresPerSecond ?? 0) - 15) < 0.1 })
        let utc = try #require(source.utc(at: loop.now))
        #expect(abs((utc - systemTime()).seconds) < 0.2)
        withExtendedLifetime((gpsd, feeder)) {}
    }

    @Test("gpsd may start late, die and come back")
    func lateAndBack() throws {
        try start()
        let feeder = try feeder("--rate", "10")
        #expect(!loop.turn(within: .seconds(1)) { self.state != nil })
        var gpsd = try gpsd()
        #expect(loop.turn(within: .seconds(20)) { self.state == .fix3d })
        gpsd.stop()
        #expect(loop.turn { self.state == .disconnected })
        #expect(events.contains { $0.event == .lost(.gone) })
        gpsd = try self.gpsd()
        #expect(loop.turn(within: .seconds(20)) { self.state == .fix3d })
        withExtendedLifetime((gpsd, feeder)) {}
    }

    private func systemTime() -> UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
