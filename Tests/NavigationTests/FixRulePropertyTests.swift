import Testing

@testable import Navigation

/// Random reports of gpsd are judged before they are believed.
@Suite("Fix rules, over seeds")
struct FixRulePropertyTests {
    typealias Script = ReceiverScript

    static let numbers: [Double] = [
        .nan, .infinity, -.infinity, 0, -0.0, 1e-9, -1e-9, 1, -1, 45, -89.999, 90, -90, 90.001,
        179.9, 180, -180, 180.001, 359.99, 360, 361, 500, 600, 601, -100, 100, 101, 9999, 1e5, 1e8,
    ]

    @Test("A fix is what passed every check, and nothing else is", arguments: 1...30)
    func checks(seed: Int) {
        var random = LinearGenerator(state: UInt64(seed))
        func draw() -> Double { Self.numbers.randomElement(using: &random) ?? .nan }
        var fixes = 0
        for _ in 0..<400 {
            let mode = [-1, 0, 1, 2, 3, 3, 4].randomElement(using: &random) ?? 3
            var report = PositionReport(device: "a", mode: mode)
            report.latitudeDegrees = draw()
            report.longitudeDegrees = draw()
            report.heightMetres = draw()
            report.speedMetresPerSecond = draw()
            report.courseDegrees = draw()
            report.climbMetresPerSecond = draw()
            report.horizontalAccuracyMetres = draw()
            report.verticalAccuracyMetres = draw()
            report.speedAccuracyMetresPerSecond = draw()
            let (latitude, longitude) = (report.latitudeDegrees, report.longitudeDegrees)
            let isPlace =
                latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
                && !(latitude == 0 && longitude == 0)
            let fix = Fix(report, arrival: Script.instant(0), satellites: nil, hdop: nil)
            #expect((fix != nil) == ((mode == 2 || mode == 3) && isPlace), "\(report)")
            guard let fix else { continue }
            fixes += 1
            let height = fix.heightMetres
            #expect(height == nil || (mode == 3 && abs(height ?? 0) <= 1e5))
            let isMoving = fix.speedMetresPerSecond != nil && fix.courseDegrees != nil
            #expect((fix.velocity != nil) == (isMoving || fix.speedMetresPerSecond == 0))
            #expect(fix.speedMetresPerSecond.map { $0 >= 0 && $0 <= 600 } ?? true)
            #expect(fix.courseDegrees.map { $0 >= 0 && $0 < 360 } ?? true)
            #expect(
                fix.climbMetresPerSecond.map { mode == 3 && abs($0) <= 100 } ?? true)
            for accuracy in [
                fix.horizontalAccuracyMetres, fix.verticalAccuracyMetres,
                fix.speedAccuracyMetresPerSecond,
            ] {
                #expect(accuracy.map { $0.isFinite && $0 >= 0 } ?? true)
            }
        }
        #expect(fixes > 20, "the draws have to hit")
    }

    /// Rollovers of 1024 weeks, leap seconds, and other steps.
    static let steps: [Double] = [
        -1024 * 7 * 86_400, 1024 * 7 * 86_400, 1, -1, 18, -18, 37, 1.5, -1.5, -40, 3600, -86_400,
    ]

    @Test(
        "Whatever time does, positions go on and doubt is said once",
        arguments: steps, [1.0, 4, 10, 25])
    func timeSteps(step: Double, hertz: Double) {
        for seed in 1...3 {
            var random = LinearGenerator(state: UInt64(seed))
            var script = Script()
            // A build date that is later than dates after a step of one rollover back.
            let begin = Int(Double.random(in: 4...9, using: &random) * hertz)
            for tick in 0..<begin + Int(12 * hertz) {
                let own = Double(tick) / hertz
                let ahead = tick >= begin ? step : 0
                let place = 48 + own / 10_000
                script.say(
                    Script.report(own + ahead, latitude: place, speed: 11.1, course: 0), at: own)
                // An epoch whose time went back gives no new fix; the next one does.
                if tick > begin + 1 { #expect(script.fixes.last?.at == own) }
                #expect(script.position(at: own + 0.9 / hertz) != nil)
            }
            #expect(script.losses.isEmpty)
            let isStep = abs(step) > 1
            let isOld = step < -10 * 365 * 86_400
            let revoked = script.timeEvents.count { $0 == .timeRevoked }
            let doubted = script.timeEvents.count {
                if case .timeDoubted = $0 { true } else { false }
            }
            #expect(revoked == (isStep ? 1 : 0))
            #expect(doubted == (isOld ? 1 : 0))
            #expect(script.source.timeTrusted == !isOld)
            let earned = script.timeEvents.count {
                if case .timeTrusted = $0 { true } else { false }
            }
            #expect(earned == (isStep && !isOld ? 2 : 1))
        }
    }
}
