import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("Commands to one camera")
struct SessionCommandTests {
    @Test("record start is done when status says so, with its three instants")
    func recordStart() {
        var script = SessionScript()
        script.becomeReady()
        let sent = script.now
        let ticket = script.command(.record(.start))
        let control = script.lastSent(.record)!
        #expect(control.type == .request)
        #expect(control.read(RecordControl.self) == RecordControl(deviceID: 0xFF33, starts: true))
        script.pass(.milliseconds(40))
        script.answer(.record)
        #expect(script.outcome(ticket) == nil)
        script.pass(.milliseconds(700))
        script.hear(CameraStatus.recording)
        let outcome = script.outcome(ticket)!
        #expect(outcome.error == nil)
        #expect(outcome.sent == sent)
        #expect(outcome.acknowledged == sent + .milliseconds(40))
        #expect(outcome.confirmed == sent + .milliseconds(740))
        #expect(script.session.roundTrip == .milliseconds(40))
        #expect(
            script.notices(.record) == [
                "state=sent action=start", "state=acknowledged action=start",
                "state=started record_s=1",
            ])
        #expect(script.session.isRecording == true)
    }

    @Test("a status that shows it counts without an acknowledgement, which may come later")
    func statusAlone() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.record(.start))
        script.hear(CameraStatus.recording)
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.acknowledged == nil)
        script.answer(.record)
        #expect(script.notices(.record).last == "state=acknowledged")
        script.answer(.record)
        #expect(script.notices(.record).count == 3)
        script.pass(.seconds(10))
        #expect(script.count(.record) == 1)
    }

    @Test(
        "what status shows already is ok without a frame",
        arguments: [
            (CameraStatus.recording, FleetCommand.Record.start), (.video, .stop), (.photo, .stop),
        ])
    func already(status: CameraStatus, action: FleetCommand.Record) {
        var script = SessionScript()
        script.becomeReady(status)
        let before = script.sent.count
        let ticket = script.command(.record(action))
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.sent == nil)
        #expect(script.sent.count == before)
    }

    @Test(
        "toggle does the other of what status shows",
        arguments: [(CameraStatus.video, true), (.recording, false)])
    func toggle(status: CameraStatus, starts: Bool) {
        var script = SessionScript()
        script.becomeReady(status)
        script.command(.record(.toggle))
        #expect(script.lastSent(.record)?.read(RecordControl.self)?.starts == starts)
    }

    @Test("three tries of 1.5 s under one sequence number, then timeout")
    func tries() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.record(.start))
        for attempt in 1...3 {
            #expect(script.count(.record) == attempt)
            script.passJustUnder(.seconds(1.5))
            script.hear(CameraStatus.video)
            #expect(script.count(.record) == attempt)
            #expect(script.outcome(ticket) == nil)
            script.pass(TimeSpan(nanoseconds: 1))
        }
        #expect(script.count(.record) == 3)
        #expect(Set(script.sent.filter { $0.opcode == .record }.map(\.sequence)).count == 1)
        #expect(script.outcome(ticket)?.error == .timeout)
        #expect(script.notices(.record).last == "state=sent action=start try=3")
        #expect(script.outcomes(ticket) == 1)
    }

    @Test("after the acknowledgement status has 3 s, not a nanosecond more")
    func confirmation() {
        for late in [false, true] {
            var script = SessionScript()
            script.becomeReady()
            let ticket = script.command(.record(.start))
            script.answer(.record)
            script.pass(.milliseconds(1500))
            script.hear(CameraStatus.video)
            script.passJustUnder(.milliseconds(1500))
            #expect(script.outcome(ticket) == nil)
            if late { script.pass(TimeSpan(nanoseconds: 1)) }
            script.hear(CameraStatus.recording)
            #expect(script.outcome(ticket)?.error == (late ? .timeout : nil))
            #expect(script.outcomes(ticket) == 1)
            #expect(script.count(.record) == 1)
        }
    }

    @Test("a return code other than 0 is refused", arguments: [0x01, 0x02, 0x55, 0xFF])
    func refused(code: Int) {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.record(.start))
        script.answer(.record, ReturnCode(rawValue: UInt8(code)))
        #expect(script.outcome(ticket)?.error == .refused)
        #expect(script.outcome(ticket)?.words?.isEmpty == false)
        script.pass(.seconds(2))
        #expect(script.count(.record) == 1)
    }

    @Test("a refusal of a later try waits for status: an earlier try may have worked")
    func refusedLater() {
        for works in [true, false] {
            var script = SessionScript()
            script.becomeReady()
            let ticket = script.command(.record(.start))
            script.pass(.seconds(1.5))
            script.answer(.record, .failed)
            #expect(script.outcome(ticket) == nil)
            if works { script.hear(CameraStatus.recording) }
            script.pass(.seconds(3))
            #expect(script.outcome(ticket)?.error == (works ? nil : .refused))
        }
    }

    @Test("only an answer with bit 5, set, id and sequence number counts")
    func matching() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.version)
        let query = script.lastSent(.version)!
        let reply = VersionReply(product: "X", sdk: "Y")
        var frame = Frame(reply, sequence: query.sequence &+ 1)
        script.hear(frame)
        #expect(script.outcome(ticket) == nil)
        frame = Frame(reply, sequence: query.sequence)
        frame.type = .push
        script.hear(frame)
        #expect(script.outcome(ticket) == nil)
        script.hear(
            Frame(
                type: .response, sequence: query.sequence, opcode: .record,
                payload: [0, 0, 0, 0, 0]
            ))
        #expect(script.outcome(ticket) == nil)
        frame.type = .response
        script.hear(frame)
        #expect(
            script.outcome(ticket)?.fields == [Field("product", "X"), Field("firmware", "Y")])
    }

    @Test("one command at a time: another is busy, whatever it is")
    func busy() {
        var script = SessionScript()
        script.becomeReady()
        script.command(.record(.start))
        for command: CameraCommand in [.photo, .record(.stop), .key(.qs), .sleep, .version] {
            let ticket = script.command(command)
            #expect(script.outcome(ticket)?.error == .busy)
            #expect(script.outcome(ticket)?.words == "record is still under way")
        }
        script.answer(.record)
        script.hear(CameraStatus.recording)
        let ticket = script.command(.record(.stop))
        #expect(script.outcome(ticket) == nil)
    }

    @Test("a lost link fails the command under way; nothing is sent again after it")
    func lostLink() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.record(.start))
        script.answer(.record)
        script.handle(.linkClosed)
        #expect(script.outcome(ticket)?.error == .notReady)
        #expect(script.outcome(ticket)?.acknowledged != nil)
        script.becomeReady()
        script.pass(.seconds(0.9))
        #expect(script.count(.record) == 1)
        #expect(script.outcomes(ticket) == 1)
    }

    @Test("commands without a ready camera are answered at once, in words")
    func notReady() {
        var script = SessionScript()
        func answer(_ script: inout SessionScript) -> String? {
            let ticket = script.command(.record(.start))
            #expect(script.outcome(ticket)?.error == .notReady)
            return script.outcome(ticket)?.words
        }
        #expect(answer(&script) == "not connected")
        script.open()
        #expect(answer(&script) == "still connecting")
        script.receipt()
        script.pass(.seconds(1))
        #expect(answer(&script)?.hasPrefix("waiting for a tap on the camera, code ") == true)
        script.decide(.refused)
        #expect(answer(&script)?.contains("`reconnect`") == true)
        script.handle(.linkClosed)
        #expect(answer(&script)?.contains("`reconnect`") == true)
        script.handle(.forgetRefusal)
        script.becomeReady(.sleeping)
        #expect(answer(&script) == "asleep: `wake` first")
        script.handle(.linkClosed)
        script.pass(.seconds(1800))
        #expect(answer(&script)?.contains("by hand") == true)
        #expect(script.count(.record) == 0)
    }

    @Test("an interrupt makes room for another command at once")
    func interrupt() {
        var script = SessionScript()
        script.becomeReady()
        let first = script.command(.record(.start))
        script.handle(.interrupt("geotagd is ending"))
        #expect(script.outcome(first)?.error == .notReady)
        #expect(script.outcome(first)?.words == "geotagd is ending")
        // The command may still have its effect; the session does not claim to know.
        script.answer(.record)
        script.hear(CameraStatus.recording)
        let second = script.command(.record(.stop))
        #expect(script.outcome(second) == nil)
        script.hear(CameraStatus.video)
        #expect(script.outcome(second)?.error == nil)
        #expect(script.outcomes(first) == 1)
        script.handle(.interrupt("nothing under way"))
        #expect(script.effects.isEmpty)
    }

    @Test("farewell fails the command under way with its words and takes no other")
    func prepareToClose() {
        var script = SessionScript()
        script.becomeReady()
        let first = script.command(.record(.start))
        script.handle(.prepareToClose("shutting down"))
        #expect(script.outcome(first)?.words == "shutting down")
        let second = script.command(.record(.stop))
        #expect(script.outcome(second)?.words == "shutting down")
        script.sent = []
        script.pass(.seconds(4))
        #expect(script.sent.isEmpty)
        let took1 = script.session.offer(.void, at: script.now)
        #expect(took1)
        script.handle(.linkClosed)
        script.becomeReady()
        let third = script.command(.version)
        #expect(script.outcome(third) == nil)
    }
}
