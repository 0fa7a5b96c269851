import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

/// What real cameras were seen to do (protocol sections 5 and 7, numbered as there), with published
/// frames, or frames computed from published ones.
@Suite("Quirks of real cameras")
struct SessionQuirkTests {
    static let status31 =
        "AA3100000000000026D3F8E21D0201031006030C00000000000000000060EA00000F27000018150000"
        + "00000100FBA6470D"
    static let status46 =
        "AA4000000000000027D391201D0201011006030000000000000000000060EA00000F27000018150000"
        + "00000100000000000000570102030405060708E0BA2234"
    static let status360Type01 =
        "AA3800010000000071D53C401D0238037906030000000000000000000060EA00000F27000018150000"
        + "0000380000000000000057EB9950C1"
    static let truncated360 =
        "AA3800010000000071D53C401D023C010E0300000000000000000000007425010000000000BA160000"
        + "00000000"
    static let encrypted =
        "AA380000200000000700CC1F1D0201011006030000000000000000000060EA00000F27000018150000"
        + "0000010000000000000057" + "79FECEAC"
    static let duml = "551A04B1022F0100400745AA0011223344556677000000000000"
    static let subscriptionResponse = "AA130020000000003F00138C1D050003BE1CBA"

    static func ready(_ deviceID: UInt32 = 0xFF33) -> SessionScript {
        var script = SessionScript(deviceID: deviceID)
        script.becomeReady()
        return script
    }

    static func bytes(_ hexadecimal: String) -> [UInt8] { [UInt8](hexadecimal: hexadecimal)! }

    @Test("7.1, 5.14: a 31-byte status makes ready, records, and leaves the battery unknown")
    func shortStatus() {
        var script = SessionScript()
        script.open()
        script.receipt()
        script.decide()
        script.answerVersion()
        script.handle(.notification(Self.bytes(Self.status31)))
        #expect(script.session.cameraState == .ready)
        #expect(script.session.isRecording == true)
        #expect(script.session.live.status?.batteryPercent == nil)
        #expect(script.session.live.status?.cardFreeMegabytes == 60000)
        #expect(script.session.live.recordSeconds(at: script.now) == 12)
    }

    @Test("3.7: a longer status of firmware to come is read as far as it is known")
    func longStatus() {
        var script = Self.ready()
        script.handle(.notification(Self.bytes(Self.status46)))
        #expect(script.session.live.status?.batteryPercent == 87)
    }

    @Test("7.1, 5.15: a 1D05 response is no news, before and after ready")
    func subscriptionAnswered() {
        var script = SessionScript()
        script.open()
        script.decide()
        script.answerVersion()
        let bytes = script.sent.count
        script.handle(.notification(Self.bytes(Self.subscriptionResponse)))
        #expect(script.session.cameraState == .handshake)
        script.hear(CameraStatus.video)
        script.handle(.notification(Self.bytes(Self.subscriptionResponse)))
        #expect(script.session.cameraState == .ready)
        #expect(script.sent.count == bytes)
    }

    @Test("2.2: a status push of type 01 is taken and never acknowledged")
    func typeOne() {
        var script = Self.ready(0xFF66)
        let bytes = script.sent.count
        script.handle(.notification(Self.bytes(Self.status360Type01)))
        #expect(script.session.isRecording == true)
        #expect(script.session.live.status?.mode == .panoVideo)
        #expect(script.sent.count == bytes)
    }

    @Test("1.2: notifications of DJI's other protocol are signs of life and nothing else")
    func duml() {
        var script = Self.ready(0xFF44)
        script.sent = []
        for _ in 0..<200 {
            script.pass(.milliseconds(50))
            script.handle(.notification(Self.bytes(Self.duml)))
            script.pass(.milliseconds(50))
            script.hear(CameraStatus.video)
        }
        #expect(script.sent.isEmpty)
        #expect(script.closings.isEmpty)
    }

    @Test("2.6: a cut frame does not swallow the next one, an enciphered one is not read")
    func damaged() {
        var script = Self.ready(0xFF66)
        script.handle(.notification(Self.bytes(Self.truncated360)))
        script.handle(.notification(Self.bytes(Self.status360Type01)))
        #expect(script.session.live.status?.mode == .panoVideo)
        script.handle(.notification(Self.bytes(Self.encrypted)))
        #expect(script.session.live.status?.mode == .panoVideo)
    }

    @Test("5.3: answers of one byte and of five count alike", arguments: [0, 4])
    func replyLengths(reserved: Int) {
        var script = Self.ready()
        let ticket = script.command(.record(.start))
        let reply = CommandReply(code: .success, reserved: Array(repeating: 0, count: reserved))
        script.hear(Frame(reply, to: script.lastSent(.record)!))
        script.hear(CameraStatus.recording)
        #expect(script.outcome(ticket)?.acknowledged == script.now)
    }

    @Test("5.18: a camera's own push under our sequence number is no answer")
    func collidingSequence() {
        var script = Self.ready()
        let ticket = script.command(.key(.qs))
        let sequence = script.lastSent(.key)!.sequence
        script.hear(Frame(CameraStatus.video, sequence: sequence))
        script.hear(
            Frame(type: .response, sequence: sequence, opcode: .power, payload: [0]))
        #expect(script.outcome(ticket) == nil)
        script.answer(.key)
        #expect(script.outcome(ticket)?.error == nil)
    }

    @Test("3.2: a version query that fails is no obstacle")
    func versionFails() {
        var script = SessionScript()
        script.open()
        script.decide()
        script.hear(
            Frame(
                VersionReply(result: 2, product: "", sdk: ""),
                sequence: script.lastSent(.version)!.sequence))
        #expect(script.session.version == nil)
        script.hear(CameraStatus.video)
        #expect(script.session.cameraState == .ready)
    }

    @Test("7.2: a camera that offers a remote update for two minutes is asked patiently")
    func remoteUpdate() {
        var script = SessionScript()
        // The camera answers nothing meanwhile: each attempt ends by itself, and does not count as
        // a tap on its screen.
        for _ in 0..<24 {
            script.open()
            script.pass(.seconds(5))
            script.handle(.linkClosed)
        }
        #expect(script.closings == Array(repeating: .noReceipt, count: 24))
        #expect(script.session.availability == .available)
        script.becomeReady()
        #expect(script.session.cameraState == .ready)
    }

    @Test("7.8: the texts come when they like, and stay until the next")
    func texts() {
        var script = Self.ready()
        #expect(script.session.live.text == nil)
        script.hear(StatusText(mode: "SUPERNIGHT", parameters: "1080P30"))
        for _ in 0..<10 { script.hear(CameraStatus.video) }
        #expect(script.session.live.text?.mode == "SUPERNIGHT")
        script.hear(StatusText(mode: "VIDEO", parameters: "4K60", slotLength: 20))
        #expect(script.session.live.text?.parameters == "4K60")
    }

    @Test("7.9: a camera that lost step 4 repeats step 3 and is answered, link after link")
    func lostStepFour() {
        var script = SessionScript()
        script.open(cameraNumber: 2)
        script.receipt()
        script.decide()
        script.decide()
        script.decide()
        let answers = script.sent.filter { $0.opcode == .connection && $0.type.isResponse }
        #expect(answers.count == 3)
        #expect(Set(answers.map(\.sequence)).count == 3)
        #expect(answers.allSatisfy { $0.read(ConnectionResponse.self)?.cameraNumber == 2 })
        #expect(script.count(.version) == 1)
    }

    @Test("field notes L4, D3: a link that dies at once leaves nothing behind")
    func stillborn() {
        var script = SessionScript()
        for _ in 0..<50 {
            script.open()
            script.handle(.linkClosed)
            #expect(script.session.nextDeadline == nil)
        }
        #expect(script.session.availability == .available)
        // A link that opens twice with no close between (D14) counts as one new link.
        script.open()
        script.open()
        script.receipt()
        script.decide()
        #expect(script.lastSent(.version) != nil)
        #expect(script.sent.count == 54)
    }

    @Test("field note L9: a stalled link takes at most 15 frames before it is let go")
    func stalledLink() {
        var script = Self.ready()
        for _ in 0..<20 {
            script.pass(.milliseconds(500))
            script.hear(CameraStatus.video)
        }
        script.sent = []
        let before = script.session.pushed
        while script.closings.isEmpty {
            script.pass(.milliseconds(100))
            _ = script.session.offer(.position, at: script.now)
        }
        #expect(script.session.pushed - before == PushCredit.minCredit)
        #expect(script.count(.version) == 5)
        #expect(PushCredit.minCredit + script.sent.count <= PushCredit.maxCredit)
        #expect(script.sent.count - script.count(.version) <= 1)
        #expect(script.closings == [.silent])
    }
}
