import Clock
import Navigation
import OsmoProtocol
import Testing

@testable import Fleet

/// From a carried position to the fields of a push (protocol 3.5, 6.5).
@Suite("The push made from a position")
struct PositionPushTests {
    static let utcPlus8 = RigSettings.TimeField.offset(.seconds(8 * 3600))

    static func time(_ seconds: Int64) -> UnixTime {
        UnixTime(nanoseconds: seconds * 1_000_000_000)
    }

    static func position(_ change: (inout Fix) -> Void = { _ in }) -> CarriedPosition {
        var fix = Fix(
            mode: .threeD, time: time(1_782_900_000), arrival: .zero, latitudeDegrees: 48.1371540,
            longitudeDegrees: -11.5761241, heightMetres: 520.1234)
        change(&fix)
        return CarriedPosition(fix: fix, instant: .zero, age: .zero, epochSequence: 1)
    }

    static func push(_ change: (inout Fix) -> Void = { _ in }) -> GPSPush? {
        GPSPush(position(change), field: utcPlus8, zone: .utc)
    }

    @Test("Places, heights and satellites in their units")
    func units() throws {
        let push = try #require(Self.push { $0.satellites = 12 })
        #expect(push.latitudeE7 == 481_371_540)
        #expect(push.longitudeE7 == -115_761_241)
        #expect(push.heightMillimetres == 520_123)
        #expect(push.satellites == 12)
        #expect(push.date == 20_260_701)
        #expect(push.time == 180_000)
    }

    @Test(
        "Velocity in all four quadrants, down positive",
        arguments: [(45.0, 1, 1), (135, -1, 1), (225, -1, -1), (315, 1, -1)])
    func quadrants(course: Double, north: Float, east: Float) throws {
        let push = try #require(
            Self.push {
                $0.speedMetresPerSecond = 14.142_135_6
                $0.courseDegrees = course
                $0.climbMetresPerSecond = 2.5
            })
        #expect(abs(push.northCentimetresPerSecond - north * 1000) < 0.01)
        #expect(abs(push.eastCentimetresPerSecond - east * 1000) < 0.01)
        #expect(push.downCentimetresPerSecond == -250)
    }

    @Test("At rest all three speeds are +0.0")
    func rest() throws {
        let push = try #require(
            Self.push {
                $0.speedMetresPerSecond = 0
                $0.climbMetresPerSecond = 0
            })
        for speed in [
            push.northCentimetresPerSecond, push.eastCentimetresPerSecond,
            push.downCentimetresPerSecond,
        ] {
            #expect(speed == 0 && speed.sign == .plus)
        }
    }

    @Test("Accuracies as the receiver estimates them")
    func statedAccuracy() throws {
        let push = try #require(
            Self.push {
                $0.horizontalAccuracyMetres = 1.5
                $0.verticalAccuracyMetres = 3.25
                $0.speedAccuracyMetresPerSecond = 0.25
                $0.speedMetresPerSecond = 1
                $0.courseDegrees = 0
            })
        #expect(push.horizontalAccuracyMillimetres == 1500)
        #expect(push.verticalAccuracyMillimetres == 3250)
        #expect(push.speedAccuracyCentimetresPerSecond == 25)
    }

    @Test("Accuracies that nobody states are honest guesses")
    func guessedAccuracy() throws {
        let plain = try #require(Self.push())
        #expect(plain.horizontalAccuracyMillimetres == 10_000)
        #expect(plain.verticalAccuracyMillimetres == 15_000)
        #expect(plain.speedAccuracyCentimetresPerSecond == 1000, "no velocity is known")
        let diluted = try #require(Self.push { $0.hdop = 0.9 })
        #expect(diluted.horizontalAccuracyMillimetres == 4500)
        let silly = try #require(
            Self.push {
                $0.speedAccuracyMetresPerSecond = 230
                $0.speedMetresPerSecond = 5
                $0.courseDegrees = 0
            })
        #expect(silly.speedAccuracyCentimetresPerSecond == 50)
    }

    @Test("Without a height it is 0 with an accuracy of 9,999 m")
    func noHeight() throws {
        let push = try #require(
            Self.push {
                $0.mode = .twoD
                $0.heightMetres = nil
                $0.verticalAccuracyMetres = 2
            })
        #expect(push.heightMillimetres == 0)
        #expect(push.verticalAccuracyMillimetres == 9_999_000)
    }

    @Test("Unknown satellites are 4 in 3-D and 3 in 2-D, and never 0")
    func satellites() {
        #expect(Self.push()?.satellites == 4)
        #expect(Self.push { $0.mode = .twoD }?.satellites == 3)
        #expect(Self.push { $0.satellites = 0 }?.satellites == 1)
        #expect(Self.push { $0.satellites = 2 }?.satellites == 2)
    }

    @Test("No time that could be right is no push")
    func noTime() {
        #expect(Self.push { $0.time = nil } == nil)
        #expect(Self.push { $0.time = UnixTime(nanoseconds: 0) } == nil)
    }

    @Test("Nothing with satellites is at 0, 0")
    func nullIsland() throws {
        let push = try #require(
            Self.push {
                $0.latitudeDegrees = 0.000_000_01
                $0.longitudeDegrees = -0.000_000_02
            })
        #expect((push.latitudeE7, push.longitudeE7) != (0, 0))
    }

    @Test("Seconds are cut, not rounded")
    func cutSeconds() {
        let push = Self.push { $0.time = UnixTime(nanoseconds: 1_782_900_000_999_999_999) }
        #expect(push?.time == 180_000)
    }

    @Test(
        "Date and time in the zone asked for",
        arguments: [
            (1_767_198_600, 480, 20_260_101, 3000), (1_767_196_799, 480, 20_251_231, 235_959),
            (1_709_136_000, 480, 20_240_229, 0), (1_740_787_199, 480, 20_250_301, 75_959),
            (1_767_198_600, 0, 20_251_231, 163_000), (1_753_042_344, 120, 20_250_720, 221_224),
            (1_735_701_300, -300, 20_241_231, 221_500), (1_743_273_000, 345, 20_250_330, 1500),
        ])
    func zones(seconds: Int64, minutes: Int, date: Int32, time: Int32) throws {
        let offset = TimeSpan.seconds(minutes * 60)
        let instant = Self.time(seconds)
        let fixed = RigSettings.TimeField.offset(offset)
        let stamp = try #require(fixed.dateAndTime(of: instant, zone: .utc))
        #expect(stamp == (date, time))
        let local = try #require(
            RigSettings.TimeField.local.dateAndTime(
                of: instant, zone: LocalZone(first: offset, changes: [])))
        #expect(local == (date, time))
    }

    @Test("A void push takes everything back but keeps the time")
    func void() {
        let push = GPSPush(
            voidAt: Self.time(1_782_900_000), field: Self.utcPlus8, zone: .utc)
        #expect(push.isVoid)
        #expect(push.date == 20_260_701)
        #expect((push.latitudeE7, push.longitudeE7, push.heightMillimetres) == (0, 0, 0))
        let timeless = GPSPush(voidAt: nil, field: Self.utcPlus8, zone: .utc)
        #expect((timeless.date, timeless.time) == (0, 0))
    }
}
