import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("Sleep")
struct SessionSleepTests {
    @Test("GPS stops when sleep is sent; status confirms; then not one byte")
    func sleep() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.sleep)
        #expect(script.lastSent(.power)?.read(PowerMode.self) == .sleep)
        #expect(!script.session.mayPush)
        #expect(script.session.gpsState == .off)
        let took = script.session.offer(.position, at: script.now)
        #expect(!took)
        #expect(script.session.dropped == 0)
        script.answer(.power)
        #expect(script.outcome(ticket) == nil)
        script.pass(.milliseconds(300))
        script.hear(CameraStatus.video)
        #expect(script.session.cameraState == .ready)
        script.pass(.milliseconds(300))
        script.hear(CameraStatus.sleeping)
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.confirmed == script.now)
        #expect(script.session.cameraState == .asleep)
        #expect(script.session.availability == .asleep(since: script.now))
        let bytes = script.sent.count
        script.hear(CameraStatus.video)
        script.hear(CameraStatus.recording)
        script.decide()
        script.answer(.power)
        script.pass(.seconds(4000))
        #expect(script.sent.count == bytes)
        #expect(script.closings.isEmpty)
        #expect(script.session.isRecording == false)
        #expect(script.outcomes(ticket) == 1)
    }

    @Test("a refused sleep lets GPS go on")
    func refused() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.sleep)
        script.answer(.power, .failed)
        #expect(script.outcome(ticket)?.error == .refused)
        #expect(script.session.mayPush)
        #expect(script.session.cameraState == .ready)
    }

    @Test("after the acknowledgement of a sleep nothing is sent, not even queries")
    func quietAfterAcknowledgement() {
        var script = SessionScript()
        script.becomeReady()
        script.command(.sleep)
        script.answer(.power)
        let bytes = script.sent.count
        script.passJustUnder(.seconds(3))
        #expect(script.sent.count == bytes)
    }

    @Test("silence after the acknowledgement is sleep, too")
    func silence() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.sleep)
        script.pass(.milliseconds(50))
        script.answer(.power)
        script.pass(.milliseconds(1500))
        script.hear(CameraStatus.video)
        script.pass(.milliseconds(1500))
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.session.cameraState == .asleep)
    }

    @Test("a camera that goes on with its status did not fall asleep")
    func awake() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.sleep)
        script.answer(.power)
        for _ in 0..<6 {
            script.pass(.milliseconds(500))
            script.hear(CameraStatus.video)
        }
        #expect(script.outcome(ticket)?.error == .timeout)
        #expect(script.session.mayPush)
    }

    @Test("a link lost after the acknowledgement is sleep; before it, a failure")
    func lostLink() {
        for acknowledged in [true, false] {
            var script = SessionScript()
            script.becomeReady()
            let ticket = script.command(.sleep)
            if acknowledged { script.answer(.power) }
            script.handle(.linkClosed)
            #expect(script.outcome(ticket)?.error == (acknowledged ? nil : .notReady))
            #expect(script.session.cameraState == (acknowledged ? .asleep : nil))
            #expect(script.outcomes(ticket) == 1)
        }
    }

    @Test("the camera's own key is recognised, and fails the command under way")
    func ownKey() {
        var script = SessionScript()
        script.becomeReady(.recording)
        let ticket = script.command(.record(.stop))
        script.answer(.record)
        script.hear(CameraStatus.sleeping)
        #expect(script.session.cameraState == .asleep)
        // The camera stopped recording before it slept, as the command asked for.
        #expect(script.outcome(ticket)?.error == nil)
        script = SessionScript()
        script.becomeReady(.video)
        let start = script.command(.record(.start))
        script.hear(CameraStatus.sleeping)
        #expect(script.outcome(start)?.error == .notReady)
        #expect(script.session.cameraState == .asleep)
    }

    @Test("sleep of a sleeping camera is ok without a byte")
    func twice() {
        var script = SessionScript()
        script.becomeReady(.sleeping)
        let bytes = script.sent.count
        let outcome = script.ask(.sleep)
        #expect(outcome == CameraOutcome(fields: [Field("state", "asleep")]))
        #expect(script.sent.count == bytes)
    }

    @Test(
        "the wake window is 30 minutes, whether the link stays or drops", arguments: [true, false])
    func wakeWindow(drops: Bool) {
        var script = SessionScript()
        script.becomeReady(.sleeping)
        if drops { script.handle(.linkClosed) }
        #expect(script.session.cameraState == .asleep)
        #expect(script.session.wakeWindow(at: script.now) == .seconds(1800))
        script.pass(.seconds(600))
        #expect(
            script.session.stateFields(at: script.now) == [Field("wake_window_s", "1200")])
        script.passJustUnder(.seconds(1200))
        #expect(script.session.wakeWindow(at: script.now) == TimeSpan(nanoseconds: 1))
        #expect(script.session.error(at: script.now) == nil)
        script.others = []
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.session.wakeWindow(at: script.now) == .zero)
        #expect(script.others == [.stateChanged])
        #expect(script.session.error(at: script.now)?.contains("by hand") == true)
        script.pass(.seconds(5000))
        #expect(script.others == [.stateChanged])
        #expect(script.session.nextDeadline == nil)
    }

    @Test("a new link to a sleeper is a camera that woke")
    func wakes() {
        var script = SessionScript()
        script.becomeReady(.sleeping)
        script.handle(.linkClosed)
        script.becomeReady()
        #expect(script.session.cameraState == .ready)
        #expect(script.session.availability == .available)
        #expect(script.session.wakeWindow(at: script.now) == nil)
    }

    @Test("late status of a sleeper is ignored, one that goes on is a camera awake")
    func lateStatus() {
        var script = SessionScript()
        script.becomeReady(.sleeping)
        for _ in 0..<19 {
            script.pass(.milliseconds(500))
            script.hear(CameraStatus.video)
        }
        script.pass(.milliseconds(499))
        script.hear(CameraStatus.video)
        #expect(script.closings.isEmpty)
        script.pass(.milliseconds(1))
        for _ in 0..<3 { script.hear(CameraStatus.video) }
        script.hear(CameraStatus.sleeping)
        for _ in 0..<3 { script.hear(CameraStatus.video) }
        // A status that is too short to hold the power mode says nothing of sleep.
        for _ in 0..<9 { script.hear(CameraStatus(mode: .video, activity: 1)) }
        #expect(script.closings.isEmpty)
        script.hear(CameraStatus.video)
        #expect(script.closings == [.awake])
        #expect(script.session.availability == .available)
        #expect(script.sent.last?.opcode == .subscription)
        script.handle(.linkClosed)
        script.becomeReady()
        #expect(script.session.cameraState == .ready)
    }

    @Test("sleep ends a recording by command")
    func endsRecording() {
        var script = SessionScript()
        script.becomeReady(.recording)
        script.command(.forcedSleep)
        script.answer(.power)
        script.pass(.seconds(3))
        #expect(script.session.cameraState == .asleep)
        #expect(script.others.contains(.recordingStopped(.command)))
    }
}
