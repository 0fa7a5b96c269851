import CLinux
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

    @Test(
        "encoding into a used buffer allocates nothing",
        .enabled(if: HeapGrowth.isVisible, "this allocator keeps no statistics"))
    func encodingIntoUsedBufferAllocates() async {
        await #expect(processExitsWith: .success) {
            let push = GPSPush(voidAtDate: 20_260_701, time: 180_000)
            var used: [UInt8] = []
            push.encode(sequence: 0, into: &used)
            let quiet = HeapGrowth.bytes {
                // A for loop over a range allocates in debug builds.
                var sequence: UInt16 = 0
                while sequence < 1000 {
                    push.encode(sequence: sequence, into: &used)
                    sequence += 1
                }
            }
            // What the measure is worth: the same without a buffer is seen.
            let noisy = HeapGrowth.bytes {
                var fresh: [UInt8] = []
                push.encode(sequence: 0, into: &fresh)
            }
            #expect(quiet == 0, "\(quiet) bytes")
            #expect(noisy > 0)
        }
    }
}

/// What a piece of work takes from the heap, even if it gives it back.
///
/// A new thread's cache of freed pieces is empty, so that every allocation on it is taken from the
/// arena, and what is freed stays in the cache, which counts as used (mallinfo(3)). The process has
/// to be quiet meanwhile.
private enum HeapGrowth {
    static var isVisible: Bool {
        let before = mallinfo2().uordblks
        let piece = malloc(5000)
        defer { free(piece) }
        return mallinfo2().uordblks > before
    }

    static func bytes(_ work: @escaping () -> Void) -> Int {
        // The runtime caches type metadata at their first use, for good.
        _ = once(work)
        return once(work)
    }

    private static func once(_ work: @escaping () -> Void) -> Int {
        let job = Job(work: work)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Job>.fromOpaque(context!).takeUnretainedValue().run()
                return nil
            }, Unmanaged.passUnretained(job).toOpaque())
        pthread_join(thread, nil)
        return job.growth
    }

    private final class Job {
        let work: () -> Void
        var growth = 0

        init(work: @escaping () -> Void) { self.work = work }

        func run() {
            // The cache itself is allocated at the first use.
            free(malloc(900))
            let before = mallinfo2().uordblks
            work()
            growth = Int(mallinfo2().uordblks) - Int(before)
        }
    }
}
