import Testing

@testable import Navigation

/// What receivers and gpsd do within an epoch (field notes A3, A9).
@Suite("Epochs")
struct EpochTests {
    typealias Script = ReceiverScript

    @Test("The first report of an epoch is news, the later ones complete its row")
    func severalReports() {
        var script = Script()
        for second in 0..<3 {
            let time = Double(second)
            let place = 48 + time / 1000
            script.say(Script.report(time, latitude: place, speed: 5), at: time + 0.1)
            script.say(Script.report(time, latitude: place), at: time + 0.11)
            let last = Script.report(
                time, latitude: place, speed: 100, course: 90, climb: 1, eph: 2)
            script.say(last, at: time + 0.12)
        }
        script.pass(until: 10)
        #expect(script.fixes.map(\.sequence) == [1, 2, 3])
        #expect(script.fixes.allSatisfy { $0.fix.velocity == nil })
        #expect(script.rowTimes == [0, 1, 2])
        #expect(script.rows.map(\.sequence) == [1, 2, 3])
        #expect(script.rows.allSatisfy { $0.fix.speedMetresPerSecond == 100 })
        #expect(script.rows.allSatisfy { $0.fix.horizontalAccuracyMetres == 2 })
        #expect(script.rows.map { $0.fix.arrival } == [0.1, 1.1, 2.1].map(Script.instant))
    }

    @Test("An epoch ends with the next one, or after half its interval of quiet")
    func closing() {
        var script = Script()
        script.say(Script.report(0), at: 0)
        script.say(Script.report(0.1), at: 0.1)
        script.say(Script.report(0.2), at: 0.2)
        #expect(script.rows.map(\.at) == [0.1, 0.16])
        script.pass(until: 1)
        #expect(script.rows.count == 3)
        #expect(abs(script.rows[2].at - 0.26) < 1e-9)
    }

    @Test("A changed place under the same time is news of the same epoch, and the row has it")
    func changedPlace() {
        var script = Script()
        script.say(Script.report(0, latitude: 48), at: 0)
        script.say(Script.report(1, latitude: 48.0001), at: 1)
        script.say(Script.report(1, latitude: 48.0003), at: 1.19)
        script.pass(until: 1.5)
        #expect(script.fixes.map(\.sequence) == [1, 2, 2])
        #expect(script.fixes[2].fix.latitudeDegrees == 48.0003)
        script.pass(until: 3)
        #expect(script.rows.last?.fix.latitudeDegrees == 48.0003)
        #expect(script.rows.count == 2)
    }

    @Test("New time with the old place, when the rig moves: the place that follows is the news")
    func newTimeOldPlace() {
        var script = Script()
        for second in 0..<5 {
            let time = Double(second)
            let before = 48 + (time - 1) * 0.0002
            if second > 0 {
                for count in 0..<3 {
                    let early = Script.report(time, latitude: before, speed: 0)
                    script.say(early, at: time + Double(count) / 100)
                }
            }
            let report = Script.report(time, latitude: before + 0.0002, speed: 22, course: 0)
            script.say(report, at: time + 0.19)
        }
        script.pass(until: 4.5)
        let late = script.fixes.suffix(3)
        #expect(late.allSatisfy { abs($0.at - $0.at.rounded(.down) - 0.19) < 1e-9 })
        #expect(late.map(\.sequence) == [3, 4, 5])
        #expect(
            script.rows.map { $0.fix.latitudeDegrees }.dropFirst()
                == [48.0002, 48.0004, 48.0006][...])
        #expect(script.losses.isEmpty)
    }

    @Test("A receiver whose place stands still while it claims speed is believed, not voided")
    func frozenPlace() {
        var script = Script()
        for tick in 0..<50 {
            let time = Double(tick) / 10
            script.say(Script.report(time, speed: 15, course: 90), at: time)
        }
        #expect(script.losses.isEmpty)
        #expect(script.fixes.count == 50)
    }

    @Test("Coarse NMEA after binary does not move the place")
    func coarseAfterFine() {
        var script = Script()
        let fine = Script.report(1, latitude: 48.123_456_7, speed: 5, course: 10)
        script.say(fine, at: 1)
        script.say(Script.report(1, latitude: 48.123_457, height: 510), at: 1.02)
        script.pass(until: 3)
        #expect(script.fixes.count == 1)
        #expect(script.rows[0].fix.latitudeDegrees == 48.123_456_7)
        #expect(script.rows[0].fix.heightMetres == 500)
        #expect(script.rows[0].fix.courseDegrees == 10)
    }

    @Test("Two solutions a millisecond apart are one epoch")
    func millisecondApart() {
        var script = Script()
        for tick in 0..<10 {
            let time = Double(tick) / 10
            script.say(Script.report(time + 0.079), at: time)
            script.say(Script.report(time + 0.080, height: 501), at: time + 0.001)
        }
        script.pass(until: 3)
        #expect(script.rows.count == 10)
        #expect(abs((script.source.rateHertz ?? 0) - 10) < 0.1)
    }

    @Test(
        "A time that flickers back makes no row, no news and no loss",
        arguments: [[0, 0.531, 0, 1, 1.531, 1, 2, 2.531, 2, 3], [0, 1, 0.7, 2, 1.7, 3, 2.7, 4]])
    func flicker(times: [Double]) {
        var script = Script()
        var now = 0.0
        for time in times {
            now += 0.3
            script.say(Script.report(time), at: now)
        }
        script.pass(until: now + 0.9)
        #expect(script.losses.isEmpty)
        #expect(script.rowTimes == script.rowTimes.sorted())
        #expect(Set(script.rowTimes).count == script.rowTimes.count)
    }

    @Test("Seconds that repeat and go back keep rows in order")
    func secondsGoBack() {
        var script = Script()
        for (index, time) in [15.0, 16, 17, 16, 16, 17, 18, 19, 20].enumerated() {
            script.say(Script.report(time), at: Double(index) / 2)
        }
        script.pass(until: 5)
        #expect(script.losses.isEmpty)
        #expect(script.rowTimes == [15, 16, 17, 18, 19, 20])
    }

    @Test("Time steps of years are followed, not waited for")
    func yearsBack() {
        var script = Script()
        let years = 12.0 * 365 * 86_400
        for second in 0..<6 {
            script.say(Script.report(years + Double(second)), at: Double(second))
        }
        for second in 6..<20 { script.say(Script.report(Double(second)), at: Double(second)) }
        script.pass(until: 20)
        #expect(script.losses.isEmpty)
        #expect(script.fixes.filter { $0.at >= 7 }.count == 13)
        #expect(script.rowTimes.suffix(5) == [15, 16, 17, 18, 19])
    }

    @Test("A mode that flips within one time: 2 to 3 is one epoch in 3-D")
    func modeRises() {
        var script = Script()
        script.say(Script.report(0, mode: 2), at: 0)
        script.say(Script.report(0, mode: 3), at: 0.01)
        script.pass(until: 2)
        #expect(script.rows.map(\.fix.mode) == [.threeD])
        #expect(script.rows[0].fix.heightMetres == 500)
    }

    @Test("A fix after no fix under the same time is a fix")
    func modeComesLate() {
        var script = Script()
        script.say(Script.report(0), at: 0)
        script.say(Script.report(1, mode: 1), at: 1)
        script.say(Script.report(1), at: 1.01)
        #expect(script.losses.map(\.loss) == [.noFix])
        #expect(script.fixes.map(\.sequence) == [1, 2])
        #expect(script.source.state == .fix3d)
    }

    @Test("A fix without a place is no fix, and no loss before its time")
    func noPlace() {
        var script = Script()
        for second in 0..<3 { script.say(Script.report(Double(second)), at: Double(second)) }
        script.say(Script.report(3, latitude: .nan, longitude: .nan), at: 3)
        #expect(script.losses.isEmpty)
        script.say(Script.report(4, latitude: .nan), at: 4)
        script.say(Script.report(5, latitude: .nan), at: 5)
        #expect(script.losses.map(\.at).allSatisfy { abs($0 - 4.5) < 0.001 })
        #expect(script.losses.count == 1)
        #expect(script.source.state == .nofix)
    }

    @Test(
        "Places that are none never become a fix",
        arguments: [
            (95.0, 11.0), (-90.001, 11), (48, 180.001), (48, 999.9), (.nan, 11), (48, .nan),
            (.infinity, 11), (0, 0),
        ])
    func badPlaces(latitude: Double, longitude: Double) {
        var script = Script()
        script.say(Script.report(0, latitude: latitude, longitude: longitude), at: 0)
        #expect(script.fixes.isEmpty)
        #expect(script.position(at: 0.1) == nil)
    }

    @Test(
        "The edges of the world are places",
        arguments: [(90.0, 0.0), (-90, 180), (0, -180), (0, 0.000_000_1)])
    func edges(latitude: Double, longitude: Double) {
        var script = Script()
        script.say(Script.report(0, latitude: latitude, longitude: longitude), at: 0)
        #expect(script.fixes.count == 1)
    }

    @Test("2-D heights are the receiver's guess and left out")
    func heights2D() {
        var script = Script()
        script.say(Script.report(0, mode: 2, height: 321), at: 0)
        #expect(script.fixes[0].fix.heightMetres == nil)
        #expect(script.source.state == .fix2d)
    }

    @Test("Speed and course are kept as they came within reason, and only both are a velocity")
    func speeds() {
        var script = Script()
        script.say(Script.report(0, speed: 20), at: 0)
        script.say(Script.report(1, speed: 20, course: 90), at: 1)
        script.say(Script.report(2, speed: 601, course: 90), at: 2)
        script.say(Script.report(3, speed: -1, course: 90), at: 3)
        script.say(Script.report(4, speed: 20, course: 360), at: 4)
        script.say(Script.report(5, speed: 20, course: 361), at: 5)
        #expect(script.fixes.map(\.fix.speedMetresPerSecond) == [20, 20, nil, nil, 20, 20])
        #expect(script.fixes.map(\.fix.courseDegrees) == [nil, 90, 90, 90, 0, nil])
        let hasVelocity = script.fixes.map { $0.fix.velocity != nil }
        #expect(hasVelocity == [false, true, false, false, true, false])
    }

    @Test("Satellites come from the sky, are never 0, and are forgotten after 10 s")
    func satellites() {
        var script = Script()
        script.say(Script.report(0), at: 0)
        script.sky(9, hdop: 0.9, at: 0.5)
        script.say(Script.report(1), at: 1)
        script.sky(0, at: 1.5)
        script.say(Script.report(2), at: 2)
        script.sky(nil, hdop: 1.2, at: 2.5)
        for second in 3..<14 { script.say(Script.report(Double(second)), at: Double(second)) }
        let counts = script.fixes.map(\.fix.satellites)
        #expect(counts[0] == nil)
        #expect(counts[1...10].allSatisfy { $0 == 9 })
        #expect(script.fixes[11].fix.satellites == nil)
        #expect(script.fixes[2].fix.hdop == 0.9)
        #expect(script.fixes[3].fix.hdop == 1.2)
    }
}
