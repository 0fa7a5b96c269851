import Clock
import Testing

@testable import Navigation

/// GPS time is trusted only after several good fixes (contract 8.7, field notes A4, A9.5).
@Suite("Trust in time")
struct TimeTrustTests {
    typealias Script = ReceiverScript

    /// Gives `count` fixes from `now` on, one a second, whose time is `offset` ahead.
    static func run(_ script: inout Script, from now: Double, count: Int, ahead offset: Double = 0)
    {
        for index in 0..<count {
            let at = now + Double(index)
            script.say(Script.report(at + offset), at: at)
        }
    }

    @Test("Three good fixes earn it, from the first of them on", arguments: [1.0, 10, 25])
    func three(hertz: Double) {
        var script = Script()
        for tick in 0..<3 {
            #expect(!script.source.timeTrusted)
            script.say(Script.report(Double(tick) / hertz), at: Double(tick) / hertz + 5)
        }
        #expect(script.timeEvents == [.timeTrusted(since: Script.instant(5), stepped: false)])
        #expect(script.source.timeTrusted)
    }

    @Test("Fixes without time are doubted once, and pushed all the same")
    func missing() {
        var script = Script()
        for second in 0..<6 {
            let report = Script.report(nil, latitude: 48 + Double(second) / 1000)
            script.say(report, at: Double(second))
        }
        #expect(script.timeEvents == [.timeDoubted(.missing)])
        #expect(script.fixes.count == 6)
        #expect(!script.source.timeTrusted)
        #expect(script.source.utc(at: Script.instant(6)) == nil)
    }

    @Test("A date before the build is doubted once and never trusted, and pushed all the same")
    func beforeBuild() {
        var script = Script()
        Self.run(&script, from: 0, count: 20, ahead: -1024 * 7 * 86_400)
        #expect(script.timeEvents == [.timeDoubted(.beforeBuild)])
        #expect(script.fixes.count == 20)
        #expect(!script.source.timeTrusted)
    }

    @Test(
        "A date far from the synchronised system clock is doubted",
        arguments: [1024.0 * 7, 1.01, -1.01])
    func systemClock(days: Double) {
        var script = Script()
        _ = script.source.setSystemClock(
            Script.epoch, synchronised: true, at: Script.instant(0))
        Self.run(&script, from: 0, count: 5, ahead: days * 86_400)
        #expect(script.timeEvents == [.timeDoubted(.systemClock)])
        #expect(script.fixes.count == 5)
    }

    @Test("A system clock that nobody set is no judge")
    func unsetSystemClock() {
        var script = Script()
        _ = script.source.setSystemClock(
            UnixTime(nanoseconds: 0), synchronised: false, at: Script.instant(0))
        Self.run(&script, from: 0, count: 3)
        #expect(script.source.timeTrusted)
    }

    @Test("A system clock that is synchronised later takes trust away from a wrong date")
    func laterJudge() {
        var script = Script()
        Self.run(&script, from: 0, count: 3, ahead: 12 * 365 * 86_400)
        #expect(script.source.timeTrusted)
        let events = script.source.setSystemClock(
            Script.epoch + .seconds(3), synchronised: true, at: Script.instant(3))
        #expect(events == [.timeRevoked])
        #expect(!script.source.timeTrusted)
    }

    @Test(
        "A step of more than a second takes it away until three good fixes",
        arguments: [-18.0, 18, 1.2, -40, 1e8])
    func step(size: Double) {
        var script = Script()
        Self.run(&script, from: 0, count: 10)
        Self.run(&script, from: 10, count: 10, ahead: size)
        let since = Script.instant(10)
        #expect(
            script.timeEvents.dropFirst() == [
                .timeRevoked, .timeTrusted(since: since, stepped: true),
            ])
        let revoked = script.events.first { $0.event == .timeRevoked }
        #expect(revoked?.at == 10)
        #expect(script.source.timeTrusted)
        let late = script.rows.filter { $0.at > 12.5 }.compactMap(\.fix.time)
        #expect(late == late.sorted() && late.count >= 6)
    }

    @Test("A step of less than a second is none", arguments: [0.9, -0.9])
    func smallStep(size: Double) {
        var script = Script()
        Self.run(&script, from: 0, count: 10)
        Self.run(&script, from: 10, count: 5, ahead: size)
        #expect(script.timeEvents.count == 1)
    }

    @Test("A stall's backlog is no step", arguments: [1.5, 2.2])
    func stall(length: Double) {
        var script = Script()
        for tick in 0..<30 { script.say(Script.report(Double(tick) / 10), at: Double(tick) / 10) }
        let end = 2.9 + length
        for tick in 30..<Int((end * 10).rounded()) {
            script.say(Script.report(Double(tick) / 10), at: end)
        }
        for tick in 0..<20 {
            let time = end + Double(tick) / 10
            script.say(Script.report(time), at: time)
        }
        #expect(script.timeEvents.count == 1)
        #expect(script.rowTimes == script.rowTimes.sorted())
    }

    @Test("A receiver that goes on late after a silence made a step after all")
    func lateForGood() {
        var script = Script()
        Self.run(&script, from: 0, count: 10)
        Self.run(&script, from: 14, count: 10, ahead: -3)
        #expect(script.timeEvents.contains(.timeRevoked))
        #expect(script.source.timeTrusted)
    }

    @Test("A backlog does not earn trust by itself")
    func backlogEarnsNothing() {
        var script = Script()
        for tick in 0..<10 { script.say(Script.report(Double(tick) / 10), at: 5) }
        #expect(!script.source.timeTrusted)
    }

    @Test("One wild date among good ones costs trust for a moment, and starts no new line of time")
    func wildDate() {
        var script = Script()
        Self.run(&script, from: 0, count: 5)
        script.say(Script.report(20.0 * 365 * 86_400), at: 5)
        Self.run(&script, from: 6, count: 5)
        guard case .timeTrusted(_, let stepped) = script.timeEvents.last else {
            Issue.record("no trust: \(script.timeEvents)")
            return
        }
        #expect(!stepped)
        #expect(script.rowTimes.filter { $0 < 1000 } == [0, 1, 2, 3, 4, 6, 7, 8, 9])
    }

    @Test("UTC at an instant follows from the earliest arrivals")
    func utc() {
        var script = Script()
        let delays = [0.4, 0.2, 0.15, 0.3, 0.5, 0.15, 0.2]
        for (second, delay) in delays.enumerated() {
            script.say(Script.report(Double(second)), at: Double(second) + delay)
        }
        let utc = script.source.utc(at: Script.instant(100))
        #expect(utc.map { abs(($0 - Script.epoch).seconds - 99.85) < 1e-9 } ?? false)
    }

    @Test("A synchronised system clock knows how late even the earliest are")
    func utcFromSystemClock() {
        var script = Script()
        _ = script.source.setSystemClock(
            Script.epoch, synchronised: true, at: Script.instant(0))
        for second in 0..<5 { script.say(Script.report(Double(second)), at: Double(second) + 0.3) }
        let utc = script.source.utc(at: Script.instant(100))
        #expect(utc.map { abs(($0 - Script.epoch).seconds - 100) < 1e-9 } ?? false)
    }

    @Test(
        "A system clock that differs by more than a latency is not used",
        arguments: [-0.2, 0.7, 18])
    func implausibleLatency(ahead: Double) {
        var script = Script()
        _ = script.source.setSystemClock(
            Script.epoch + .seconds(ahead), synchronised: true, at: Script.instant(0))
        for second in 0..<5 { script.say(Script.report(Double(second)), at: Double(second)) }
        let utc = script.source.utc(at: Script.instant(100))
        #expect(utc.map { abs(($0 - Script.epoch).seconds - 100) < 1e-9 } ?? false)
    }
}
