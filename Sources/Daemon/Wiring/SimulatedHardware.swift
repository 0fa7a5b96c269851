package import Clock
package import Fleet
package import OsmoProtocol
package import RadioPort
package import Reactor
import Simulation

/// Virtual cameras, air and receiver under the machine's own clock: what `--simulate` has instead of
/// gpsd and BlueZ. No bus, no descriptor, no root.
package final class SimulatedHardware: FleetRadio, PositionFeed {
    /// Cameras, as the daemon hears of them.
    package typealias Handler = (RigInput, _ now: Instant) -> Void

    /// The made-up adapter's.
    private static let adapter = BluetoothAddress(value: 0x0200_0000_0001)
    /// Fixes a second of the made-up receiver.
    private static let receiverRate = 10

    private let loop: EventLoop
    private let handler: Handler
    /// Virtual time's beginning: each run drives the same course from its start.
    private let origin: Instant
    private var radio: SimulatedRadio
    private var receiver: SimulatedReceiver
    private var timer: Timer?
    private var isRunning = false
    private var hears = false

    /// - Parameters:
    ///   - cameras: their addresses; models in turn.
    ///   - seed: makes the same air again.
    ///   - handler: told on the loop, never within a request; capture its owner `unowned`.
    package init(
        cameras: [BluetoothAddress], seed: UInt64, on loop: EventLoop, handler: @escaping Handler
    ) {
        self.loop = loop
        self.handler = handler
        origin = loop.now
        radio = SimulatedRadio(adapters: [Self.adapter], seed: seed)
        for (number, address) in cameras.enumerated() {
            let model = CameraCatalog.models[number % CameraCatalog.models.count]
            radio.add(
                SimulatedCamera(
                    address: address, model: model, behaviour: Behaviour(model: model),
                    seed: seed &+ UInt64(number)))
        }
        receiver = SimulatedReceiver(
            start: .zero, utc: MachineClock.read().time, rate: Self.receiverRate, seed: seed)
        timer = Timer(on: loop) { [unowned self] now in advance(to: now) }
    }

    /// Addresses for `count` cameras that no configuration names.
    package static func addresses(_ count: Int) -> [BluetoothAddress] {
        (0..<count).map(CameraCatalog.address)
    }

    /// Begins to advertise, and to give fixes.
    package func start() {
        guard !isRunning else { return }
        isRunning = true
        hears = true
        radio.start(at: virtual(loop.now))
        timer?.set(at: loop.now)
    }

    /// Does what BlueZ would do, in simulated time.
    package func perform(_ request: RadioRequest) {
        radio.handle(request, at: virtual(loop.now))
        schedule()
    }

    /// Writes a frame to simulated cameras.
    package func write(_ frame: [UInt8], to links: [LinkID]) {
        radio.push(Push(frame: frame, links: links, position: nil), at: virtual(loop.now))
        schedule()
    }

    /// Gives no more fixes.
    package func stop() { hears = false }

    /// There is one receiver, and the core judges by itself whether it is the one.
    package func listen(to device: String?) {}

    /// Ends all simulated links.
    package func close() {
        isRunning = false
        timer?.cancel()
    }

    /// There is no bus that could be lost.
    package var isBusConnected: Bool { true }
    /// Pings: a bus that is made up answers each at once.
    package private(set) var busMessages = 0
    /// Counts as answered at once.
    package func pingBus() { busMessages += 1 }

    private func advance(to now: Instant) {
        guard isRunning else { return }
        for event in radio.advance(to: virtual(now)) { handler(.radio(event), now) }
        if hears {
            for input in receiver.advance(to: virtual(now)) { handler(.receiver(input), now) }
        }
        schedule()
    }

    private func schedule() {
        guard isRunning else { return }
        var next = radio.nextDeadline ?? .never
        if hears { next = min(next, receiver.nextDeadline) }
        timer?.set(at: next == .never ? nil : next + (origin - .zero))
    }

    private func virtual(_ now: Instant) -> Instant { .zero + (now - origin) }
}
