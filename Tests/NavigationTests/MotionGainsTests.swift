import Testing

@testable import Navigation

@Suite("What goes on is learned")
struct PersistenceTests {
    static let usual = MotionGains.Pair(first: 0.5, second: 0)

    /// Ten minutes, once a second, of a rig whose true shares are `truth`; observations have a
    /// noise of `noise` (one sigma) and a signal of 2.
    static func taught(truth: MotionGains.Pair, noise: Double, seed: Int) -> MotionGains {
        var random = LinearGenerator(state: UInt64(seed))
        func normal() -> Double {
            (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
        }
        var persistence = MotionGains(usual: usual, scepticism: 4)
        for _ in 0..<600 {
            let real = MotionGains.Pair(first: 2 * normal(), second: 2 * normal())
            let seen = MotionGains.Pair(
                first: real.first + noise * normal(), second: real.second + noise * normal())
            let outcome = real.first * truth.first + real.second * truth.second
            persistence.learn(seen, outcome: outcome, surprise: 0, elapsed: 1)
        }
        return persistence
    }

    @Test("Before anything has come true the usual is believed")
    func usualFirst() {
        let shares = MotionGains(usual: Self.usual, scepticism: 4).shares
        #expect(abs(shares.first - 0.5) < 1e-12 && abs(shares.second) < 1e-12)
    }

    @Test("Any shares are found", arguments: 1...20)
    func found(seed: Int) {
        var random = LinearGenerator(state: UInt64(seed))
        let truth = MotionGains.Pair(
            first: Double.random(in: 0...1.2, using: &random),
            second: Double.random(in: -0.5...1, using: &random))
        let shares = Self.taught(truth: truth, noise: 0, seed: seed).shares
        #expect(abs(shares.first - truth.first) < 0.03)
        #expect(abs(shares.second - truth.second) < 0.03)
    }

    @Test("The more of what is seen is noise, the less is believed to go on", arguments: 1...10)
    func noise(seed: Int) {
        let truth = MotionGains.Pair(first: 1, second: 0)
        let shares = [0.0, 2, 20].map {
            Self.taught(truth: truth, noise: $0, seed: seed).shares.first
        }
        // With a signal of 2 and a noise of 2, half of what is observed is true; with a noise of 20
        // a hundredth.
        #expect(abs(shares[1] - 0.5) < 0.2)
        #expect(shares[0] > shares[1] && shares[1] > shares[2])
        #expect(abs(shares[2]) < 0.1)
    }

    @Test("What came to be otherwise is learned anew within three minutes")
    func forgets() {
        var persistence = Self.taught(
            truth: MotionGains.Pair(first: 1, second: 0), noise: 0, seed: 1)
        for second in 0..<180 {
            let seen = MotionGains.Pair(first: second % 2 == 0 ? 2 : -2, second: 0)
            persistence.learn(seen, outcome: 0, surprise: 0, elapsed: 1)
        }
        #expect(persistence.shares.first < 0.1)
    }

    @Test("One accident teaches little")
    func accident() {
        var persistence = Self.taught(
            truth: MotionGains.Pair(first: 0.8, second: 0), noise: 0, seed: 1)
        let seen = MotionGains.Pair(first: 50, second: 0)
        persistence.learn(seen, outcome: -50, surprise: 70, elapsed: 1)
        #expect(persistence.shares.first > 0.4)
        var trusting = Self.taught(
            truth: MotionGains.Pair(first: 0.8, second: 0), noise: 0, seed: 1)
        trusting.learn(seen, outcome: -50, surprise: 0, elapsed: 1)
        #expect(trusting.shares.first < 0)
    }
}
