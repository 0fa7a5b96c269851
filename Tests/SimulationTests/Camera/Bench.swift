import Clock
import OsmoProtocol
import Simulation

/// A camera whose controller is the test, on a clock that the test moves.
struct Bench {
    static let identity = BluetoothAddress(value: 0x02A1_B2C3_D4E5)
    static let address = BluetoothAddress(value: 0x6060_1F60_11E7)

    var camera: SimulatedCamera
    var now = Instant.zero
    /// Everything that the camera put out, with its time.
    var outputs: [(at: Instant, output: CameraOutput)] = []
    private var sequence: UInt16 = 100
    private var decoder = FrameDecoder()
    /// The frames that the camera sent, in order.
    private(set) var frames: [(at: Instant, frame: Frame)] = []

    init(
        _ model: CameraModel = .action4, seed: UInt64 = 1,
        _ change: (inout Behaviour) -> Void = { _ in }
    ) {
        var behaviour = Behaviour(model: model)
        change(&behaviour)
        camera = SimulatedCamera(
            address: Self.address, model: model, behaviour: behaviour, seed: seed)
    }

    mutating func give(_ input: CameraInput) {
        collect(camera.handle(input, at: now))
    }

    private mutating func collect(_ new: [CameraOutput]) {
        for output in new {
            outputs.append((now, output))
            if case .notify(let bytes) = output {
                for frame in decoder.receive(bytes, at: now.nanoseconds) {
                    frames.append((now, frame))
                }
            }
        }
    }

    /// Lets time pass; the camera's timers run.
    mutating func wait(_ span: TimeSpan) {
        let end = now + span
        while let due = camera.nextDeadline, due <= end {
            now = max(now, due)
            give(.timer)
        }
        now = end
    }

    mutating func link(mtu: Int = 517) {
        give(.linkUp)
        give(.mtu(mtu))
        give(.subscribed)
    }

    @discardableResult
    mutating func send<Content: Message>(_ message: Content, sequence: UInt16? = nil) -> UInt16 {
        self.sequence += 1
        let number = sequence ?? self.sequence
        give(.write(Frame(message, sequence: number).encoded))
        return number
    }

    @discardableResult
    mutating func ask(
        _ verification: ConnectionRequest.Verification = .saved(code: 4711),
        identity: BluetoothAddress = Bench.identity
    ) -> UInt16 {
        send(ConnectionRequest(deviceID: 7, address: identity, verification: verification))
    }

    /// The camera's last step 3.
    var decision: (sequence: UInt16, request: ConnectionRequest)? {
        for (_, frame) in frames.reversed() {
            if let request = frame.read(ConnectionRequest.self) { return (frame.sequence, request) }
        }
        return nil
    }

    mutating func answerDecision(number: UInt32 = 0) {
        guard let decision else { return }
        send(ConnectionResponse(deviceID: 7, cameraNumber: number), sequence: decision.sequence)
    }

    /// Connects, makes the handshake and subscribes.
    mutating func makeReady() {
        link()
        ask()
        wait(.seconds(1))
        answerDecision()
        send(StatusSubscription())
        wait(.seconds(1))
    }

    /// The statuses that the camera pushed from `start` on.
    func statuses(since start: Instant = .zero) -> [CameraStatus] {
        frames.compactMap { $0.at >= start ? $0.frame.read(CameraStatus.self) : nil }
    }

    func replies(to sequence: UInt16) -> [ReturnCode] {
        frames.compactMap { $0.frame.sequence == sequence ? $0.frame.returnCode : nil }
    }

    /// Sends a command and waits a second for its return code.
    mutating func code<Content: Message>(_ message: Content) -> ReturnCode? {
        let number = send(message)
        wait(.seconds(1))
        return replies(to: number).first
    }

    var advertising: [Advertising] {
        outputs.compactMap { if case .advertise(let how) = $0.output { how } else { nil } }
    }

    var drops: Int { outputs.count { $0.output == .dropLink } }

    static func push(satellites: Int = 9, latitude: Double = 48) -> GPSPush {
        GPSPush(
            date: 20_260_701, time: 180_000, latitudeDegrees: latitude, longitudeDegrees: 11,
            heightMetres: 500, northMetresPerSecond: 1, eastMetresPerSecond: 2,
            downMetresPerSecond: 3, horizontalAccuracyMetres: 1, verticalAccuracyMetres: 2,
            speedAccuracyMetresPerSecond: 0.1, satellites: satellites)!
    }
}
