import Clock
import Navigation
import Testing

@testable import Fleet

/// The time that a push states (contract 8.6).
@Suite("The time that is pushed")
struct PushedTimeTests {
    static let build = UnixTime(nanoseconds: 1_767_225_600_000_000_000)
    static let now = UnixTime(nanoseconds: 1_782_900_000_000_000_000)
    static let start = Instant(nanoseconds: 5_000_000_000_000)

    /// The time that is pushed for a fix of `time` at the fix's own instant, with or without a
    /// system clock.
    static func pushed(
        _ time: UnixTime?, system: UnixTime? = nil, synchronised: Bool = false
    ) -> UnixTime? {
        var source = PositionSource(device: nil, buildDate: build)
        _ = source.handle(.connected, at: start)
        if let system {
            _ = source.setSystemClock(system, synchronised: synchronised, at: start)
        }
        var report = PositionReport(device: "a", mode: 3, time: time)
        report.latitudeDegrees = 48
        report.longitudeDegrees = 11
        _ = source.handle(.report(.position(report)), at: start)
        return source.position(at: start, carrying: .extrapolate)?.fix.time
    }

    @Test("The receiver's, trusted or not")
    func receiver() {
        #expect(Self.pushed(Self.now) == Self.now)
        #expect(Self.pushed(Self.now, system: Self.build) == Self.now)
    }

    @Test("The system clock's where the receiver has none, if that is plausible")
    func missing() {
        #expect(Self.pushed(nil, system: Self.now) == Self.now)
        #expect(Self.pushed(nil, system: UnixTime(nanoseconds: 0)) == nil)
        #expect(Self.pushed(nil) == nil)
    }

    @Test("The system clock's where the receiver's is before the build, else as given")
    func beforeBuild() {
        let rolled = Self.now + .seconds(-1024 * 7 * 86_400)
        #expect(Self.pushed(rolled, system: Self.now) == Self.now)
        #expect(Self.pushed(rolled, system: UnixTime(nanoseconds: 0)) == rolled)
        #expect(Self.pushed(rolled) == rolled)
    }

    @Test("A synchronised system clock corrects a date that is far off")
    func farOff() {
        let ahead = Self.now + .seconds(1024 * 7 * 86_400)
        #expect(Self.pushed(ahead, system: Self.now, synchronised: true) == Self.now)
        #expect(Self.pushed(ahead, system: Self.now, synchronised: false) == ahead)
    }
}
