import Clock
import Fleet
import OsmoProtocol
import RadioPort
import Simulation

/// A simulated radio whose fleet is the test.
struct RadioBench {
    static let adapters = [
        BluetoothAddress(value: 0x0013_EF00_0001), BluetoothAddress(value: 0x0013_EF00_0002),
    ]

    var radio: SimulatedRadio
    var now = Instant(nanoseconds: 1_000_000_000)
    private(set) var events: [(at: Instant, event: RadioEvent)] = []
    private var sequence: UInt16 = 0

    init(cameras: Int = 3, adapters: Int = 1, seed: UInt64 = 1) throws {
        radio = SimulatedRadio(adapters: Array(Self.adapters.prefix(adapters)), seed: seed)
        for camera in try CameraCatalog.cameras(count: cameras, models: [.action4], seed: seed) {
            radio.add(camera)
        }
        radio.start(at: now)
        wait(.zero)
    }

    func link(_ camera: Int, adapter: Int = 0) -> LinkID {
        LinkID(camera: CameraCatalog.address(of: camera), adapter: Self.adapters[adapter])
    }

    mutating func ask(_ request: RadioRequest) { radio.handle(request, at: now) }

    mutating func wait(_ span: TimeSpan) {
        let end = now + span
        while let due = radio.nextDeadline, due <= end {
            now = max(now, due)
            events += radio.advance(to: now).map { (now, $0) }
        }
        now = end
    }

    /// The events since the last call.
    mutating func take() -> [RadioEvent] {
        defer { events = [] }
        return events.map(\.event)
    }

    /// Finds a camera, connects it and opens its link.
    mutating func open(_ camera: Int, adapter: Int = 0) {
        ask(.startDiscovery(adapter: Self.adapters[adapter]))
        wait(.seconds(1))
        ask(.stopDiscovery(adapter: Self.adapters[adapter]))
        ask(.connect(link(camera, adapter: adapter)))
        wait(.seconds(3))
    }

    /// Opens the link and makes the handshake.
    mutating func makeReady(_ camera: Int) {
        open(camera)
        _ = take()
        write(
            ConnectionRequest(
                deviceID: 7, address: BluetoothAddress(value: 9), verification: .saved(code: 1)),
            to: camera)
        wait(.seconds(1))
        for case .notification(_, let bytes) in take() {
            guard let frame = try? Frame(datagram: bytes),
                frame.read(ConnectionRequest.self) != nil
            else { continue }
            ask(
                .write(
                    link(camera),
                    frame: Frame(ConnectionResponse(deviceID: 7), sequence: frame.sequence)
                        .encoded))
        }
    }

    mutating func write<Content: Message>(_ message: Content, to camera: Int) {
        sequence += 1
        ask(.write(link(camera), frame: Frame(message, sequence: sequence).encoded))
    }

    mutating func push(to cameras: [Int]) {
        let frame = Frame(Bench.push(), sequence: 1).encoded
        radio.push(
            Push(frame: frame, links: cameras.map { link($0) }, position: nil), at: now)
    }

    func pushes(_ camera: Int) -> Int { radio.peripherals[camera].camera.pushes.positions }
}

extension Array where Element == RadioEvent {
    var connectEnds: [ConnectOutcome] {
        compactMap { if case .connectEnded(_, let outcome) = $0 { outcome } else { nil } }
    }
    var opens: Int { count { if case .linkOpen = $0 { true } else { false } } }
    var closes: Int { count { if case .linkClosed = $0 { true } else { false } } }
    var sightings: [Sighting] {
        compactMap { if case .sighting(let sighting) = $0 { sighting } else { nil } }
    }
}
