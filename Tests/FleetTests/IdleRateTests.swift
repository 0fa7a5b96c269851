import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

/// `idle_rate` of contract 7.2.
@Suite struct IdleRateTests {
    @Test("fewer pushes while nobody records, all of them from the tick in which somebody starts")
    func fullRateAtOnce() throws {
        let bench = RigBench.of(2) { $0.idleRate = 1 }
        bench.pass(.seconds(20))
        let calm = bench.now
        bench.pass(.seconds(20))
        #expect((19...21).contains(bench.pushes(1, since: calm)))
        #expect(bench.rig.status(at: bench.now).push.targetHertz == 1)
        bench.command(.record(.start), "cam1", for: .seconds(10))
        let started = try #require(bench.notices.last { $0.kind == .record })
        #expect(started.fields[0].value == "started")
        let after = bench.pushes.map(\.at).filter { $0 >= started.instant }
        #expect(after[0] - started.instant <= .milliseconds(100))
        #expect(bench.pushes(2, since: started.instant) >= 80)
        bench.command(.record(.stop), "cam1", for: .seconds(5))
        let idle = bench.now
        bench.pass(.seconds(10))
        #expect((9...11).contains(bench.pushes(2, since: idle)))
    }

    @Test("without it nothing changes") func withoutIt() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(20))
        let calm = bench.now
        bench.pass(.seconds(10))
        #expect((99...101).contains(bench.pushes(1, since: calm)))
    }
}
