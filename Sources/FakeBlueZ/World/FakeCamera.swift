import Clock
import OsmoProtocol
import Reactor
import Simulation

/// A simulated camera in real time, in the stand-in's air.
final class FakeCamera {
    let name: String
    private(set) var simulation: SimulatedCamera
    var faults = Faults()
    /// Out of range of every adapter.
    var isAway = false
    /// What is sent to it stays on the way, as at the edge of range.
    var isStalled = false
    /// While it is stalled, what it sends gets through all the same: its receiving side hangs.
    var isStalledOneWay = false
    /// The device by way of which it is connected.
    weak var holder: FakeDevice?
    /// Writes that are on the way.
    private(set) var held: [[UInt8]] = []

    /// Told of what it understood, besides `output`.
    var onNote: ((CameraNote, Instant) -> Void)?

    private let loop: EventLoop
    private let output: (_ now: Instant, _ name: String, _ text: String) -> Void
    private let advertisingChanged: (FakeCamera) -> Void
    private var timer: Timer?

    init(
        _ settings: FakeSettings.Camera, seed: UInt64, on loop: EventLoop,
        advertisingChanged: @escaping (FakeCamera) -> Void,
        output: @escaping (_ now: Instant, _ name: String, _ text: String) -> Void
    ) {
        name = settings.name
        simulation = SimulatedCamera(
            address: settings.address, model: settings.model,
            behaviour: Behaviour(model: settings.model), seed: seed)
        simulation.narrates = true
        self.loop = loop
        self.output = output
        self.advertisingChanged = advertisingChanged
        timer = Timer(on: loop) { [unowned self] now in receive(.timer, at: now) }
    }

    var address: BluetoothAddress { simulation.address }

    /// Whether an adapter would hear it.
    var isHeard: Bool { !isAway && simulation.advertising == .on }

    /// Something happens to it.
    func receive(_ input: CameraInput, at now: Instant) {
        perform(simulation.handle(input, at: now), at: now)
    }

    /// Writes that keep the controller's buffers.
    var heldCount: Int { isStalled ? held.count : 0 }

    /// One ATT write. Nothing gets through to a camera that is stalled, or by way of an adapter
    /// without free buffers.
    func write(_ bytes: [UInt8], isBlocked: Bool, at now: Instant) {
        if isStalled || isBlocked || !held.isEmpty {
            held.append(bytes)
        } else {
            receive(bytes, at: now)
        }
    }

    /// Lets through what was held.
    func release(at now: Instant) {
        let writes = held
        held = []
        for bytes in writes { receive(bytes, at: now) }
    }

    /// What was on the way is lost with the link.
    func linkDown(at now: Instant) {
        held = []
        holder = nil
        receive(.linkDown, at: now)
    }

    /// Says what became of it.
    func tell(_ text: String, at now: Instant) { output(now, name, text) }

    /// Changes what it is or how it behaves; false for what is not known.
    func set(_ key: String, to value: String, at now: Instant) -> Bool {
        guard let outputs = simulation.set(key, to: value, at: now) else { return false }
        perform(outputs, at: now)
        return true
    }

    private func receive(_ bytes: [UInt8], at now: Instant) {
        let sequence = (try? Frame(datagram: bytes))?.sequence
        perform(simulation.handle(.write(bytes), at: now), at: now, sequence: sequence)
    }

    /// - Parameter sequence: of the frame that led to it.
    private func perform(_ outputs: [CameraOutput], at now: Instant, sequence: UInt16? = nil) {
        for output in outputs {
            switch output {
            case .notify(let bytes): if !isStalled || isStalledOneWay { holder?.notify(bytes) }
            case .advertise: advertisingChanged(self)
            case .dropLink: holder?.loseLink(at: now)
            case .noted(let note):
                self.output(now, name, note.text(sequence: sequence))
                onNote?(note, now)
            }
        }
        timer?.set(at: simulation.nextDeadline)
    }
}

extension CameraNote {
    /// The line that tells it.
    func text(sequence: UInt16?) -> String {
        switch self {
        case .handshake(let code, let forced):
            "handshake step=1 code=\(code) forced=\(forced ? "yes" : "no")"
        case .decided(let allowed): "handshake step=3 result=\(allowed ? "allowed" : "refused")"
        case .authenticated(let number): "handshake step=4 number=\(number)"
        case .push(let push):
            (push.isVoid ? "void" : "gps") + " seq=\(sequence.map { Int($0) } ?? -1)"
                + " lat_e7=\(push.latitudeE7) lon_e7=\(push.longitudeE7)"
                + " height_mm=\(push.heightMillimetres)"
                + " vn=\(push.northCentimetresPerSecond) ve=\(push.eastCentimetresPerSecond)"
                + " vd=\(push.downCentimetresPerSecond) sats=\(push.satellites)"
                + " date=\(push.date) time=\(push.time)"
                + " hacc=\(push.horizontalAccuracyMillimetres)"
                + " vacc=\(push.verticalAccuracyMillimetres)"
        case .command(let opcode, let code):
            "command opcode=\(opcode)" + (code.map { " code=\($0.rawValue)" } ?? "")
        case .recording(let on): "record \(on ? "start" : "stop")"
        case .photo: "photo"
        case .mode(let mode): "mode 0x" + [mode.rawValue].hexadecimal
        case .slept: "sleep"
        case .woke: "wake"
        case .restarted: "restart"
        case .violation(let violation): "violation \(violation.rawValue)"
        }
    }
}
