import Glibc
import LineProtocol
import OsmoProtocol

/// `geotag-sim bench`: what encoding and decoding a GPS frame costs of processor time, for
/// Tests/Bench/bench.py: `encode_ns N`, `decode_ns N`.
enum Bench {
    private static let frames = 5_000_000

    static func main() -> Int32 {
        Terminal.say("encode_ns " + LineText.decimal(measure(encode), decimals: 1))
        Terminal.say("decode_ns " + LineText.decimal(measure(decode), decimals: 1))
        return 0
    }

    /// Nanoseconds of processor time a frame.
    private static func measure(_ work: () -> Int) -> Double {
        let begun = processorNanoseconds
        let sum = work()
        let spent = processorNanoseconds - begun
        // Used, so that nothing of the work is left out.
        precondition(sum > 0, "five million frames cannot all be zero")
        return Double(spent) / Double(frames)
    }

    private static func encode() -> Int {
        var push = GPSPush(voidAtDate: 20_260_101, time: 120_000)
        var buffer: [UInt8] = []
        var sum = 0
        for count in 0..<frames {
            push.latitudeE7 = Int32(truncatingIfNeeded: count)
            push.encode(sequence: UInt16(truncatingIfNeeded: count), into: &buffer)
            sum &+= Int(buffer[62])
        }
        return sum
    }

    /// Two of them in turn, as the C beside it does.
    private static func decode() -> Int {
        let push = GPSPush(voidAtDate: 20_260_101, time: 120_000)
        let pair = [Frame(push, sequence: 1).encoded, Frame(push, sequence: 2).encoded]
        var sum = 0
        for count in 0..<frames {
            guard let frame = try? Frame(datagram: pair[count & 1]),
                let push = frame.read(GPSPush.self)
            else { return 0 }
            sum &+= Int(push.time)
        }
        return sum
    }

    private static var processorNanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
