import Testing

@testable import Navigation

@Suite("Heights")
struct HeightTests {
    typealias Script = ReceiverScript

    @Test("A 2-D fix keeps the last height for a minute")
    func twoD() throws {
        var script = Script()
        script.say(Script.report(0, height: 512), at: 0)
        for second in 1...62 {
            script.say(Script.report(Double(second), mode: 2), at: Double(second))
        }
        var early = Script()
        early.say(Script.report(0, height: 512), at: 0)
        for second in 1...60 {
            early.say(Script.report(Double(second), mode: 2), at: Double(second))
        }
        let kept = try #require(early.position(at: 60.1))
        #expect(kept.fix.heightMetres == 512)
        #expect(kept.fix.mode == .twoD)
        let forgotten = try #require(script.position(at: 62.1))
        #expect(forgotten.fix.heightMetres == nil)
        #expect(script.rows.dropFirst().allSatisfy { $0.fix.heightMetres == nil })
    }

    /// A script of one fix a second, with these heights and climbs.
    static func script(_ says: [(height: Double, climb: Double)]) -> Script {
        var script = Script()
        for (second, said) in says.enumerated() {
            script.say(
                Script.report(Double(second), height: said.height, climb: said.climb),
                at: Double(second))
        }
        return script
    }

    static func climb(_ script: Script, at time: Double) throws -> Double {
        try #require(script.position(at: time)?.fix.climbMetresPerSecond)
    }

    @Test("An absurd climb beside level heights is none", arguments: [-92.0, 50, 99, 446])
    func absurd(climb: Double) throws {
        let level = Array(repeating: (500.0, 0.0), count: 10)
        let script = Self.script(level + [(500, climb)])
        #expect(abs(try Self.climb(script, at: 10.5)) < 0.5)
        let height = try #require(script.position(at: 10.9)?.fix.heightMetres)
        #expect(abs(height - 500) < 1)
        let first = Self.script([(500, climb)])
        #expect(try Self.climb(first, at: 0.5) == 0)
    }

    @Test("A fall that heights confirm is believed", arguments: [-90.0, -60, -30, 20])
    func confirmed(climb: Double) throws {
        let script = Self.script((0..<6).map { (4000 + climb * Double($0), climb) })
        #expect(abs(try Self.climb(script, at: 5.5) - climb) < 0.5)
        let height = try #require(script.position(at: 6)?.fix.heightMetres)
        #expect(abs(height - 4000 - climb * 6) < 1)
    }

    @Test("A jump in height is no climb", arguments: [90.0, 446, -446])
    func jump(size: Double) throws {
        let level = Array(repeating: (500.0, 0.0), count: 10)
        let script = Self.script(level + [(500 + size, size), (500 + size, 0)])
        #expect(abs(try Self.climb(script, at: 11.5)) < 1)
        let early = Self.script(level + [(500 + size, size)])
        #expect(abs(try Self.climb(early, at: 10.5)) < 1)
        let height = try #require(early.position(at: 10.9)?.fix.heightMetres)
        #expect(abs(height - 500 - size) < 2)
    }

    @Test("Heights without a stated climb are carried by their own slope")
    func derived() throws {
        let script = Self.script((0..<10).map { (500 + 2 * Double($0), Double.nan) })
        let height = try #require(script.position(at: 10)?.fix.heightMetres)
        #expect(abs(height - 520) < 0.1)
    }

    @Test("A fall whose height comes with every other fix only is carried all the same")
    func everyOther() throws {
        let says: [(height: Double, climb: Double)] = (0..<12).map { second in
            let height = 4000 - 30 * Double(second)
            return second % 2 == 0 ? (height, -30) : (.nan, .nan)
        }
        let script = Self.script(says)
        let height = try #require(script.position(at: 11.9)?.fix.heightMetres)
        #expect(abs(height - 3643) < 2)
    }

    @Test("A climb that only quivers is soon not carried")
    func quivering() throws {
        let script = Self.script((0..<30).map { (500, $0 % 2 == 0 ? 0.6 : -0.6) })
        let height = try #require(script.position(at: 29.9)?.fix.heightMetres)
        #expect(abs(height - 500) < 0.1)
    }

    @Test("A fall faster than receivers may state is carried by its heights", arguments: [1.0, 5])
    func fastest(hertz: Double) throws {
        var script = Script()
        for tick in 0...Int(8 * hertz) {
            let time = Double(tick) / hertz
            let report = Script.report(time, height: 4000 - 130 * time, climb: -130)
            script.say(report, at: time)
        }
        let fix = try #require(script.position(at: 8.9)?.fix)
        #expect(abs((try #require(fix.heightMetres)) - (4000 - 130 * 8.9)) < 2)
        #expect(fix.climbMetresPerSecond == -100, "what is told of it is bounded")
    }

    @Test("A jump that no climb is stated with is none either", arguments: [1.0, 5])
    func silentJump(hertz: Double) throws {
        var script = Script()
        for tick in 0...Int(14 * hertz) {
            let time = Double(tick) / hertz
            let height = time > 10 ? 545.0 : 500
            script.say(Script.report(time, height: height), at: time)
            let later = try #require(script.position(at: time + 0.9 / hertz)?.fix.heightMetres)
            #expect(abs(later - height) < 1, "at \(time)")
        }
    }
}
