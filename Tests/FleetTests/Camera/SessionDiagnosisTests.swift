import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("Raw frames, versions and restarts")
struct SessionDiagnosisTests {
    @Test("raw sends the bytes as they are and shows the answer")
    func raw() {
        var script = SessionScript()
        script.becomeReady()
        let command = Frame(
            type: .query, sequence: 0xBEEF, opcode: Opcode(set: 0x1D, id: 0x77), payload: [1, 2])
        let ticket = script.command(.raw(frame: command.encoded))
        #expect(script.effects.first == .send(command.encoded))
        let answer = Frame(
            type: .response, sequence: 0xBEEF, opcode: command.opcode, payload: [0xFF])
        script.pass(.milliseconds(30))
        script.hear(answer)
        #expect(
            script.outcome(ticket)?.fields == [Field("answer", answer.encoded.hexadecimal)])
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.acknowledged == script.now)
    }

    @Test("raw shows that there was no answer after 2 s")
    func rawUnanswered() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(
            .raw(frame: Frame(StatusSubscription(), sequence: 7).encoded))
        script.passJustUnder(.seconds(2))
        #expect(script.outcome(ticket) == nil)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.fields == [Field("answer", "none")])
    }

    @Test("raw takes nothing but one whole frame")
    func rawNonsense() {
        var script = SessionScript()
        script.becomeReady()
        var bytes = Frame(VersionQuery(), sequence: 7).encoded
        bytes[9] ^= 1
        for frame in [[], [0xAA], bytes, Frame(VersionQuery(), sequence: 7).encoded + [0]] {
            let answer1 = script.ask(.raw(frame: frame))
            #expect(answer1?.error == .badArgument)
        }
    }

    @Test("a raw sleep stops the GPS stream, too")
    func rawSleep() {
        var script = SessionScript()
        script.becomeReady()
        script.command(.raw(frame: Frame(PowerMode.sleep, sequence: 9).encoded))
        #expect(!script.session.mayPush)
        script.hear(CameraStatus.sleeping)
        #expect(script.session.cameraState == .asleep)
    }

    @Test("version asks and tells")
    func version() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.version)
        script.pass(.seconds(1.5))
        script.answerVersion()
        #expect(
            script.outcome(ticket)?.fields == [
                Field("product", "DJI-ACTION4"),
                Field("firmware", "SDK-v1.1 DEBUG AC203-03.04.80.15"),
            ])
    }

    @Test("restart is done with its answer, or with the link's end", arguments: [true, false])
    func restart(answers: Bool) {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.restart)
        let command = script.lastSent(.restart)!
        #expect(command.read(Restart.self)?.deviceID == 0xFF33)
        if answers {
            script.hear(
                Frame(RestartReply(deviceID: 0xFF33, code: .success), sequence: command.sequence))
        } else {
            script.pass(.seconds(2))
            script.handle(.linkClosed)
        }
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcomes(ticket) == 1)
    }

    @Test("a restart that shows no effect is a timeout after 3 s, and not repeated")
    func restartUnanswered() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.restart)
        script.passJustUnder(.seconds(3))
        #expect(script.outcome(ticket) == nil)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.outcome(ticket)?.error == .timeout)
        #expect(script.count(.restart) == 1)
    }

    @Test("a link's end is no surprise after a restart and while asleep")
    func expectedLoss() {
        var script = SessionScript()
        script.becomeReady()
        #expect(!script.session.expectsLinkLoss(at: script.now))
        script.command(.restart)
        script.handle(.linkClosed)
        #expect(script.session.expectsLinkLoss(at: script.now + .seconds(30)))
        #expect(
            !script.session.expectsLinkLoss(
                at: script.now + .seconds(30) + TimeSpan(nanoseconds: 1)))
        script.pass(.seconds(40))
        script.becomeReady(.sleeping)
        script.handle(.linkClosed)
        #expect(script.session.expectsLinkLoss(at: script.now + .seconds(9999)))
    }

    @Test("the summary tells what is known, and unknown is nil", arguments: [true, false])
    func summary(short: Bool) {
        var script = SessionScript()
        func summary() -> CameraSummary {
            var summary = CameraSummary(
                name: "front", address: SessionScript.identity.address, state: .backoff,
                stateSince: Instant(nanoseconds: 5))
            script.session.describe(&summary, at: script.now)
            return summary
        }
        #expect(summary().state == .backoff)
        #expect(summary().stateSince == Instant(nanoseconds: 5))
        #expect(summary().model == nil)
        script.becomeReady(
            .of(.video, activity: 3, recordTime: 12, battery: short ? nil : 87))
        let took1 = script.session.offer(.position, at: script.now)
        #expect(took1)
        script.hear(StatusText(mode: "VIDEO", parameters: "4K60 RS"))
        script.pass(.milliseconds(2999))
        let ready = summary()
        #expect(ready.state == .ready)
        #expect(ready.status?.batteryPercent == (short ? nil : 87))
        #expect(ready.recording == true)
        #expect(ready.recordSeconds == 14)
        #expect(ready.statusFresh == true)
        #expect(ready.text == StatusText(mode: "VIDEO", parameters: "4K60 RS"))
        #expect(ready.gps == .pushing)
        #expect(ready.pushed == 1)
        #expect(ready.product == "DJI-ACTION4")
        #expect(ready.firmware == "SDK-v1.1 DEBUG AC203-03.04.80.15")
        #expect(ready.link == SessionScript.parameters)
        #expect(ready.error == nil)
        script.pass(.milliseconds(1))
        #expect(summary().statusFresh == false)

        script.handle(.linkClosed)
        let gone = summary()
        #expect(gone.state == .backoff)
        #expect(gone.model == .action4)
        #expect(gone.product == "DJI-ACTION4")
        #expect(gone.error == "link lost")
        #expect(gone.pushed == 1)
        #expect(gone.gps == .off)
        #expect(gone.status == nil)
        #expect(gone.text == nil)
        #expect(gone.recording == nil)
        #expect(gone.recordSeconds == nil)
        #expect(gone.statusFresh == nil)
        #expect(gone.link == nil)
    }
}
