import Clock
import Foundation
import Navigation
import OsmoProtocol
import Simulation
import Testing

@Suite struct WorldTests {
    private func plan(_ seed: UInt64, cameras: Int, minutes: Int) -> Plan {
        Plan(seed: seed, cameras: cameras, duration: .seconds(60 * minutes))
    }

    private func live(_ plan: Plan) -> World.Report {
        var world = World(plan: plan)
        let report = world.run()
        if let violation = report.violation {
            Issue.record(
                """
                \(violation.rule.rawValue) at \(violation.at.seconds) s: \(violation.detail)
                replay: geotag-sim run --seed \(plan.seed) --minutes \
                \(Int(plan.duration.seconds / 60)) --cameras \(plan.cameras) \
                --faults \(plan.faultsAnHour) --commands \(plan.commandsAnHour) \
                --strangers \(plan.strangers) --trace yes
                """)
        }
        return report
    }

    @Test("in a calm world every camera gets its ten pushes a second", arguments: 1...4)
    func calmWorldEveryCameraGets(seed: UInt64) {
        var plan = plan(seed, cameras: 3, minutes: 2)
        plan.faultsAnHour = 0
        plan.commandsAnHour = 0
        let report = live(plan)
        #expect(report.handshakes == 3)
        #expect(report.slowestReady < .seconds(30))
        #expect(report.deliveries > report.pushes * 2)
    }

    @Test("in a rough world the rules hold", arguments: 1...6)
    func roughWorldRulesHold(seed: UInt64) {
        var plan = plan(seed, cameras: 5, minutes: 3)
        plan.faultsAnHour = 300
        plan.commandsAnHour = 200
        let report = live(plan)
        #expect(report.faults > 0)
    }

    @Test("a hundred strangers are left alone") func hundredStrangersLeftAlone() {
        var plan = plan(3, cameras: 2, minutes: 3)
        plan.strangers = 50
        plan.faultsAnHour = 0
        _ = live(plan)
    }

    @Test("a seed means one life") func seedMeansOneLife() {
        let first = live(plan(7, cameras: 3, minutes: 2))
        #expect(first == live(plan(7, cameras: 3, minutes: 2)))
        #expect(first != live(plan(8, cameras: 3, minutes: 2)))
    }
}
