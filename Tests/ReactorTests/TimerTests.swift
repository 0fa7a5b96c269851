import Clock
import Reactor
import Testing

@Suite struct TimerTests {
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    @Test("timers fire in the order of their instants, equal ones as they were set")
    func timersFireOrderTheirInstants() {
        var order: [Int] = []
        let start = loop.now
        let timers = (0..<6).map { index in Timer(on: loop) { _ in order.append(index) } }
        for (index, milliseconds) in [3, 1, 2, 1, 3, 1].enumerated() {
            timers[index].set(at: start + .milliseconds(milliseconds))
        }
        while order.count < 6 { loop.turn(until: .never) }
        #expect(order == [1, 3, 5, 2, 0, 4])
    }

    @Test("a timer never fires before its instant") func timerNeverFiresBeforeInstant() {
        let deadline = MonotonicClock.now() + .milliseconds(5)
        var fired: Instant?
        let timer = Timer(on: loop) { fired = $0 }
        timer.set(at: deadline)
        while fired == nil { loop.turn(until: .never) }
        #expect(fired.map { $0 >= deadline } == true)
        #expect(timer.deadline == nil)
    }

    @Test("a turn ends at its limit although nothing happened") func turnEndsLimitAlthoughNothing()
    {
        let limit = MonotonicClock.now() + .milliseconds(3)
        while loop.now < limit { loop.turn(until: limit) }
        #expect(loop.now >= limit)
    }

    @Test("setting again replaces, nil and never cancel") func settingAgainReplacesNilNever() {
        var count = 0
        let timer = Timer(on: loop) { _ in count += 1 }
        timer.set(at: .zero)
        timer.set(at: loop.now + .seconds(1000))
        loop.turn(until: .zero)
        #expect(count == 0)
        timer.set(at: .zero)
        timer.set(at: nil)
        loop.turn(until: .zero)
        timer.set(at: .zero)
        timer.set(at: .never)
        loop.turn(until: .zero)
        #expect(count == 0)
        timer.set(at: .zero)
        loop.turn(until: .zero)
        loop.turn(until: .zero)
        #expect(count == 1)
    }

    @Test("a timer that sets itself to the past starves nobody") func timerSetsItselfPastStarves() {
        var first = 0
        var second = 0
        var greedy: Timer?
        greedy = Timer(on: loop) { _ in
            first += 1
            greedy?.set(at: .zero)
        }
        let patient = Timer(on: loop) { _ in second += 1 }
        greedy?.set(at: .zero)
        patient.set(at: .zero)
        for _ in 0..<3 { loop.turn(until: .zero) }
        #expect(first == 3)
        #expect(second == 1)
        greedy = nil
    }

    @Test("a timer cancelled or dropped by another of the same wake does not fire")
    func timerCancelledOrDroppedAnother() {
        var fired: [String] = []
        let cancelled = Timer(on: loop) { _ in fired.append("cancelled") }
        var dropped: Timer? = Timer(on: loop) { _ in fired.append("dropped") }
        let first = Timer(on: loop) { _ in
            cancelled.cancel()
            dropped = nil
        }
        first.set(at: .zero)
        cancelled.set(at: .zero)
        dropped?.set(at: .zero)
        loop.turn(until: .zero)
        loop.turn(until: .zero)
        #expect(fired == [])
    }

    @Test(
        "any mix of setting, cancelling and dropping keeps the order",
        arguments: [1, 2, 3] as [UInt64])
    func anyMixSettingCancellingDropping(seed: UInt64) {
        var random = SplitMix(state: seed)
        var fired: [Instant] = []
        var expected: [Int: Instant] = [:]
        var timers: [Int: Timer] = [:]
        for step in 0..<2000 {
            let key = Int(random.next() % 200)
            switch random.next() % 4 {
            case 0:
                timers[key] = nil
                expected[key] = nil
            case 1:
                timers[key]?.cancel()
                expected[key] = nil
            default:
                // The added step makes each timer different. `now` stands still between turns.
                let microseconds = 1 + Int(random.next() % 1000)
                let instant =
                    loop.now + .microseconds(microseconds)
                    + TimeSpan(nanoseconds: Int64(step % 1000))
                guard !expected.values.contains(instant) else { continue }
                let timer =
                    timers[key]
                    ?? Timer(on: loop) { _ in
                        if let instant = expected[key] { fired.append(instant) }
                    }
                timer.set(at: instant)
                timers[key] = timer
                expected[key] = instant
            }
        }
        for (key, timer) in timers { #expect(timer.deadline == expected[key]) }
        while fired.count < expected.count { loop.turn(until: .never) }
        #expect(fired == expected.values.sorted())
    }
}

/// A seeded source of numbers (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
