import Fleet
import Navigation
import OsmoProtocol
import Reactor

/// `geotag-sim bench`: what encoding a GPS frame costs, for Tests/Bench/bench.py: `codec_ns N`.
enum Bench {
    private static let frames = 5_000_000

    static func main() -> Int32 {
        Terminal.say("codec_ns " + LineText.decimal(codec(), decimals: 1))
        return 0
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
}
