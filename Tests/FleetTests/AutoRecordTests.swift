import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// Contract 7.9: recording by speed, with what people do in between.
@Suite struct AutoRecordTests {
    @Test("a trip is recorded: one start and one stop a camera, each with its cause")
    func tripIsRecorded() {
        let bench = RigBench.auto { _ in }
        bench.drive(50, for: 60)
        #expect(bench.recording == [true, true])
        bench.drive(0, for: 25)
        bench.drive(50, for: 60)
        bench.drive(0, for: 60)
        #expect(bench.recording == [false, false])
        #expect(bench.orders() == ["start 1", "start 2", "stop 1", "stop 2"])
        let events = bench.told(.record).filter { $0.hasPrefix("cam1") }
        #expect(events[0] == "cam1 state=sent action=start cause=auto")
        #expect(events.contains("cam1 state=started record_s=0 cause=auto"))
        #expect(events.last?.hasPrefix("cam1 state=stopped record_s=") == true)
        #expect(events.last?.hasSuffix(" cause=auto") == true)
        #expect(bench.told(.auto) == ["- moving=yes", "- moving=no"])
        #expect(bench.violations == 0)
    }

    @Test("nothing is answered that nobody asked") func nothingIsAnswered() {
        let bench = RigBench.auto { _ in }
        bench.drive(50, for: 30)
        #expect(bench.replies.isEmpty)
        #expect(bench.ends.isEmpty)
        #expect(bench.rig.dispatch.count == 0)
    }

    @Test("without rules nothing happens, and the vehicle is judged all the same")
    func withoutRules() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(60))
        #expect(bench.orders().isEmpty)
        #expect(bench.told(.auto).isEmpty)
        #expect(bench.rig.status(at: bench.now).auto.isMoving)
    }

    @Test("record_above alone never stops, stop_below alone never starts")
    func oneKeyAlone() {
        let starts = RigBench.auto { $0.stopBelow = nil }
        starts.drive(50, for: 30)
        starts.drive(0, for: 600)
        #expect(starts.recording == [true, true])
        #expect(starts.rig.status(at: starts.now).auto.isMoving == false)
        let stops = RigBench.auto { $0.recordAbove = nil }
        stops.drive(50, for: 30)
        #expect(stops.recording == [false, false])
        stops.command(.record(.start))
        stops.drive(0, for: 60)
        #expect(stops.recording == [false, false])
    }

    @Test("a stop is not sent without a fix, and the recording goes on")
    func noStopWithoutFix() {
        let bench = RigBench.auto { _ in }
        bench.drive(50, for: 30)
        bench.latitude = nil
        bench.drive(0, for: 3600)
        #expect(bench.recording == [true, true])
        bench.latitude = 48.1
        bench.drive(0, for: 29)
        #expect(bench.recording == [true, true])
        bench.drive(0, for: 10)
        #expect(bench.recording == [false, false])
    }

    @Test("a camera that becomes ready while the rule holds is started") func lateCameraIsStarted()
    {
        let bench = RigBench.auto { _ in }
        bench.air[QueueBench.camera(2)]!.present = false
        bench.lose(2)
        bench.drive(50, for: 30)
        #expect(bench.recording == [true, false])
        bench.air[QueueBench.camera(2)]!.present = true
        bench.drive(50, for: 60)
        #expect(bench.recording == [true, true])
        #expect(bench.told(.alarm).filter { $0.contains("restarts") }.isEmpty)
    }

    @Test("a camera that was lost while recording is stopped when it is back at rest")
    func lostCameraIsStoppedLate() {
        let bench = RigBench.auto { _ in }
        bench.drive(50, for: 30)
        bench.air[QueueBench.camera(2)]!.present = false
        bench.lose(2)
        bench.drive(0, for: 60)
        #expect(bench[2].body.isRecording)
        bench.air[QueueBench.camera(2)]!.present = true
        bench.drive(0, for: 60)
        #expect(!bench[2].body.isRecording)
    }

    @Test(
        "its own button starts a camera's recording again, three times in ten minutes, then an alarm"
    )
    func restartsAreBounded() {
        let bench = RigBench.auto(1) { _ in }
        bench.drive(50, for: 30)
        for _ in 0..<3 {
            bench.hand(.record, 1)
            bench.drive(50, for: 20)
            #expect(bench.recording == [true])
        }
        #expect(bench.told(.alarm) == ["cam1 reason=restarts"])
        bench.hand(.record, 1)
        bench.drive(50, for: 400)
        #expect(bench.recording == [false])
        #expect(bench.orders().count == 4)
        // Ten minutes after the first of the three there is one more.
        bench.drive(50, for: 200)
        #expect(bench.recording == [true])
    }

    @Test("a full card and heat wait until they are over") func fullCardWaits() {
        let bench = RigBench.auto(1) { _ in }
        _ = bench[1].set("temperature", to: "hot", at: bench.now)
        bench.drive(50, for: 60)
        #expect(bench.orders().isEmpty)
        _ = bench[1].set("temperature", to: "normal", at: bench.now)
        bench.drive(50, for: 30)
        #expect(bench.recording == [true])
    }

    @Test("a camera in a photo mode is passed over") func photoModeIsPassedOver() {
        let bench = RigBench.auto { _ in }
        bench.command(.mode(name: "photo"), "cam1")
        bench.drive(50, for: 60)
        #expect(bench.orders() == ["start 2"])
        #expect(bench.summary(1)?.status?.mode == .photo)
    }

    @Test("a stop that fails is tried three times, then somebody is told") func failedStops() {
        let bench = RigBench.auto(1) { _ in }
        bench.drive(50, for: 30)
        _ = bench[1].set("ignores_record", to: "yes", at: bench.now)
        bench.drive(0, for: 120)
        #expect(bench.told(.alarm) == ["cam1 reason=not-stopped"])
        let stops = bench.orders().filter { $0 == "stop 1" }.count
        #expect((3...9).contains(stops))
        bench.drive(0, for: 600)
        #expect(bench.orders().filter { $0 == "stop 1" }.count == stops)
    }

    // MARK: At the start

    @Test("record_at_start waits for a fix, unless it needs none", arguments: [true, false])
    func recordAtStart(needsFix: Bool) {
        let bench = RigBench.of(1) {
            $0.auto.recordAtStart = true
            $0.auto.recordNeedsFix = needsFix
        }
        bench.latitude = nil
        bench.pass(.seconds(60))
        #expect(bench.recording == [!needsFix])
        bench.latitude = 48.1
        bench.drive(0, for: 600)
        #expect(bench.recording == [true])
    }

    @Test("record_at_start holds until the first stop after a start") func recordAtStartHolds() {
        let bench = RigBench.auto(1) {
            $0.recordAtStart = true
            $0.recordAbove = nil
        }
        bench.drive(0, for: 300)
        #expect(bench.recording == [true])
        bench.drive(50, for: 60)
        bench.drive(0, for: 60)
        #expect(bench.recording == [false])
        bench.drive(50, for: 60)
        #expect(bench.orders() == ["start 1", "stop 1"])
    }

    // MARK: By hand

    @Test("record stop by hand holds until the next start, on the cameras that it named")
    func stopByHandHolds() {
        let bench = RigBench.auto { _ in }
        bench.drive(50, for: 30)
        bench.command(.record(.stop), "cam1")
        #expect(bench.rig.status(at: bench.now).auto.hand == ["cam1"])
        bench.drive(50, for: 300)
        #expect(bench.recording == [false, true])
        bench.drive(0, for: 60)
        #expect(bench.rig.status(at: bench.now).auto.hand == [])
        bench.drive(50, for: 30)
        #expect(bench.recording == [true, true])
    }

    @Test("record start by hand at rest is not stopped before the trip that follows")
    func startByHandHolds() {
        let bench = RigBench.auto { _ in }
        bench.command(.record(.start))
        bench.drive(0, for: 600)
        #expect(bench.recording == [true, true])
        bench.drive(50, for: 30)
        bench.drive(0, for: 60)
        #expect(bench.recording == [false, false])
    }

    @Test("a hand that comes while a rule's start is under way wins", arguments: 0..<12)
    func handWinsOverOrderUnderWay(step: Int) {
        let bench = RigBench.auto(1) { _ in }
        bench.drive(50, for: 5)
        while bench.orders().isEmpty { bench.pass(.milliseconds(10)) }
        bench.pass(.milliseconds(100 * step))
        let (_, end) = bench.command(.record(.stop), for: .seconds(20))
        #expect(end == .ok)
        #expect(bench.recording == [false])
        #expect(!bench[1].body.isRecording)
    }

    @Test("auto off leaves recordings as they are, and auto on goes on") func offAndOn() {
        let bench = RigBench.auto { _ in }
        bench.drive(50, for: 30)
        bench.feed(.auto(false))
        bench.drive(0, for: 300)
        #expect(bench.recording == [true, true])
        bench.drive(50, for: 30)
        bench.command(.record(.stop), "cam1")
        #expect(bench.recording == [false, true])
        bench.feed(.auto(true))
        bench.drive(50, for: 30)
        #expect(bench.recording == [true, true])
        #expect(bench.told(.auto).filter { $0.contains("state") } == ["- state=off", "- state=on"])
    }

    @Test("what is configured anew counts at once") func reload() {
        let bench = RigBench.auto { $0.recordAbove = 100 }
        bench.drive(50, for: 60)
        #expect(bench.orders().isEmpty)
        var settings = bench.rig.settings
        settings.auto.recordAbove = 20
        bench.carryOut(bench.rig.apply(settings, at: bench.now).effects)
        bench.drive(50, for: 20)
        #expect(bench.recording == [true, true])
    }
}
