import Clock
import Testing

@testable import Fleet

@Suite("Backoff and the core's randomness")
struct BackoffTests {
    @Test("goes from 1 s to 60 s with jitter, for ever", arguments: [UInt64(1), 2, 3, 99])
    func grows(seed: UInt64) {
        var generator = Fleet.SeededGenerator(seed: seed)
        var backoff = Backoff(retries: 0)
        for failure in 0..<1000 {
            let nominal = Double(min(1 << min(failure, 10), 60))
            let delay = backoff.failed(using: &generator)!
            #expect(delay >= .seconds(1))
            #expect(delay <= .seconds(60))
            #expect(delay.seconds >= nominal * 0.75 - 1e-9 || delay == .seconds(1))
            #expect(delay.seconds <= nominal * 1.25 + 1e-9)
        }
        #expect(!backoff.exhausted)
        backoff.reset()
        #expect(backoff.failed(using: &generator)! <= .seconds(1.25))
    }

    @Test("cameras that went together do not come back together")
    func jitters() {
        var generator = Fleet.SeededGenerator(seed: 5)
        let delays = (0..<10).map { _ in
            var backoff = Backoff(retries: 0)
            for _ in 1...3 { _ = backoff.failed(using: &generator) }
            return backoff.failed(using: &generator)!
        }
        // All delays are near 8 s, and no two are equal.
        #expect(Set(delays).count == 10)
        #expect(delays.max()! - delays.min()! > .seconds(1))
    }

    @Test("ends at its retries, at the bound and not before", arguments: [1, 2, 1000])
    func ends(retries: Int) {
        var generator = Fleet.SeededGenerator(seed: 4)
        var backoff = Backoff(retries: retries)
        for _ in 0..<retries - 1 {
            let delay = backoff.failed(using: &generator)
            #expect(delay != nil)
        }
        #expect(!backoff.exhausted)
        let last = backoff.failed(using: &generator)
        #expect(last == nil)
        #expect(backoff.exhausted)
        backoff.reset()
        #expect(!backoff.exhausted)
    }

    @Test("the generator is SplitMix64, the same everywhere")
    func splitMix() {
        // The published first outputs for seed 1234567.
        var generator = Fleet.SeededGenerator(seed: 1_234_567)
        let numbers = (0..<3).map { _ in generator.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
        var parent = Fleet.SeededGenerator(seed: 1)
        var first = parent.fork()
        var second = parent.fork()
        #expect(first.next() != second.next())
    }
}
