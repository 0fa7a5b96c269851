import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

/// A session that gets random input, and the rules that must hold for any input.
///
/// Replay one with `swift test --filter SessionFuzzTests` and the seed that a failure prints.
@Suite("A session under anything that may come")
struct SessionFuzzTests {
    @Test("keeps its promises", arguments: 1...30)
    func promises(seed: Int) {
        var fuzz = Fuzz(seed: UInt64(seed))
        for _ in 0..<2000 {
            fuzz.step()
            if let broken = fuzz.broken {
                Issue.record("seed \(seed): \(broken)")
                return
            }
        }
        fuzz.end()
        #expect(fuzz.broken == nil, "seed \(seed)")
        // A fuzz that never gets anywhere proves nothing.
        #expect(fuzz.script.session.timesReady > 10, "seed \(seed)")
        #expect(fuzz.succeeded > 50, "seed \(seed)")
    }
}

/// One run: a camera that is cooperative, confused and hostile by turns.
private struct Fuzz {
    var script: SessionScript
    var random: Fleet.SeededGenerator
    /// The first rule that was broken; nil while all hold.
    var broken: String?
    /// Commands that ended well.
    var succeeded = 0

    private var pushesSinceSign = 0
    private var notifications = 0
    private var tickets: [Ticket] = []

    init(seed: UInt64) {
        random = Fleet.SeededGenerator(seed: seed)
        let models: [UInt32] = [0xFF33, 0xFF44, 0xFF55, 0xFF66]
        script = SessionScript(
            deviceID: models[Int(seed % 4)], rate: Int(seed % 10) + 1,
            watchdog: .seconds(Int(3 + seed % 20)), seed: seed)
    }

    mutating func step() {
        // In half of the cases the camera behaves properly, because otherwise no handshake would
        // ever end.
        if Bool.random(using: &random) { return cooperate() }
        switch Int.random(in: 0..<200, using: &random) {
        case 0..<2: act { $0.open(cameraNumber: 1) }
        case 2..<4: act { $0.handle(.linkClosed) }
        case 4..<12: sleepCheck { $0.receipt() }
        case 12..<20: sleepCheck { $0.decide() }
        case 20: sleepCheck { $0.decide(.refused) }
        case 21: sleepCheck { $0.receipt(.failed) }
        case 22..<30: sleepCheck { $0.answerVersion() }
        case 30..<60: hearStatus()
        case 60..<68: hearGarbage()
        case 68..<80: hearDamaged()
        case 80..<100: answerSomething()
        case 100..<130: command()
        case 130..<140: dropSomething()
        case 140: act { $0.handle(.prepareToClose("bye")) }
        case 141..<160: push()
        case 160..<164: pass(.milliseconds(Int.random(in: 500...8000, using: &random)))
        default: pass(.milliseconds(Int.random(in: 0...400, using: &random)))
        }
    }

    private mutating func cooperate() {
        guard script.session.link != nil else {
            act { $0.handle(.forgetRefusal) }
            act { $0.open(cameraNumber: 1) }
            return
        }
        switch script.session.state {
        case .closed, .closing: act { $0.handle(.linkClosed) }
        case .handshake, .confirm:
            sleepCheck { $0.receipt() }
            sleepCheck { $0.decide() }
        case .identifying: sleepCheck { $0.answerVersion() }
        case .subscribing: sleepCheck { $0.hear(CameraStatus.video) }
        case .ready: cooperateReady()
        case .asleep:
            if Int.random(in: 0..<20, using: &random) == 0 { act { $0.handle(.linkClosed) } }
        }
    }

    /// Answers the command that is under way, or sends a status.
    private mutating func cooperateReady() {
        pass(.milliseconds(Int.random(in: 0...300, using: &random)))
        guard let run = script.session.run else { return command() }
        let status: CameraStatus
        switch run.step {
        case .record(let starts): status = starts ? .recording : .video
        case .mode(let mode): status = .of(mode)
        case .sleep: status = .sleeping
        case .key, .restart, .version, .raw: status = .video
        }
        sleepCheck { script in
            if run.step == .version { return script.answerVersion() }
            script.answer(run.step.opcode)
        }
        sleepCheck { $0.hear(status) }
    }

    /// Closes the link for good: by then every command must have been answered once.
    mutating func end() {
        act { $0.handle(.linkClosed) }
        var answers: [Ticket: Int] = [:]
        for case .commandDone(let ticket, _) in script.others { answers[ticket, default: 0] += 1 }
        for ticket in tickets where answers[ticket] != 1 {
            broken = broken ?? "\(ticket) was answered \(answers[ticket] ?? 0) times"
        }
        if script.session.nextDeadline != nil, script.session.cameraState == nil {
            broken = broken ?? "a deadline without a link"
        }
    }

    private mutating func act(_ body: (inout SessionScript) -> Void) {
        let sentBefore = script.sent.count
        let othersBefore = script.others.count
        let wasReady = script.session.cameraState == .ready
        body(&script)
        for frame in script.sent[sentBefore...] { check(frame, wasReady: wasReady) }
        for effect in script.others[othersBefore...] {
            switch effect {
            case .commandDone(_, let outcome): if outcome.error == nil { succeeded += 1 }
            case .send, .closeLink, .consented, .notice, .recordingStopped, .stateChanged: break
            }
        }
        if let deadline = script.session.nextDeadline, deadline + .seconds(1) < script.now {
            broken = broken ?? "a deadline stayed behind"
        }
    }

    /// Checks that the session may send this frame in its present state.
    private mutating func check(_ frame: Frame, wasReady: Bool) {
        let state = script.session.cameraState
        if frame.opcode == .connection { return }
        if state == nil && !wasReady { broken = broken ?? "\(frame.opcode) without a session" }
        if state == .confirm || state == .refused && !wasReady {
            broken = broken ?? "\(frame.opcode) before the consent"
        }
        let command = ![Opcode.version, .subscription].contains(frame.opcode)
        if command && !wasReady { broken = broken ?? "\(frame.opcode) while not ready" }
    }

    private mutating func hearStatus() {
        let modes: [UInt8] = [0, 1, 5, 0x0A, 0x38, 0x3F, 0x41, 0xEE]
        let mode = CameraMode(rawValue: modes.randomElement(using: &random)!)
        let activities: [UInt8] = [0, 1, 1, 2, 3, 3, 5, 9]
        var status = CameraStatus.of(
            mode, activity: activities.randomElement(using: &random)!,
            recordTime: UInt16.random(in: 0...60000, using: &random),
            cardFree: UInt32.random(in: 0...3000, using: &random),
            remaining: UInt32.random(in: 0...600, using: &random),
            powerMode: Int.random(in: 0..<40, using: &random) == 0 ? 3 : 0,
            temperature: UInt8.random(in: 0...4, using: &random),
            battery: Bool.random(using: &random) ? nil : UInt8.random(in: 0...100, using: &random))
        if Int.random(in: 0..<10, using: &random) == 0 {
            status = CameraStatus(mode: mode, activity: 1)
        }
        sleepCheck { $0.hear(status) }
    }

    /// Checks that nothing is sent to a camera that sleeps.
    private mutating func sleepCheck(_ body: (inout SessionScript) -> Void) {
        let asleep = script.session.cameraState == .asleep && script.session.link != nil
        let before = script.sent.count
        act(body)
        if asleep && script.sent.count != before { broken = broken ?? "a byte to a sleeper" }
    }

    private mutating func hearGarbage() {
        let count = Int.random(in: 0...80, using: &random)
        let first: [UInt8] = [0x55, 0xAA, UInt8.random(in: 0...255, using: &random)]
        let bytes =
            [first.randomElement(using: &random)!]
            + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        sleepCheck { $0.handle(.notification(bytes)) }
    }

    /// Sends the session a valid frame of a random kind with random payload, which is sometimes cut
    /// or damaged.
    private mutating func hearDamaged() {
        let opcodes: [Opcode] = [
            .version, .key, .restart, .gpsPush, .connection, .power, .status, .record, .modeSwitch,
            .subscription, .statusText, Opcode(set: 0x1D, id: 0x07),
        ]
        let types: [UInt8] = [0x00, 0x01, 0x02, 0x20, 0x22]
        let frame = Frame(
            type: FrameType(rawValue: types.randomElement(using: &random)!),
            sequence: UInt16.random(in: 0...300, using: &random),
            opcode: opcodes.randomElement(using: &random)!,
            payload: (0..<Int.random(in: 0...50, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            },
            encryption: Int.random(in: 0..<8, using: &random) == 0 ? 0x20 : 0)
        var bytes = frame.encoded
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        case 1: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x10
        default: break
        }
        sleepCheck { $0.handle(.notification(bytes)) }
    }

    private mutating func answerSomething() {
        guard let frame = script.sent.suffix(6).randomElement(using: &random) else { return }
        let code: ReturnCode = Int.random(in: 0..<5, using: &random) == 0 ? .failed : .success
        sleepCheck { $0.hear(Frame(CommandReply(code: code), to: frame)) }
    }

    private mutating func command() {
        let commands: [CameraCommand] = [
            .record(.start), .record(.stop), .record(.toggle), .photo, .mode(name: "photo"),
            .mode(name: "video"), .modeCode(0x41), .key(.qs), .key(.record), .sleep, .restart,
            .version, .raw(frame: Frame(VersionQuery(), sequence: 9).encoded), .raw(frame: [1]),
        ]
        let command = commands.randomElement(using: &random)!
        sleepCheck { $0.command(command) }
        tickets.append(Ticket(number: UInt64(tickets.count + 1)))
    }

    private mutating func dropSomething() {
        guard let frame = script.sent.suffix(4).randomElement(using: &random) else { return }
        sleepCheck { $0.handle(.frameDropped(frame.encoded)) }
    }

    private mutating func push() {
        if script.notifications != notifications { pushesSinceSign = 0 }
        notifications = script.notifications
        for _ in 0..<Int.random(in: 1...9, using: &random) {
            let ready = script.session.cameraState == .ready
            let took = script.session.offer(.position, at: script.now)
            if took && !ready { broken = broken ?? "a push while not ready" }
            if took { pushesSinceSign += 1 }
        }
        if pushesSinceSign > PushCredit.maxCredit { broken = broken ?? "more pushes than credit" }
    }

    private mutating func pass(_ span: TimeSpan) { sleepCheck { $0.pass(span) } }
}
