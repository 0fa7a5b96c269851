import Testing

@testable import Fleet

@Suite("Void frames")
struct PushVoidTests {
    @Test("Without a fix a void goes at once, then every second")
    func beforeTheFirstFix() {
        var timeline = PushTimeline(rate: 10)
        timeline.run(until: 3.5)
        #expect(timeline.sent.map(\.frame) == [.void, .void, .void, .void])
        #expect(timeline.sent.map(\.at) == [0, 1, 2, 3])
    }

    @Test("A loss makes the next tick void, then one a second")
    func loss() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.1)
        timeline.fix(at: 1.1, interval: 0.1)
        timeline.lose(at: 1.15)
        timeline.run(until: 4)
        #expect(timeline.sent.suffix(3).map(\.frame) == [.void, .void, .void])
        #expect(timeline.sent.suffix(3).map(\.at) == [1.2, 2.2, 3.2])
    }

    @Test("A fix before that tick comes first")
    func recoveryBeforeTheTick() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.1)
        timeline.lose(at: 1.02)
        timeline.fix(at: 1.09, interval: 0.1)
        #expect(timeline.sent.filter { $0.at >= 1 }.map(\.frame) == [.position, .position])
    }

    @Test("A fix after a loss is pushed when it comes")
    func recovery() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.1)
        timeline.lose(at: 1.05)
        timeline.fix(at: 5.03, interval: 0.1)
        #expect(timeline.sent.last == .init(at: 5.03, frame: .position, news: true))
        timeline.lose(at: 5.04)
        timeline.run(until: 5.2)
        #expect(timeline.sent.last?.frame == .void)
    }

    @Test("gpsd going makes a burst of three at the pace of pushes, then one a second")
    func gone() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.1)
        timeline.lose(at: 1.05, gone: true)
        timeline.run(until: 2.5)
        let voids = timeline.sent.filter { $0.at > 1 }
        #expect(voids.map(\.frame) == [.void, .void, .void, .void])
        #expect(zip(voids.map(\.at), [1.1, 1.2, 1.3, 2.3]).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test("A second loss changes nothing")
    func lostTwice() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.1)
        timeline.lose(at: 1.05)
        timeline.run(until: 1.5)
        timeline.lose(at: 1.5, gone: true)
        timeline.run(until: 2.05)
        #expect(timeline.sent.filter { $0.at > 1 }.count == 1)
    }

    @Test("Closing sends three voids, 80 ms after the last position, and then nothing")
    func closing() {
        var timeline = PushTimeline(rate: 10)
        timeline.fix(at: 1, interval: 0.1)
        timeline.close(at: 1.01)
        timeline.fix(at: 1.1, interval: 0.1)
        timeline.run(until: 10)
        let after = timeline.sent.filter { $0.at > 1 }
        #expect(after.map(\.frame) == [.void, .void, .void])
        #expect(zip(after.map(\.at), [1.08, 1.1, 1.12]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(timeline.schedule.isEnded)
        #expect(timeline.schedule.nextDeadline == nil)
    }

    @Test("Closing without a position is at once")
    func closingWhileVoid() {
        var timeline = PushTimeline(rate: 10)
        timeline.run(until: 0.5)
        timeline.close(at: 0.5)
        timeline.run(until: 10)
        #expect(timeline.sent.map(\.at) == [0, 0.5, 0.52, 0.54])
    }
}
