import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("A session on its way to ready")
struct SessionReadyTests {
    static let models: [(UInt32, CameraModel)] = [
        (0xFF33, .action4), (0xFF44, .action5Pro), (0xFF55, .action6), (0xFF66, .osmo360),
        (0xFF77, .other(0xFF77)),
    ]

    @Test("goes through handshake, version and subscription", arguments: models)
    func goesAllTheWay(deviceID: UInt32, model: CameraModel) {
        var script = SessionScript(deviceID: deviceID)
        #expect(script.session.cameraState == nil)
        script.open(cameraNumber: 3)
        #expect(script.session.cameraState == .handshake)
        #expect(script.sent.map(\.opcode) == [.connection])
        let request = script.sent[0].read(ConnectionRequest.self)!
        #expect(request.deviceID == 0x1234_5678)
        #expect(request.address == SessionScript.identity.address)
        #expect(request.firmwareVersion == 0)
        #expect(request.verification.mode == 0)
        #expect((1000...9999).contains(request.verification.data))

        script.receipt()
        #expect(script.sent.count == 1)
        script.decide()
        #expect(script.sent.map(\.opcode) == [.connection, .connection, .version])
        #expect(script.sent[1].type == .response)
        #expect(script.sent[1].sequence == script.cameraSequence)
        let answer = script.sent[1].read(ConnectionResponse.self)!
        #expect(answer == ConnectionResponse(deviceID: 0x1234_5678, cameraNumber: 3))
        #expect(script.session.model == model)
        #expect(script.session.cameraState == .handshake)

        script.answerVersion()
        #expect(script.sent.last?.opcode == .subscription)
        #expect(script.sent.last?.read(StatusSubscription.self) == StatusSubscription())
        #expect(!script.session.mayPush)
        script.hear(CameraStatus.video)
        #expect(script.session.cameraState == .ready)
        #expect(script.session.mayPush)
        #expect(script.effects == [.stateChanged])
        #expect(script.session.version?.product == "DJI-ACTION4")
    }

    @Test("takes steps 2 and 3 in either order, and step 3 alone")
    func anyOrder() {
        var swapped = SessionScript()
        swapped.open()
        swapped.decide()
        swapped.receipt()
        #expect(swapped.sent.map(\.opcode) == [.connection, .connection, .version])
        swapped.answerVersion()
        swapped.hear(CameraStatus.video)
        #expect(swapped.session.cameraState == .ready)

        var alone = SessionScript()
        alone.open()
        alone.passJustUnder(SessionTiming.receipt)
        alone.decide()
        #expect(alone.sent.map(\.opcode) == [.connection, .connection, .version])
        alone.pass(.seconds(4))
        #expect(alone.closings.isEmpty)
    }

    @Test("asks with a popup where a person wants to pair, and shows the code at once")
    func popup() {
        var script = SessionScript()
        script.open(popup: true)
        let request = script.sent[0].read(ConnectionRequest.self)!
        #expect(request.verification.mode == 1)
        #expect(script.session.confirmCode == nil)
        script.receipt()
        #expect(script.session.cameraState == .confirm)
        #expect(script.session.confirmCode == Int(request.verification.data))
        #expect(script.session.stateFields(at: script.now).map(\.key) == ["code"])
    }

    @Test("waits 5 s for the receipt, not a nanosecond less")
    func receiptDeadline() {
        var script = SessionScript()
        script.open()
        script.passJustUnder(.seconds(5))
        #expect(script.closings.isEmpty)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.closings == [.noReceipt])
        #expect(script.sent.count == 1)
        script.handle(.linkClosed)
        #expect(script.session.cameraState == nil)
        #expect(script.session.availability == .available)
    }

    @Test("shows the code after 1 s without consent, and waits 60 s for the tap")
    func tapDeadline() {
        var script = SessionScript()
        script.open()
        script.receipt()
        script.passJustUnder(.seconds(1))
        #expect(script.session.cameraState == .handshake)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.session.cameraState == .confirm)
        #expect(script.session.confirmCode != nil)
        script.passJustUnder(.seconds(59))
        #expect(script.closings.isEmpty)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.closings == [.noTap])
        #expect(script.session.confirmCode == nil)
        #expect(script.sent.count == 1)
    }

    @Test("3.1, told to ask: a missing receipt ends nothing, the tap has 60 s from step 1")
    func popupWithoutReceipt() {
        var script = SessionScript()
        script.open(popup: true)
        script.passJustUnder(.seconds(1))
        #expect(script.session.cameraState == .handshake)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.session.cameraState == .confirm)
        #expect(script.session.confirmCode != nil)
        script.passJustUnder(.seconds(59))
        #expect(script.closings.isEmpty)
        var late = script
        late.decide()
        #expect(late.others.contains(.consented))
        #expect(late.sent.last?.opcode == .version)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.closings == [.noTap])
    }

    @Test("3.1, told to ask: a receipt that comes late counts, a refusing one too")
    func popupWithLateReceipt() {
        var script = SessionScript()
        script.open(popup: true)
        script.pass(.seconds(20))
        var refused = script
        refused.receipt(.failed)
        #expect(refused.closings == [.refused])
        script.receipt()
        #expect(script.session.cameraState == .confirm)
        script.passJustUnder(.seconds(60))
        // A repeated receipt is no other receipt.
        script.receipt()
        #expect(script.closings.isEmpty)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.closings == [.noTap])
        // One link on which the owner was asked in vain.
        script.handle(.linkClosed)
        #expect(script.session.availability == .available)
    }

    @Test("is done with the tap at its last nanosecond")
    func tapInTime() {
        var script = SessionScript()
        script.open()
        script.receipt()
        script.passJustUnder(.seconds(60))
        script.decide()
        #expect(script.sent.last?.opcode == .version)
        script.pass(.seconds(2))
        #expect(script.closings.isEmpty)
    }

    @Test("asks for three taps, then waits for reconnect")
    func threeTaps() {
        var script = SessionScript()
        for ask in 1...3 {
            script.open()
            script.receipt()
            script.pass(.seconds(60))
            #expect(script.closings.count == ask)
            script.handle(.linkClosed)
            #expect(script.session.availability == (ask < 3 ? .available : .unconfirmed))
        }
        #expect(script.session.cameraState == .refused)
        #expect(script.session.error(at: script.now)?.contains("three times") == true)
        script.open()
        #expect(script.effects == [.closeLink(.notAskedAgain)])
        script.handle(.linkClosed)
        script.handle(.forgetRefusal)
        #expect(script.session.availability == .available)
        script.open()
        #expect(script.sent.count == 4)
    }

    @Test("counts a tap whose link was lost, and starts over after a consent")
    func tapsCounted() {
        var script = SessionScript()
        for _ in 1...2 {
            script.open()
            script.receipt()
            script.pass(.seconds(2))
            script.handle(.linkClosed)
        }
        script.becomeReady()
        script.handle(.linkClosed)
        for _ in 1...3 {
            #expect(script.session.availability == .available)
            script.open()
            script.receipt()
            script.pass(.seconds(2))
            script.handle(.linkClosed)
        }
        #expect(script.session.availability == .unconfirmed)
    }

    @Test(
        "takes no for an answer, in step 2 and in step 3",
        arguments: [0x0201, 0x02FF, 0x0301, 0x0302])
    func refusal(step: Int) {
        var script = SessionScript()
        script.open()
        if step >> 8 == 2 {
            script.receipt(ReturnCode(rawValue: UInt8(step & 0xFF)))
        } else {
            script.receipt()
            script.decide(.result(UInt16(step & 0xFF)))
        }
        #expect(script.closings == [.refused])
        #expect(script.sent.count == 1)
        script.handle(.linkClosed)
        #expect(script.session.availability == .refused)
        #expect(script.session.cameraState == .refused)
        #expect(script.session.stateFields(at: script.now).map(\.key) == ["reason"])
    }

    @Test("sends nothing but step 1 before the consent, whatever is heard")
    func silentBeforeConsent() {
        var script = SessionScript()
        script.open()
        script.hear(CameraStatus.recording)
        script.hear(CameraStatus.sleeping)
        script.hear(StatusText(mode: "VIDEO", parameters: "4K60"))
        script.handle(.notification([0x55, 1, 2, 3]))
        script.receipt()
        script.hear(CameraStatus.recording)
        let ticket = script.command(.record(.start))
        script.pass(.seconds(30))
        #expect(script.sent.count == 1)
        #expect(script.session.isRecording == nil)
        #expect(script.outcome(ticket)?.error == .notReady)
        #expect(script.session.cameraState == .confirm)
    }

    @Test("goes on without a version after 5 s")
    func versionDeadline() {
        var script = SessionScript()
        script.open()
        script.decide()
        script.passJustUnder(.seconds(5))
        #expect(script.count(.subscription) == 0)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.count(.subscription) == 1)
        #expect(script.closings.isEmpty)
    }

    @Test("subscribes again every 2 s up to three times, then is ready without status")
    func resubscribes() {
        var script = SessionScript(watchdog: .seconds(60))
        script.open()
        script.decide()
        script.answerVersion()
        for again in 0...3 {
            #expect(script.count(.subscription) == 1 + again)
            #expect(script.session.cameraState == .handshake)
            script.passJustUnder(.seconds(2))
            #expect(script.count(.subscription) == 1 + again)
            script.pass(TimeSpan(nanoseconds: 1))
        }
        #expect(script.session.cameraState == .ready)
        #expect(script.session.mayPush)
        let summary = script.summary
        #expect(summary.statusFresh == false)
        #expect(summary.recording == nil)
    }

    @Test("does not call a camera ready that has been silent for the watchdog's time")
    func silentSubscription() {
        var script = SessionScript(watchdog: .seconds(5))
        script.open()
        script.decide()
        script.answerVersion()
        script.pass(.seconds(8))
        #expect(script.closings == [.silent])
        #expect(!script.others.contains(.recordingStopped(.unseen)))
        #expect(script.session.reconnects == 0)
    }

    @Test("is ready at once where the camera kept its old subscription")
    func earlyStatus() {
        var script = SessionScript()
        script.open()
        script.decide()
        script.hear(CameraStatus.video)
        #expect(script.session.cameraState == .handshake)
        script.answerVersion()
        #expect(script.session.cameraState == .ready)
        #expect(script.count(.subscription) == 1)
    }

    @Test("does not call a camera ready that said one word long ago")
    func earlyStatusThenSilence() {
        var script = SessionScript(watchdog: .seconds(3))
        script.open()
        script.decide()
        script.hear(CameraStatus.video)
        script.pass(.seconds(5))
        #expect(script.closings == [.silent])
        #expect(script.count(.subscription) == 0)
        #expect(script.session.timesReady == 0)
    }

    @Test("answers a repeated step 3 again: the camera missed step 4")
    func repeatedConsent() {
        var script = SessionScript()
        script.becomeReady()
        script.sent = []
        script.decide()
        #expect(script.sent.map(\.opcode) == [.connection])
        #expect(script.sent[0].type == .response)
        #expect(script.session.cameraState == .ready)
        script.decide(.refused)
        #expect(script.closings == [.refused])
    }

    @Test("does the full handshake on every link, under running sequence numbers")
    func everyLink() {
        var script = SessionScript()
        var sequences: Set<UInt16> = []
        for round in 0..<3 {
            script.becomeReady()
            #expect(script.session.cameraState == .ready)
            #expect(script.session.reconnects == round)
            script.handle(.linkClosed)
            #expect(script.session.cameraState == nil)
            #expect(script.session.isRecording == nil)
            #expect(script.session.model == .action4)
        }
        for frame in script.sent where !frame.type.isResponse {
            #expect(sequences.insert(frame.sequence).inserted)
        }
    }

    @Test("ignores what makes no sense in a handshake")
    func nonsense() {
        var script = SessionScript()
        script.open()
        // A receipt with another sequence number, and requests of the camera that hold no decision.
        script.hear(Frame(ConnectionResponse(deviceID: 1), sequence: 0x7777))
        script.decide(.saved(code: 1))
        script.decide(.other(mode: 9, data: 0))
        #expect(script.sent.count == 1)
        script.pass(.seconds(5))
        #expect(script.closings == [.noReceipt])
        // After the session has asked for the link's end nothing counts any more.
        script.decide()
        script.handle(.wake)
        #expect(script.sent.count == 1)
        #expect(script.session.nextDeadline == nil)
    }
}
