import Clock
import OsmoProtocol
import RadioPort

@testable import Fleet

/// A connection queue with a clock: gives it events, and records its requests with their times.
struct QueueBench {
    var queue: ConnectionQueue
    var now = Instant.zero
    /// Every request since the start.
    var log: [(at: Instant, request: RadioRequest)] = []
    var news: [LinkNews] = []

    static let adapterA = BluetoothAddress("AA:AA:AA:AA:AA:01")!
    static let adapterB = BluetoothAddress("BB:BB:BB:BB:BB:02")!

    init(adapters: [BluetoothAddress] = [], retries: Int = 0) {
        queue = ConnectionQueue(
            adapters: adapters, retries: retries, generator: Fleet.SeededGenerator(seed: 7))
    }

    /// A queue with two adapters, of which `count` are there, that is to connect these cameras.
    static func ready(
        adapters count: Int = 1, cameras: [BluetoothAddress], pinned: BluetoothAddress? = nil,
        retries: Int = 0
    ) -> QueueBench {
        var bench = QueueBench(retries: retries)
        for adapter in [adapterA, adapterB].prefix(count) { bench.appear(adapter) }
        for camera in cameras {
            _ = bench.queue.admit(camera, pinned: pinned, trusted: true, at: bench.now)
        }
        bench.step()
        return bench
    }

    static func camera(_ number: Int) -> BluetoothAddress {
        BluetoothAddress(value: 0x6060_1F60_0000 + UInt64(number))
    }

    static func cameras(_ count: Int) -> [BluetoothAddress] { (1...count).map { camera($0) } }

    mutating func appear(
        _ adapter: BluetoothAddress, powered: Bool = true, blocked: Bool = false
    ) {
        handle(
            .adapter(
                AdapterState(address: adapter, name: "hci0", powered: powered, blocked: blocked)))
    }

    @discardableResult
    mutating func handle(_ event: RadioEvent) -> [RadioRequest] {
        let first = log.count
        take(queue.handle(event, at: now))
        step()
        return log[first...].map(\.request)
    }

    @discardableResult
    mutating func step() -> [RadioRequest] {
        let first = log.count
        take(queue.step(at: now))
        return log[first...].map(\.request)
    }

    private mutating func take(_ effects: LinkEffects) {
        log += effects.requests.map { (now, $0) }
        news += effects.news
    }

    /// Lets time pass, stepping at each deadline.
    @discardableResult
    mutating func pass(_ span: TimeSpan) -> [RadioRequest] {
        let first = log.count
        let end = now + span
        while queue.deadline <= end {
            now = max(now, queue.deadline)
            let before = queue.deadline
            step()
            precondition(queue.deadline > before, "a step must move the deadline")
        }
        now = end
        return log[first...].map(\.request)
    }

    @discardableResult
    mutating func hear(
        _ camera: BluetoothAddress, on adapter: BluetoothAddress = adapterA, rssi: Int? = -60,
        connected: Bool = false
    ) -> [RadioRequest] {
        handle(
            .sighting(
                Sighting(
                    link: LinkID(camera: camera, adapter: adapter),
                    advertisement: .supported(.action4), rssi: rssi, connected: connected)))
    }

    /// Connects the camera and opens its link; each takes one second.
    mutating func open(
        _ camera: BluetoothAddress, on adapter: BluetoothAddress = adapterA
    ) {
        let link = LinkID(camera: camera, adapter: adapter)
        hear(camera, on: adapter)
        handle(.connectEnded(link, .ok))
        handle(.linkOpen(link, LinkParameters(mtu: 500, path: .descriptor)))
    }

    /// The cameras that were connected to, in order.
    var attempts: [BluetoothAddress] {
        log.compactMap { if case .connect(let link) = $0.request { link.camera } else { nil } }
    }

    func count(_ request: RadioRequest) -> Int { log.count { $0.request == request } }
}

extension LinkID {
    static func test(
        _ number: Int, on adapter: BluetoothAddress = QueueBench.adapterA
    ) -> LinkID { LinkID(camera: QueueBench.camera(number), adapter: adapter) }
}
