import Clock
import Testing

@testable import Fleet

/// The bounds of decision 6, over generated receivers.
@Suite("The schedule of pushes")
struct PushScheduleTests {
    struct Receiver: CustomTestStringConvertible {
        var hertz: Double
        var jitter: Double
        var lost: Double
        var stall: Double?

        var testDescription: String {
            let stalls = stall.map { "every \($0) s" } ?? "never"
            return "\(hertz) Hz, jitter \(jitter) s, lost \(lost), stalled \(stalls)"
        }
    }

    static let receivers: [Receiver] = [1, 2, 4, 5, 8, 10, 18, 20, 25].flatMap { hertz in
        [
            Receiver(hertz: hertz, jitter: 0, lost: 0, stall: nil),
            Receiver(hertz: hertz, jitter: 0.03, lost: 0, stall: nil),
            Receiver(hertz: hertz, jitter: 0.03, lost: 0.1, stall: nil),
            Receiver(hertz: hertz, jitter: 0.01, lost: 0.02, stall: 7),
        ]
    }

    @Test("Bounds hold at every receiver, rate and seed", arguments: receivers, 1...10)
    func bounds(receiver: Receiver, rate: Int) {
        for seed in 1...3 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let generator = ArrivalGenerator(
                hertz: receiver.hertz, jitter: receiver.jitter, lost: receiver.lost,
                stall: receiver.stall)
            let seconds = max(30, 250 / Double(rate))
            let arrivals = generator.arrivals(from: 1, seconds: seconds, using: &random)
            var timeline = PushTimeline(rate: rate)
            timeline.play(arrivals, until: 1 + seconds)
            let stamps = timeline.positions.map(\.at)
            #expect(violations(of: stamps, rate: rate, fresh: 1...(1 + seconds)) == [])
            if receiver.hertz > Double(rate) || receiver.lost == 0 {
                let perSecond = Double(stamps.count - 1) / (stamps[stamps.count - 1] - stamps[0])
                #expect(perSecond >= 0.83 * Double(rate) - 1e-6, "\(perSecond) a second")
            }
        }
    }

    /// The bounds that the times of sending break, each with the place in the list.
    func violations(
        of stamps: [Double], rate: Int, fresh: ClosedRange<Double>
    ) -> [String] {
        let scale = 10 / Double(rate)
        let slack = 1e-6
        var found: [String] = []
        for (index, pair) in zip(stamps, stamps.dropFirst()).enumerated() {
            let gap = pair.1 - pair.0
            if gap < 0.08 * scale - slack { found.append("spacing \(gap) at \(pair.1)") }
            if gap > 0.12 * scale + slack { found.append("gap \(gap) at \(pair.1)") }
            if index >= 11, stamps[index] - stamps[index - 11] <= scale - slack {
                found.append("12 in \(scale) s at \(pair.0)")
            }
            if index >= 101, stamps[index] - stamps[index - 101] <= 10 * scale - slack {
                found.append("102 in \(10 * scale) s at \(pair.0)")
            }
        }
        if stamps.isEmpty { found.append("nothing sent") }
        if let last = stamps.last, fresh.upperBound - last > 0.12 * scale + slack {
            found.append("ends at \(last)")
        }
        return found
    }

    @Test(
        "A 10 Hz receiver's every epoch is pushed when it comes, and nothing else",
        arguments: [0.0, 0.002, 0.008], 1...10 as ClosedRange<UInt64>)
    func noBeats(jitter: Double, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let arrivals = ArrivalGenerator(hertz: 10, jitter: jitter).arrivals(
            from: 1.5, seconds: 60, using: &random)
        var timeline = PushTimeline(rate: 10)
        timeline.play(arrivals, until: 61.5)
        let pushed = timeline.positions
        #expect(pushed.count == arrivals.count)
        #expect(pushed.allSatisfy { $0.news })
        let late = zip(pushed, arrivals).map { $0.at - $1.at }
        #expect(late.max()! < 1e-6)
    }

    @Test("After a first fix that a void held up, pushes are back in phase within twelve seconds")
    func backInPhase() {
        var timeline = PushTimeline(rate: 10)
        timeline.play(
            (0..<200).map { .init(at: 1.002 + Double($0) / 10, interval: 0.1) }, until: 20.95)
        #expect(timeline.positions[0].at == 1.08)
        let late = timeline.positions.filter { $0.at > 13 }.map {
            ($0.at - 1.002).truncatingRemainder(dividingBy: 0.1)
        }
        #expect(late.allSatisfy { min($0, 0.1 - $0) < 1e-6 })
    }

    @Test("A new fix waits for spacing and budget only, and the newest wins")
    func newestWins() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.04)
        timeline.fix(at: 1.04, interval: 0.04)
        timeline.fix(at: 1.08, interval: 0.04)
        timeline.run(until: 1.11)
        #expect(timeline.positions.count == 2)
        #expect(timeline.positions[1].at >= 1.08)
        #expect(timeline.positions[1].at < 1.1)
    }

    @Test("A grid push waits 20 ms for an expected fix, and no longer")
    func patience() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.1)
        timeline.fix(at: 1.115, interval: 0.1)
        #expect(timeline.positions.map(\.at) == [1, 1.115])
        timeline.run(until: 1.3)
        #expect(abs(timeline.positions[2].at - 1.235) < 1e-9)
    }

    @Test("Between the fixes of a slow receiver the grid goes on from the last one")
    func slowReceiver() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1.53, interval: 1)
        timeline.run(until: 2.45)
        let expected = (0...9).map { 1.53 + Double($0) / 10 }
        #expect(zip(timeline.positions.map(\.at), expected).allSatisfy { abs($0 - $1) < 1e-9 })
        timeline.fix(at: 2.54, interval: 1)
        #expect(timeline.positions.last == .init(at: 2.54, frame: .position, news: true))
        #expect(timeline.positions.count == 11)
    }

    @Test("A receiver whose rate changes in flight keeps the bounds", arguments: 1...10)
    func rateChange(rate: Int) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var timeline = PushTimeline(rate: rate)
            var start = 1.0
            for hertz in [1.0, 10, 25, 4, 18, 5, 20, 8, 2].shuffled(using: &random) {
                let generator = ArrivalGenerator(
                    hertz: hertz, jitter: 0.03, lost: 0.05, stall: seed == 1 ? 5 : nil)
                timeline.play(
                    generator.arrivals(from: start, seconds: 12, using: &random),
                    until: start + 12)
                start += 12
            }
            let stamps = timeline.positions.map(\.at)
            #expect(violations(of: stamps, rate: rate, fresh: 1...start) == [])
        }
    }

    @Test("A rate changed while pushes flow keeps its own bounds from then on", arguments: 1...10)
    func rateSet(rate: Int) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let before = Int.random(in: 1...10, using: &random)
            let generator = ArrivalGenerator(hertz: 10, jitter: 0.01)
            var timeline = PushTimeline(rate: before)
            let change = Double.random(in: 8...12, using: &random)
            timeline.play(generator.arrivals(from: 1, seconds: 7, using: &random), until: change)
            timeline.schedule.setRate(rate)
            let from = timeline.positions.count - 1
            let end = change + 250 / Double(rate)
            timeline.play(
                generator.arrivals(from: change, seconds: end - change, using: &random), until: end)
            let stamps = timeline.positions.map(\.at)[from...]
            let found = violations(of: Array(stamps), rate: rate, fresh: change...end)
            #expect(found == [], "from \(before), seed \(seed)")
        }
    }

    @Test("Measured rate is what was sent", arguments: [1, 5, 10])
    func measuredRate(rate: Int) {
        var timeline = PushTimeline(rate: rate)
        timeline.play(
            (0..<300).map { .init(at: 1 + Double($0) / 10, interval: 0.1) }, until: 31)
        let shown = timeline.schedule.rateHertz(at: Instant(nanoseconds: 31_000_000_000))
        #expect(abs(shown - Double(rate)) < 0.06 * Double(rate))
    }

    @Test("Where nobody receives, the measured rate is 0") func measuredRateNobody() {
        var timeline = PushTimeline(rate: 10)
        timeline.isHeard = false
        timeline.play((0..<300).map { .init(at: 1 + Double($0) / 10, interval: 0.1) }, until: 31)
        #expect(timeline.positions.count > 290)
        #expect(timeline.schedule.rateHertz(at: Instant(nanoseconds: 31_000_000_000)) == 0)
    }

    @Test("The measured rate never exceeds what may be pushed", arguments: UInt64(1)...5)
    func measuredRateBounded(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let generator = ArrivalGenerator(hertz: 10, jitter: 0.03)
        var timeline = PushTimeline(rate: 10)
        var highest = 0.0
        for arrival in generator.arrivals(from: 1, seconds: 20, using: &random) {
            timeline.fix(at: arrival.at, interval: arrival.interval)
            let now = Instant(nanoseconds: Int64(arrival.at * 1e9))
            highest = max(highest, timeline.schedule.rateHertz(at: now))
        }
        #expect(highest <= 11 && highest > 9.5, "seed \(seed)")
    }
}
