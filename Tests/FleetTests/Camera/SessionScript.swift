import Clock
import LineProtocol
import OsmoProtocol
import RadioPort

@testable import Fleet

/// A session on a clock of its own; the test plays the camera.
struct SessionScript {
    static let identity = ControllerIdentity(
        deviceID: 0x1234_5678, address: BluetoothAddress("38:34:56:78:9A:BC")!)
    static let parameters = LinkParameters(mtu: 517, path: .descriptor)

    var session: CameraSession
    var now = Instant(nanoseconds: 1_000_000_000_000)
    /// Effects of the last call.
    var effects: [SessionEffect] = []
    /// Every frame that the session sent, in order.
    var sent: [Frame] = []
    /// Every effect but `send`, in order.
    var others: [SessionEffect] = []
    /// Notifications that were given to the session.
    var notifications = 0
    /// The sequence number of the camera's own commands.
    var cameraSequence: UInt16 = 0xD300
    var deviceID: UInt32
    private var tickets: UInt64 = 0

    init(
        deviceID: UInt32 = 0xFF33, rate: Int = 10, watchdog: TimeSpan = .seconds(5),
        seed: UInt64 = 1
    ) {
        var settings = RigSettings(
            identity: Self.identity, buildDate: UnixTime(nanoseconds: 0))
        settings.rate = rate
        settings.watchdog = watchdog
        session = CameraSession(settings: settings, generator: Fleet.SeededGenerator(seed: seed))
        self.deviceID = deviceID
    }

    // MARK: Inputs

    @discardableResult
    mutating func handle(_ input: SessionInput) -> [SessionEffect] {
        if case .notification = input { notifications += 1 }
        effects = session.handle(input, at: now)
        for effect in effects {
            if case .send(let bytes) = effect {
                sent.append(try! Frame(datagram: bytes))
            } else {
                others.append(effect)
            }
        }
        return effects
    }

    /// Lets time pass, and calls the session at each of its deadlines as the loop does.
    mutating func pass(_ span: TimeSpan) {
        let end = now + span
        while let deadline = session.nextDeadline, deadline <= end {
            now = max(now, deadline)
            handle(.wake)
            precondition(
                session.nextDeadline.map { $0 > deadline } ?? true, "a deadline that stays due")
        }
        now = end
    }

    /// Lets time pass up to one nanosecond before `span` is over.
    mutating func passJustUnder(_ span: TimeSpan) { pass(span - TimeSpan(nanoseconds: 1)) }

    mutating func open(cameraNumber: Int = 0, popup: Bool = false) {
        handle(.linkOpen(Self.parameters, cameraNumber: cameraNumber, popup: popup))
    }

    mutating func hear(_ frame: Frame) { handle(.notification(frame.encoded)) }

    /// The camera sends a command of its own.
    mutating func hear<Content: Message>(_ message: Content) {
        cameraSequence &+= 1
        hear(Frame(message, sequence: cameraSequence))
    }

    /// The camera answers the last frame of this opcode with a return code.
    mutating func answer(_ opcode: Opcode, _ code: ReturnCode = .success) {
        guard let command = lastSent(opcode) else { return }
        hear(Frame(CommandReply(code: code, reserved: [0, 0, 0, 0]), to: command))
    }

    mutating func receipt(_ code: ReturnCode = .success) {
        hear(
            Frame(
                ConnectionResponse(deviceID: deviceID, code: code),
                sequence: lastSent(.connection)?.sequence ?? 0))
    }

    mutating func decide(_ verification: ConnectionRequest.Verification = .allowed) {
        hear(
            ConnectionRequest(
                deviceID: deviceID, address: BluetoothAddress("60:60:1F:60:11:E7")!,
                verification: verification))
    }

    mutating func answerVersion() {
        hear(
            Frame(
                VersionReply(product: "DJI-ACTION4", sdk: "SDK-v1.1 DEBUG AC203-03.04.80.15"),
                sequence: lastSent(.version)?.sequence ?? 0))
    }

    /// Opens the link and makes the handshake, so that the session is ready.
    mutating func becomeReady(_ status: CameraStatus = .video) {
        open()
        receipt()
        decide()
        answerVersion()
        hear(status)
    }

    /// The same with a camera that answers no version query, so that only its notifications show
    /// that it lives.
    mutating func becomeReadyUnanswering(_ status: CameraStatus = .video) {
        open()
        receipt()
        decide()
        for _ in 0..<5 {
            pass(.seconds(1))
            hear(status)
        }
        hear(status)
    }

    @discardableResult
    mutating func command(_ command: CameraCommand) -> Ticket {
        tickets += 1
        let ticket = Ticket(number: tickets)
        handle(.command(ticket, command))
        return ticket
    }

    /// Gives a command that is answered at once, and returns the answer.
    mutating func ask(_ command: CameraCommand) -> CameraOutcome? {
        let ticket = self.command(command)
        return outcome(ticket)
    }

    // MARK: Results

    func lastSent(_ opcode: Opcode) -> Frame? { sent.last { $0.opcode == opcode } }

    func count(_ opcode: Opcode) -> Int { sent.count { $0.opcode == opcode } }

    func outcome(_ ticket: Ticket) -> CameraOutcome? {
        for case .commandDone(ticket, let outcome) in others { return outcome }
        return nil
    }

    /// How often a command was answered: 1, or 0 while it is under way.
    func outcomes(_ ticket: Ticket) -> Int {
        others.count { if case .commandDone(ticket, _) = $0 { true } else { false } }
    }

    /// Fields of the notices of this kind, joined as they are written.
    func notices(_ kind: Notice.Kind) -> [String] {
        others.compactMap { effect in
            guard case .notice(kind, let fields) = effect else { return nil }
            return fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
    }

    /// The summary in `status`, in case the rig calls the camera absent.
    var summary: CameraSummary {
        var summary = CameraSummary(
            name: "front", address: Self.identity.address, state: .absent, stateSince: .zero)
        session.describe(&summary, at: now)
        return summary
    }

    var closings: [CloseReason] {
        others.compactMap { if case .closeLink(let reason) = $0 { reason } else { nil } }
    }
}

extension CameraStatus {
    /// A status of 38 bytes, as current firmware sends, or of 31 bytes, as older firmware does.
    static func of(
        _ mode: CameraMode, activity: UInt8 = 1, recordTime: UInt16 = 0, cardFree: UInt32 = 60000,
        remaining: UInt32 = 5400, powerMode: UInt8 = 0, temperature: UInt8 = 0,
        battery: UInt8? = 87
    ) -> CameraStatus {
        var status = CameraStatus(
            mode: mode, activity: activity, resolution: 16, frameRateIndex: 6, stabilization: 3,
            recordTime: recordTime)
        status.fieldOfView = 0
        status.photoRatio = 0
        status.countdownSeconds = 0
        status.timelapseInterval = 0
        status.timelapseDurationSeconds = 0
        status.cardFreeMegabytes = cardFree
        status.remainingPhotos = 9999
        status.remainingSeconds = remaining
        status.userMode = 0
        status.powerMode = powerMode
        status.nextMode = mode
        status.temperature = temperature
        guard let battery else { return status }
        status.photoCountdownMilliseconds = 0
        status.loopRecordSeconds = 0
        status.batteryPercent = battery
        return status
    }

    static let video = of(.video)
    static let photo = of(.photo)
    static let recording = of(.video, activity: 3, recordTime: 1)
    static let sleeping = of(.video, activity: 0, powerMode: 3)
}
