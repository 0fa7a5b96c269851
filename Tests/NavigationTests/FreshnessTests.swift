import Clock
import Testing

@testable import Navigation

/// When a position is pushed and when it is void (contract 8.1, 8.3).
@Suite("Freshness")
struct FreshnessTests {
    typealias Script = ReceiverScript

    static func running(hertz: Double, epochs: Int = 30) -> (script: Script, last: Double) {
        var script = Script()
        for tick in 0..<epochs {
            let time = Double(tick) / hertz
            let place = 48 + time / 10_000
            script.say(Script.report(time, latitude: place, speed: 11, course: 0), at: time)
        }
        return (script, Double(epochs - 1) / hertz)
    }

    @Test(
        "Silence is a loss after two and a half epochs, at least 1 s, at most 2.5 s",
        arguments: [(25.0, 1.0), (10, 1), (5, 1), (2, 1.25), (1.25, 2), (1, 2.5), (0.5, 2.5)])
    func silence(hertz: Double, bound: Double) {
        var (script, last) = Self.running(hertz: hertz, epochs: 12)
        let known = script.losses.count
        #expect(script.position(at: last + bound) != nil)
        #expect(script.position(at: last + bound + 0.001) == nil)
        script.pass(until: last + 10)
        #expect(script.losses.count == known + 1)
        #expect(script.losses.last?.loss == .silence)
        #expect(abs((script.losses.last?.at ?? 0) - last - bound) < 1e-6)
        #expect(script.source.state == .nodata)
    }

    @Test("A frozen receiver is a loss at the same bound, and called frozen", arguments: [10.0, 1])
    func frozen(hertz: Double) {
        var (script, last) = Self.running(hertz: hertz)
        let repeated = Script.report(last, latitude: 48 + last / 10_000, speed: 11, course: 0)
        for tick in 1...60 { script.say(repeated, at: last + Double(tick) / hertz) }
        let bound = hertz == 10 ? 1.0 : 2.5
        #expect(script.losses.map(\.loss) == [.frozen])
        #expect(abs(script.losses[0].at - last - bound) < 1e-6)
        #expect(script.source.state == .frozen)
        script.pass(until: last + 60 / hertz + bound + 0.01)
        #expect(script.source.state == .nodata)
        let end = last + 70
        script.say(Script.report(end, latitude: 48.1), at: end)
        #expect(script.source.state == .fix3d)
    }

    @Test("Frozen in time but not in place is frozen still")
    func frozenTime() {
        var (script, last) = Self.running(hertz: 10)
        for tick in 1...30 {
            let place = 48 + last / 10_000 + Double(tick) / 100_000
            script.say(
                Script.report(last, latitude: place, speed: 11, course: 0),
                at: last + Double(tick) / 10)
        }
        #expect(script.losses.map(\.loss) == [.frozen])
    }

    @Test("No fix is a loss at once", arguments: [0, 1])
    func noFix(mode: Int) {
        var (script, last) = Self.running(hertz: 10)
        script.say(Script.report(mode == 1 ? last + 0.1 : nil, mode: mode), at: last + 0.1)
        #expect(script.losses.map(\.loss) == [.noFix])
        #expect(script.losses[0].at == last + 0.1)
        #expect(script.source.state == .nofix)
        #expect(script.position(at: last + 0.1) == nil)
    }

    @Test("gpsd going, or the device let go, is a loss at once")
    func gone() {
        var (script, last) = Self.running(hertz: 10)
        var other = script
        script.say(.disconnected, at: last + 0.05)
        #expect(script.losses.map(\.loss) == [.gone])
        #expect(script.source.state == .disconnected)
        #expect(script.rows.count == 30, "the open epoch has its row")
        other.say(.report(.device(path: "/dev/a", active: false)), at: last + 0.05)
        #expect(other.losses.map(\.loss) == [.gone])
    }

    @Test("Recovery comes with the first epoch")
    func recovery() {
        var (script, last) = Self.running(hertz: 10)
        script.say(Script.report(last + 0.1, mode: 1), at: last + 0.1)
        script.say(Script.report(last + 0.2), at: last + 0.2)
        #expect(script.fixes.last?.at == last + 0.2)
        #expect(script.source.state == .fix3d)
        script.say(.disconnected, at: last + 0.3)
        script.say(.connected, at: last + 5)
        script.say(Script.report(last + 6), at: last + 6)
        #expect(script.fixes.last?.at == last + 6)
        #expect(script.source.state == .fix3d)
    }

    @Test("Each loss is told once, whatever follows")
    func once() {
        var (script, last) = Self.running(hertz: 10)
        script.say(Script.report(nil, mode: 0), at: last + 0.1)
        script.say(Script.report(nil, mode: 1), at: last + 0.2)
        script.say(Script.report(nil, mode: 0), at: last + 0.3)
        script.pass(until: last + 20)
        script.say(.disconnected, at: last + 21)
        #expect(script.losses.count == 1)
    }

    @Test("States in the order of a cold start")
    func states() {
        var script = Script(connected: false)
        #expect(script.source.state == .disconnected)
        script.say(.connected, at: 0)
        script.say(Script.report(nil, mode: 0), at: 1)
        script.say(Script.report(2, mode: 2), at: 2)
        script.say(Script.report(3), at: 3)
        #expect(script.states == [.nodata, .nofix, .fix2d, .fix3d])
    }

    @Test("A fix without time is fresh while its place changes")
    func timelessMoving() {
        var script = Script()
        for tick in 0..<20 {
            let now = Double(tick) / 2
            let place = 48 + now / 10_000
            script.say(Script.report(nil, latitude: place, speed: 11, course: 0), at: now)
        }
        #expect(script.fixes.count == 20)
        #expect(script.losses.isEmpty)
        for tick in 20..<30 {
            let now = Double(tick) / 2
            script.say(
                Script.report(nil, latitude: 48 + 9.5 / 10_000, speed: 11, course: 0), at: now)
        }
        #expect(script.losses.map(\.loss) == [.frozen])
        #expect(script.losses[0].at > 10.7 && script.losses[0].at < 12.1)
    }

    @Test("A fix without time is fresh at rest too")
    func timelessResting() {
        var script = Script()
        for tick in 0..<20 {
            script.say(Script.report(nil, speed: 0.1, course: 3), at: Double(tick))
        }
        #expect(script.losses.isEmpty)
        #expect(script.fixes.count == 20)
    }

    @Test("The rate follows a change within six epochs, and lost epochs do not change it")
    func rate() {
        var script = Script()
        for tick in 0..<20 where tick % 7 != 3 {
            script.say(Script.report(Double(tick) / 10), at: Double(tick) / 10)
        }
        #expect(script.source.epochInterval == .milliseconds(100))
        for second in 3..<9 { script.say(Script.report(Double(second)), at: Double(second)) }
        #expect(script.source.epochInterval == .seconds(1))
    }

    @Test("Whatever comes, a pushed position is never older than the bound", arguments: 1...20)
    func property(seed: Int) {
        var random = LinearGenerator(state: UInt64(seed))
        var script = Script()
        var now = 0.0
        var time = 0.0
        var lastAdvance = -1.0
        var epoch = (time: -1.0, begun: 0.0, advanced: false)
        for _ in 0..<400 {
            now += [0.01, 0.1, 0.1, 0.1, 0.7, 1.6].randomElement(using: &random) ?? 0.1
            time = [time, time, now, now, now, now - 0.4].randomElement(using: &random) ?? now
            let mode = [0, 1, 2, 3, 3, 3, 3, 3].randomElement(using: &random) ?? 3
            script.say(
                Script.report(
                    time, mode: mode, latitude: 48 + Double.random(in: 0...1, using: &random) / 1e5),
                at: now)
            if (time - epoch.time).magnitude > 0.005 { epoch = (time, now, time > epoch.time) }
            if epoch.advanced, mode >= 2 { lastAdvance = epoch.begun }
            for later in [0.0, 0.5, 1.5, 2.6] where script.position(at: now + later) != nil {
                #expect(now + later - lastAdvance <= 2.5 + 1e-9, "seed \(seed) at \(now)")
            }
        }
    }
}

/// Numerical Recipes' 64-bit generator: enough for tests.
struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}
