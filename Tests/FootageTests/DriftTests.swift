import Clock
import Foundation
import Testing

@testable import Film
@testable import Footage

@Suite struct DriftTests {
    /// `make film` tries more rates, and longer clips.
    static let isThorough = ProcessInfo.processInfo.environment["FILM_THOROUGH"] != nil
    /// Drives that are tried; the figures in docs/footage.md are of a hundred.
    static let drives: UInt64 = isThorough ? 100 : 20
    static let few: UInt64 = isThorough ? 100 : 5

    struct Outcome {
        /// The drift found less the true one, parts in a million.
        var drift = 0.0
        /// How much too early the start of a clip was found, the shortest delay of a push, and the
        /// uncertainty that was stated, seconds.
        var early = 0.0
        var least = 0.0
        var doubt = 0.0
        var frame = 0.0
        var isInInterval: Bool?
        var width = 0.0
    }

    static func outcome(
        _ word: String, seconds: Double = 600, jitter: Double = 0.005, seed: UInt64
    ) throws -> Outcome {
        var seeded = SeededClip(seed: seed)
        seeded.rate = try #require(FilmSettings.Rate(word: word))
        seeded.seconds = seconds
        seeded.jitter = jitter
        let (clip, pushes) = seeded.make()
        var index = PushIndex([clip])
        for push in pushes { index.take(push) }
        let match = try PushMatcher.match(clip, in: index)
        var outcome = Outcome()
        outcome.drift = match.fit.drift * 1e6 - seeded.drift
        let found = match.fit.utc(ofClock: Double(clip.firstClock))
        outcome.early = (seeded.start - found) / 1e6
        outcome.least = seeded.least
        outcome.doubt = match.fit.uncertainty(atClock: clip.firstClock, frame: clip.frameInterval)
        outcome.frame = clip.frameInterval / 1e6
        if let interval = match.driftIntervalPPM {
            outcome.isInInterval = interval.contains(seeded.drift)
            outcome.width = interval.upperBound - interval.lowerBound
        }
        return outcome
    }

    @Test(
        "Ten minutes give the drift to 2 ppm in 95 of 100 drives",
        arguments: [
            "23.976", "29.97", "59.94",
        ])
    func drift(rate: String) throws {
        let outcomes = try (1...Self.drives).map { try Self.outcome(rate, seed: $0) }
        let good = outcomes.count { abs($0.drift) <= 2 }
        print("drift \(rate): within 2 ppm in \(good) of \(outcomes.count)")
        #expect(good * 100 >= outcomes.count * (Self.isThorough ? 95 : 90))
        #expect(outcomes.allSatisfy { $0.isInInterval == nil })
    }

    @Test(
        "What is said of a start holds in 99 of 100 drives",
        arguments: isThorough
            ? ["23.976", "24", "25", "29.97", "30", "50", "59.94", "60", "119.88"]
            : ["23.976", "25", "59.94"], isThorough ? [20.0, 60.0, 600.0] : [20.0])
    func starts(rate: String, seconds: Double) throws {
        let outcomes = try (1...Self.drives).map {
            try Self.outcome(rate, seconds: seconds, seed: $0)
        }
        // Errors without the time over the air.
        let held = outcomes.count { abs($0.early - $0.least) <= $0.doubt }
        let frame = outcomes[0].frame
        let near = outcomes.count { abs($0.early - $0.least) <= frame }
        let doubt = outcomes.map(\.doubt).reduce(0, +) / Double(outcomes.count)
        let worst = outcomes.map { abs($0.early - $0.least) }.max() ?? 0
        print(
            "start \(rate) over \(seconds) s: within \(doubt) s in \(held), a frame in \(near), worst \(worst)"
        )
        #expect(held * 100 >= outcomes.count * 99)
        #expect(near * 100 >= outcomes.count * 95)
    }

    @Test(
        "At the pushes' own beat the true drift lies in the interval", arguments: ["25", "50"],
        [0.0, 0.005])
    func interval(rate: String, jitter: Double) throws {
        let outcomes = try (1...Self.few).map { try Self.outcome(rate, jitter: jitter, seed: $0) }
        #expect(outcomes.allSatisfy { $0.isInInterval != nil })
        let held = outcomes.count { $0.isInInterval == true }
        let width = outcomes.map(\.width).reduce(0, +) / Double(outcomes.count)
        let two = outcomes.count { abs($0.drift) <= 2 }
        let worst = outcomes.map { abs($0.drift) }.max() ?? 0
        print(
            "interval \(rate) jitter \(jitter): \(held) of \(outcomes.count), \(width) ppm wide; least squares: \(two) within 2, worst \(worst)"
        )
        #expect(held * 100 >= outcomes.count * 99)
    }

    @Test(
        "With 30 ms of jitter it is said what is reached", arguments: ["23.976", "29.97", "59.94"])
    func jitter(rate: String) throws {
        let outcomes = try (1...Self.few).map { try Self.outcome(rate, jitter: 0.03, seed: $0) }
        let good = outcomes.count { abs($0.drift) <= 2 }
        let held = outcomes.count { abs($0.early - $0.least) <= $0.doubt }
        print(
            "jitter 30 ms, \(rate): within 2 ppm in \(good) of \(outcomes.count); starts held in \(held)"
        )
        if Self.isThorough { #expect(good >= 40) }
        #expect(held * 100 >= outcomes.count * 99)
    }
}
