import Clock
import Testing

@testable import Navigation

@Suite("Which receiver is listened to")
struct ReceiverChoiceTests {
    typealias Script = ReceiverScript

    /// Fixes of two receivers once a second; `b` comes half a second after `a`.
    static func play(
        _ script: inout Script, seconds: Range<Int>, a: PositionReport?, b: PositionReport?
    ) {
        for second in seconds {
            for (report, offset, device) in [(a, 0.0, "/dev/a"), (b, 0.5, "/dev/b")] {
                guard var report else { continue }
                report.device = device
                if report.mode > 0 {
                    report.time = Script.epoch + .seconds(Double(second) + offset)
                }
                script.say(report, at: Double(second) + offset)
            }
        }
    }

    static func devices(_ script: Script) -> [String] {
        script.events.compactMap { if case .device(let name) = $0.event { name } else { nil } }
    }

    @Test("The first receiver is taken at once")
    func first() {
        var script = Script()
        Self.play(&script, seconds: 0..<2, a: Script.report(0), b: nil)
        #expect(Self.devices(script) == ["/dev/a"])
        #expect(script.source.device == "/dev/a")
    }

    @Test("A better mode is taken after five seconds")
    func betterMode() {
        var script = Script()
        Self.play(
            &script, seconds: 0..<20, a: Script.report(0, mode: 2), b: Script.report(0, mode: 3))
        #expect(Self.devices(script) == ["/dev/a", "/dev/b"])
        let change = script.events.first { $0.event == .device("/dev/b") }
        #expect(change?.at == 5.5)
        #expect(script.losses.isEmpty)
        #expect(script.fixes.filter { $0.at > 6 }.allSatisfy { $0.fix.device == "/dev/b" })
        #expect(script.rows.allSatisfy { $0.at < 5.6 || $0.fix.device == "/dev/b" })
    }

    @Test("A smaller error is taken after five seconds, a fluctuating one never")
    func betterError() {
        var script = Script()
        Self.play(
            &script, seconds: 0..<12, a: Script.report(0, eph: 5), b: Script.report(0, eph: 2))
        #expect(Self.devices(script) == ["/dev/a", "/dev/b"])

        var nervous = Script()
        for second in 0..<30 {
            Self.play(
                &nervous, seconds: second..<second + 1, a: Script.report(0, eph: 3),
                b: Script.report(0, eph: second % 4 == 0 ? 4 : 2))
        }
        #expect(Self.devices(nervous) == ["/dev/a"])
    }

    @Test("A receiver that lost its fix is left at once for one that has one")
    func lost() {
        var script = Script()
        Self.play(
            &script, seconds: 0..<5, a: Script.report(0, eph: 2), b: Script.report(0, eph: 9))
        Self.play(
            &script, seconds: 5..<20, a: Script.report(0, mode: 1), b: Script.report(0, eph: 9))
        #expect(Self.devices(script) == ["/dev/a", "/dev/b"])
        #expect(script.losses.isEmpty)
        #expect(script.source.state == .fix3d)
    }

    @Test("A configured receiver is the only one")
    func configured() {
        var script = Script(device: "/dev/b")
        Self.play(&script, seconds: 0..<10, a: Script.report(0), b: Script.report(0, mode: 1))
        #expect(script.fixes.isEmpty)
        #expect(script.source.state == .nofix)
        Self.play(&script, seconds: 10..<12, a: Script.report(0), b: Script.report(0, mode: 2))
        #expect(script.fixes.allSatisfy { $0.fix.device == "/dev/b" })
        #expect(script.source.state == .fix2d)
    }

    @Test("Another configured receiver is listened to at once, and the others count no more")
    func reconfigured() {
        var script = Script()
        let both = (Script.report(0, eph: 2), Script.report(0, eph: 9))
        Self.play(&script, seconds: 0..<5, a: both.0, b: both.1)
        #expect(script.source.device == "/dev/a")
        script.listen(to: "/dev/b", at: 5.6)
        #expect(Self.devices(script) == ["/dev/a", "/dev/b"])
        Self.play(&script, seconds: 6..<9, a: both.0, b: both.1)
        #expect(script.losses.isEmpty)
        #expect(script.fixes.filter { $0.at > 5.6 }.allSatisfy { $0.fix.device == "/dev/b" })
        #expect(script.rowTimes == script.rowTimes.sorted())
        script.listen(to: nil, at: 9.6)
        Self.play(&script, seconds: 10..<20, a: both.0, b: both.1)
        #expect(Self.devices(script) == ["/dev/a", "/dev/b", "/dev/a"])
    }

    @Test("A configured receiver that nobody has heard of is waited for, without a position")
    func reconfiguredToNone() {
        var script = Script()
        Self.play(&script, seconds: 0..<5, a: Script.report(0), b: nil)
        let rows = script.rows.count
        script.listen(to: "/dev/c", at: 4.5)
        #expect(script.losses.map(\.loss) == [.gone])
        #expect(script.rows.count == rows + 1, "the epoch under way is a row still")
        Self.play(&script, seconds: 5..<9, a: Script.report(0), b: nil)
        #expect(script.source.state == .nodata)
        #expect(script.position(at: 8.5) == nil)
        script.say(Script.report(9, device: "/dev/c"), at: 9)
        #expect(script.source.state == .fix3d)
    }

    @Test("Satellites of one receiver are not the other's")
    func satellites() {
        var script = Script()
        Self.play(&script, seconds: 0..<2, a: Script.report(0), b: Script.report(0))
        script.say(.report(.sky(SkyReport(device: "/dev/b", satellitesUsed: 17))), at: 2)
        Self.play(&script, seconds: 3..<5, a: Script.report(0), b: nil)
        #expect(script.source.fix?.satellites == nil)
    }

    @Test("Rows of two receivers stay in order of time")
    func rows() {
        var script = Script()
        Self.play(
            &script, seconds: 0..<20, a: Script.report(0, mode: 2), b: Script.report(0, mode: 3))
        #expect(script.rowTimes == script.rowTimes.sorted())
        #expect(Set(script.rowTimes).count == script.rowTimes.count)
    }

    @Test("More receivers than are kept apart push out the quietest")
    func bound() {
        var script = Script()
        for number in 0...PositionSource.maxReceivers + 1 {
            let report = Script.report(Double(number), device: "/dev/\(number)")
            script.say(report, at: Double(number) / 10)
        }
        #expect(script.source.device == "/dev/0")
    }
}
