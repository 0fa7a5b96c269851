import Clock
import Testing

@testable import Navigation

/// What a receiver's false times, steps and stalls do to the pushed position (decision 40).
@Suite("False times")
struct FalseTimeTests {
    typealias Script = ReceiverScript

    /// Metres a second.
    static let speed = 30.0

    static func place(_ time: Double) -> Place {
        let start = Place(latitudeDegrees: 48, longitudeDegrees: 11)
        return start.moved(
            by: GroundVector(length: speed * time, courseDegrees: 60), carrying: .zero
        ).0
    }

    /// The report of the place at `time`, with the time `time` + `ahead`.
    static func report(_ time: Double, ahead: Double = 0) -> PositionReport {
        let place = place(time)
        return Script.report(
            time + ahead, latitude: place.latitudeDegrees, longitude: place.longitudeDegrees,
            speed: speed, course: 60)
    }

    /// The error of a push at `time`, metres.
    static func error(_ script: Script, at time: Double) -> Double {
        guard let position = script.position(at: time) else { return .infinity }
        return position.fix.place.displacement(to: place(time)).length
    }

    @Test(
        "One mislabelled epoch moves nothing", arguments: [1.0, 5, 10, 25],
        [0.08, 0.53, 0.9, -0.3, -0.53, 2, -2, 40])
    func mislabelled(hertz: Double, ahead: Double) {
        for isSynchronised in [true, false] {
            var script = Script()
            if isSynchronised {
                _ = script.source.setSystemClock(
                    Script.epoch, synchronised: true, at: Script.instant(0))
            }
            for tick in 0...Int(20 * hertz) {
                let time = Double(tick) / hertz
                script.say(
                    Self.report(time, ahead: tick == Int(8 * hertz) ? ahead : 0), at: time + 0.01)
                guard time > 3 else { continue }
                let error = Self.error(script, at: time + 0.5 / hertz)
                #expect(error < 0.1 * Self.speed, "\(ahead) at \(time): \(error) m")
            }
        }
    }

    @Test(
        "After a step of receiver time pushes are right within three epochs",
        arguments: [1.0, 10], [-3.0, -2, -1, -0.4, 0.4, 1, 2, 18])
    func step(hertz: Double, size: Double) {
        for isSynchronised in [true, false] {
            var script = Script()
            if isSynchronised {
                _ = script.source.setSystemClock(
                    Script.epoch, synchronised: true, at: Script.instant(0))
            }
            for tick in 0...Int(20 * hertz) {
                let time = Double(tick) / hertz
                let isStepped = time >= 8
                script.say(Self.report(time, ahead: isStepped ? 0 : -size), at: time + 0.01)
                // Before that, a time that is late by less cannot be told from a latency.
                guard time >= 8 + 3 / hertz else { continue }
                let error = Self.error(script, at: time + 0.5 / hertz)
                #expect(error < 0.05 * Self.speed, "\(size) at \(time): \(error) m")
            }
            #expect(script.losses.isEmpty)
        }
    }

    @Test("A leap second makes neither jump nor new file", arguments: [1.0, 2, 5, 10])
    func leapSecond(hertz: Double) {
        var script = Script()
        // The receiver's midnight is 50,400 s after the beginning of the script.
        let midnight = 50_400.0
        for tick in 0...Int(30 * hertz) {
            let time = Double(tick) / hertz
            let label = midnight - 10 + time - (time >= 11 ? 1 : 0)
            script.say(Self.report(time, ahead: label - time), at: time + 0.01)
            guard time > 3 else { continue }
            let error = Self.error(script, at: time + 0.5 / hertz)
            #expect(error < 2, "at \(time): \(error) m")
        }
        #expect(script.losses.isEmpty)
        #expect(script.timeEvents.count == 1, "trust is earned once and kept")
        #expect(script.rowTimes == script.rowTimes.sorted())
    }

    @Test("The backlog of a stall is written and not pushed", arguments: [0.0, 0.02])
    func backlog(pace: Double) {
        var script = Script()
        for tick in 0...100 { script.say(Self.report(Double(tick) / 10), at: Double(tick) / 10) }
        var now = 18.0
        for tick in 101...180 {
            let time = Double(tick) / 10
            script.say(Self.report(time), at: max(now, time))
            now += pace
            if let position = script.position(at: max(now, time)) {
                #expect(position.age.seconds <= 1 + 1e-9)
                let error = Self.error(script, at: max(now, time))
                #expect(error < 3, "\(error) m at \(time)")
            }
        }
        #expect(!script.states.contains(.frozen))
        script.pass(until: 25)
        #expect(script.rows.count == 181, "what was measured is written")
    }

    @Test("No position is older than the bound", arguments: [0.0, 0.3, 0.6])
    func boundedAge(latency: Double) {
        var script = Script()
        _ = script.source.setSystemClock(Script.epoch, synchronised: true, at: Script.instant(0))
        for tick in 0...50 {
            let time = Double(tick) / 10
            script.say(Self.report(time), at: time + latency)
        }
        #expect(script.position(at: 5.99) != nil)
        #expect(script.position(at: 6.01) == nil, "1.0 s is promised at 10 Hz")
    }

    @Test("A system clock counts as a reference only where it is precise")
    func imprecise() {
        for isPrecise in [true, false] {
            var script = Script()
            _ = script.source.setSystemClock(
                Script.epoch + .seconds(0.3), synchronised: true, precise: isPrecise,
                at: Script.instant(0))
            for tick in 0...50 { script.say(Self.report(Double(tick) / 10), at: Double(tick) / 10) }
            let error = Self.error(script, at: 5.05)
            #expect(isPrecise ? abs(error - 9) < 0.2 : error < 0.1)
        }
    }

    @Test("A receiver with a fix every five seconds keeps its state, and is warned of once")
    func slow() {
        var script = Script()
        for index in 0..<12 { script.say(Self.report(Double(index) * 5), at: Double(index) * 5) }
        #expect(script.states.filter { $0 == .fix3d }.count <= 2)
        #expect(script.states.last == .fix3d)
        #expect(script.events.filter { $0.event == .slow(.seconds(5)) }.count == 1)
        #expect(script.position(at: 57.4) != nil)
        script.pass(until: 58)
        #expect(script.position(at: 58) == nil)
        #expect(script.source.fix != nil)
        script.pass(until: 80)
        #expect(script.source.state == .nodata)
    }
}
