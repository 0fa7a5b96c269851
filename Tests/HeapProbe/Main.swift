import CLinux
import Glibc
import OsmoProtocol

/// Exits with 0 where a GPS push is encoded into a used buffer without an allocation, and the
/// measurement could have shown one; else with 1.
@main enum HeapProbe {
    static func main() {
        guard HeapGrowth.isVisible else { exit(1) }
        let push = GPSPush(voidAtDate: 20_260_701, time: 180_000)
        var used: [UInt8] = []
        push.encode(sequence: 0, into: &used)
        let quiet = Encoding.growth(of: push, reusing: used, times: 1000)
        // Checks the measurement itself: without a buffer it must see an allocation.
        let noisy = Encoding.growth(of: push, reusing: nil, times: 1)
        exit(quiet == 0 && noisy > 0 ? 0 : 1)
    }
}

/// Not in the program's main type: a closure there belongs to the main actor, and would stop the
/// program on another thread.
private enum Encoding {
    /// Bytes of the heap that encoding allocates.
    static func growth(of push: GPSPush, reusing used: [UInt8]?, times: UInt16) -> Int {
        var shared = used ?? []
        shared.reserveCapacity(used == nil ? 0 : GPSPush.frameLength)
        return HeapGrowth.bytes {
            var fresh: [UInt8] = []
            let reuses = used != nil
            // A for loop over a range allocates in debug builds.
            var sequence: UInt16 = 0
            while sequence < times {
                if reuses {
                    push.encode(sequence: sequence, into: &shared)
                } else {
                    push.encode(sequence: sequence, into: &fresh)
                }
                sequence += 1
            }
        }
    }
}

/// Measures what a piece of work allocates on the heap, even if it frees it again.
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
        // At its first use the runtime caches type metadata and keeps it.
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
