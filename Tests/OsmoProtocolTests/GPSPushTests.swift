import Foundation
import Glibc
import OsmoProtocol
import Testing

@Suite struct GPSPushTests {
    private func make(
        latitude: Double = 48, longitude: Double = 11, height: Double = 500, north: Double = 0,
        east: Double = 0, down: Double = 0, horizontal: Double = 1, vertical: Double = 1,
        speed: Double = 0.1, satellites: Int = 9
    ) -> GPSPush? {
        GPSPush(
            date: 20_260_701, time: 180_000, latitudeDegrees: latitude, longitudeDegrees: longitude,
            heightMetres: height, northMetresPerSecond: north, eastMetresPerSecond: east,
            downMetresPerSecond: down, horizontalAccuracyMetres: horizontal,
            verticalAccuracyMetres: vertical, speedAccuracyMetresPerSecond: speed,
            satellites: satellites)
    }

    @Test("units become steps, rounded to the nearest") func unitsBecomeStepsRoundedNearest() throws
    {
        let push = try #require(
            make(
                latitude: -33.123_456_78, longitude: 151.987_654_32, height: -411.5004,
                north: -2.505, east: 12.3425, down: -0.75, horizontal: 1.4996, vertical: 2.5,
                speed: 0.35))
        #expect(push.latitudeE7 == -331_234_568)
        #expect(push.longitudeE7 == 1_519_876_543)
        #expect(push.heightMillimetres == -411_500)
        #expect(push.northCentimetresPerSecond == -250.5)
        #expect(push.eastCentimetresPerSecond == 1234.25)
        #expect(push.downCentimetresPerSecond == -75)
        #expect(push.horizontalAccuracyMillimetres == 1500)
        #expect(push.verticalAccuracyMillimetres == 2500)
        #expect(push.speedAccuracyCentimetresPerSecond == 35)
        #expect(push.satellites == 9)
    }

    @Test(
        "without a finite place there is no position",
        arguments: [Double.nan, .infinity, -.infinity])
    func withoutFinitePlaceThereNo(value: Double) {
        #expect(make(latitude: value) == nil)
        #expect(make(longitude: value) == nil)
        #expect(make(height: value) == nil)
    }

    @Test(
        "nothing that is not finite gets into a field",
        arguments: [Double.nan, .infinity, -.infinity])
    func nothingNotFiniteGetsInto(value: Double) throws {
        let push = try #require(
            make(
                north: value, east: value, down: value, horizontal: value, vertical: value,
                speed: value))
        #expect(push.northCentimetresPerSecond == 0)
        #expect(push.eastCentimetresPerSecond == 0)
        #expect(push.downCentimetresPerSecond == 0)
        #expect(push.horizontalAccuracyMillimetres == (value < 0 ? 0 : .max))
    }

    @Test("values beyond a field's range stop at its end") func valuesBeyondFieldSRange() throws {
        let push = try #require(
            make(
                latitude: 91, longitude: -999, height: 1e9, north: 1e300, horizontal: 1e12,
                vertical: -1, satellites: -4))
        #expect(push.latitudeE7 == 900_000_000)
        #expect(push.longitudeE7 == -1_800_000_000)
        #expect(push.heightMillimetres == .max)
        #expect(push.northCentimetresPerSecond.isFinite)
        #expect(push.horizontalAccuracyMillimetres == .max)
        #expect(push.verticalAccuracyMillimetres == 0)
        #expect(push.satellites == 1)
        #expect(try #require(make(satellites: .max)).satellites == .max)
    }

    @Test("a position never counts as void, a void one never as a position")
    func positionNeverCountsVoidVoid() throws {
        #expect(try #require(make(satellites: 0)).isVoid == false)
        let void = GPSPush(voidAtDate: 20_260_701, time: 1)
        #expect(void.isVoid)
        #expect(void.latitudeE7 == 0 && void.longitudeE7 == 0)
    }

    @Test("at rest the speeds are positive zero") func restSpeedsPositiveZero() throws {
        let push = try #require(make(north: -0.0, east: -0.0, down: -0.0))
        #expect(push.northCentimetresPerSecond.sign == .plus)
        #expect(push.payload[20..<32].allSatisfy { $0 == 0 })
    }

    @Test("the reused buffer holds what a frame of its own would") func reusedBufferHoldsWhatFrame()
        throws
    {
        let push = try #require(make())
        var buffer: [UInt8] = [1, 2, 3]
        push.encode(sequence: 0xFFFF, into: &buffer)
        #expect(buffer == Frame(push, sequence: 0xFFFF).encoded)
        #expect(buffer.count == GPSPush.frameLength)
        #expect(GATTProfile.minimumMTU == 69)
    }

    /// The program heap-probe measures this, since nothing else may allocate meanwhile.
    @Test("encoding into a used buffer allocates nothing") func encodingAllocatesNothing() throws {
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let probe = Process()
        probe.executableURL = products.appendingPathComponent("heap-probe")
        try probe.run()
        probe.waitUntilExit()
        #expect(probe.terminationReason == .exit)
        #expect(probe.terminationStatus == 0)
    }
}
