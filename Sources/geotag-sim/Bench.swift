import Daemon
import Fleet
import Navigation
import OsmoProtocol
import Reactor

/// `geotag-sim bench FOLDER`: what the two hot paths cost, for Tests/Bench/bench.py.
///
/// Prints `codec_ns N`, the time to encode a GPS frame, and `rows_per_second N`, epochs through the
/// daemon's own track writer into files in FOLDER, from the first until the last is on its way to
/// the disk.
enum Bench {
    private static let frames = 5_000_000
    private static let rows = 200_000

    static func main(_ words: [String]) -> Int32 {
        guard words.count == 1, let folder = words.first else {
            Terminal.complain("usage: geotag-sim bench FOLDER")
            return Terminal.usageError
        }
        Terminal.say("codec_ns " + LineText.decimal(codec(), decimals: 1))
        do throws(SystemError) {
            Terminal.say("rows_per_second " + LineText.decimal(try track(in: folder), decimals: 0))
            return 0
        } catch {
            Terminal.complain("\(folder): \(error)")
            return Terminal.unavailable
        }
    }

    private static func codec() -> Double {
        var push = GPSPush(voidAtDate: 20_260_101, time: 120_000)
        var buffer: [UInt8] = []
        var sum = 0
        let begun = MonotonicClock.now()
        for count in 0..<frames {
            push.latitudeE7 = Int32(truncatingIfNeeded: count)
            push.encode(sequence: UInt16(truncatingIfNeeded: count), into: &buffer)
            sum &+= Int(buffer[62])
        }
        let spent = MonotonicClock.now() - begun
        // Used, so that nothing of the above is left out.
        precondition(sum > 0, "five million checksums cannot all be zero")
        return Double(spent.nanoseconds) / Double(frames)
    }

    private static func track(in folder: String) throws(SystemError) -> Double {
        let loop = try EventLoop()
        let writer = try TrackWriter(settings: TrackSettings(directory: folder), loop: loop) { _ in
        }
        var fix = Fix(
            mode: .threeD, time: nil, arrival: .zero, latitudeDegrees: 48.1234567,
            longitudeDegrees: 11.1234567, heightMetres: 545.4, ellipsoidHeightMetres: 592.7,
            speedMetresPerSecond: 12.345, courseDegrees: 84.4, climbMetresPerSecond: 0.12,
            horizontalAccuracyMetres: 1.5, verticalAccuracyMetres: 2.5, satellites: 12, hdop: 0.9,
            device: "/dev/ttyACM0")
        let start = UnixTime(nanoseconds: 1_782_900_000_000_000_000)
        let begun = MonotonicClock.now()
        for count in 1...rows {
            let passed = Span.milliseconds(count)
            fix.time = start + passed
            fix.arrival = .zero + passed
            fix.latitudeDegrees += 1e-7
            writer.record(
                ClosedEpoch(
                    fix: fix, sequence: count, pushedCameras: 4, recording: ["cam1", "cam2"],
                    timeTrusted: true), at: begun)
            while writer.queued > 2000 { loop.turn(until: MonotonicClock.now() + .milliseconds(1)) }
        }
        while writer.queued > 0 { loop.turn(until: MonotonicClock.now() + .milliseconds(1)) }
        let whole = writer.close()
        let spent = MonotonicClock.now() - begun
        let lost = writer.status.unwritten
        guard whole, lost == 0 else {
            Terminal.complain("\(lost) rows were not written")
            throw SystemError(code: 5)
        }
        return Double(rows) / spent.seconds
    }
}
