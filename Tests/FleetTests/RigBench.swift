import Clock
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort
import Simulation
import TrackFormat

@testable import Fleet

/// A rig on a bench: simulated cameras, a radio that behaves as BlueZ does without faults, a
/// receiver at 10 Hz, and a clock that jumps from event to event.
final class RigBench {
    /// Events that the bench causes by itself.
    enum Event {
        case radio(RadioEvent)
        case connected(LinkID)
        case opened(LinkID)
        case gone(LinkID)
        case sight(BluetoothAddress)
        case fix
    }

    /// How the radio treats a camera.
    struct Air {
        var camera: SimulatedCamera
        var rssi = -60
        /// The camera is in range.
        var present = true
        /// The camera advertises and does not answer Connect.
        var deaf = false
        /// The adapters that hear it; nil for all.
        var heardBy: [BluetoothAddress]?
        var links: [LinkID] = []
        /// How many requests to the radio were about it.
        var requests = 0
    }

    var rig: Rig
    var now: Instant
    var air: [BluetoothAddress: Air] = [:] {
        didSet { if air.count != order.count { order = air.keys.sorted() } }
    }
    private var order: [BluetoothAddress] = []
    var adapters: [BluetoothAddress: AdapterState] = [:]
    var eventQueue: [(due: Instant, event: Event)] = []
    var connectDelay = TimeSpan.milliseconds(400)
    var setupDelay = TimeSpan.milliseconds(600)
    /// The time between two sightings of a camera.
    var sightInterval = TimeSpan.seconds(1)
    var receiverOn = true {
        didSet {
            eventQueue.removeAll { if case .fix = $0.event { true } else { false } }
            if receiverOn { eventQueue.append((now, .fix)) }
        }
    }
    var wakeOutcome = WakeOutcome.sent
    /// What the receiver says of speed, metres a second, and of the latitude; nil for no fix.
    var speed = 15.0
    var latitude: Double? = 48.1
    /// The adapter on which every Connect fails after a second.
    var brokenAdapter: BluetoothAddress?
    /// The camera whose link accepts no pushes.
    var refusing: BluetoothAddress?
    /// The camera whose notifications do not arrive.
    var unheard: BluetoothAddress?
    /// Strangers that pass by all the time.
    var passers = 0
    /// The greatest number of Connects that were under way on one adapter at once.
    var maxConnects = 0
    private var connecting: [LinkID] = []

    var requests: [(at: Instant, request: RadioRequest)] = []
    var notices: [Notice] = []
    var replies: [(ticket: Ticket, line: ReplyLine)] = []
    var ends: [Ticket: ReplyEnd] = [:]
    var pushes: [(at: Instant, push: Push)] = []
    var epochs: [ClosedEpoch] = []
    var saved: [[RosterEntry]] = []
    var finishedAt: Instant?
    var tickets: UInt64 = 0

    static let adapterA = QueueBench.adapterA
    static let adapterB = QueueBench.adapterB
    static let start = UnixTime(nanoseconds: 1_782_900_000_000_000_000)

    static func settings(cameras: Int = 0) -> RigSettings {
        var settings = RigSettings(
            identity: ControllerIdentity(
                deviceID: 0x00C0_FFEE, address: BluetoothAddress("02:A1:B2:C3:D4:E5")!),
            buildDate: UnixTime(nanoseconds: 1_760_000_000_000_000_000))
        if cameras > 0 {
            settings.roster = (1...cameras).map {
                RosterEntry(name: "cam\($0)", number: $0, address: QueueBench.camera($0))
            }
        }
        return settings
    }

    init(_ settings: RigSettings, adapters: Int = 1, at now: Instant = .zero + .seconds(100)) {
        rig = Rig(settings: settings)
        self.now = now
        eventQueue.append((now, .fix))
        feed(.receiver(.connected))
        feed(.radio(.available(true)))
        for adapter in [Self.adapterA, Self.adapterB].prefix(adapters) { plug(adapter) }
    }

    /// A bench with all cameras of the roster in range.
    static func of(
        _ cameras: Int, adapters: Int = 1, _ change: (inout RigSettings) -> Void = { _ in }
    ) -> RigBench {
        var settings = settings(cameras: cameras)
        change(&settings)
        let bench = RigBench(settings, adapters: adapters)
        if cameras > 0 { for number in 1...cameras { bench.place(number) } }
        return bench
    }

    // MARK: The world

    func place(
        _ number: Int, model: CameraModel = .action4, rssi: Int = -60,
        _ change: (inout Behaviour) -> Void = { _ in }
    ) {
        var behaviour = Behaviour(model: model)
        change(&behaviour)
        let address = QueueBench.camera(number)
        air[address] = Air(
            camera: SimulatedCamera(
                address: address, model: model, behaviour: behaviour, seed: UInt64(number)),
            rssi: rssi)
    }

    func plug(_ adapter: BluetoothAddress, name: String = "hci0") {
        adapters[adapter] = AdapterState(address: adapter, name: name, powered: true)
        feed(.radio(.adapter(adapters[adapter]!)))
    }

    func unplug(_ adapter: BluetoothAddress) {
        adapters[adapter] = nil
        for address in air.keys {
            for link in air[address]!.links where link.adapter == adapter { drop(link) }
        }
        feed(.radio(.adapterGone(adapter)))
    }

    /// bluetoothd dies, and comes back after `pause`.
    func restartBlueZ(after pause: TimeSpan = .seconds(2)) {
        let all = adapters
        for address in air.keys { for link in air[address]!.links { drop(link) } }
        adapters = [:]
        eventQueue.removeAll { if case .fix = $0.event { false } else { true } }
        feed(.radio(.available(false)))
        pass(pause)
        adapters = all
        feed(.radio(.available(true)))
        for adapter in adapters.keys.sorted() {
            adapters[adapter]!.discovering = false
            feed(.radio(.adapter(adapters[adapter]!)))
        }
    }

    /// The link is lost, as when the camera drives away.
    func lose(_ number: Int) {
        for link in air[QueueBench.camera(number)]!.links {
            drop(link)
            feed(.radio(.linkClosed(link)))
        }
    }

    private func drop(_ link: LinkID) {
        air[link.camera]?.links.removeAll { $0 == link }
        tell(link.camera, .linkDown)
    }

    subscript(number: Int) -> SimulatedCamera {
        get { air[QueueBench.camera(number)]!.camera }
        set { air[QueueBench.camera(number)]!.camera = newValue }
    }

    func hand(_ hand: Hand, _ number: Int) { tell(QueueBench.camera(number), .hand(hand)) }

    // MARK: Time

    func pass(_ span: TimeSpan) { run(until: now + span) }

    func run(until end: Instant) {
        while let next = nextInstant, next <= end {
            now = max(now, next)
            if let due = rig.nextDeadline, due <= now { feed(.wake) }
            for address in order {
                guard let due = air[address]?.camera.nextDeadline, due <= now else { continue }
                tell(address, .timer)
            }
            while let index = eventQueue.firstIndex(where: { $0.due <= now }) {
                happen(eventQueue.remove(at: index).event)
            }
        }
        now = end
    }

    private var nextInstant: Instant? {
        var next = rig.nextDeadline ?? .never
        for entry in eventQueue { next = min(next, entry.due) }
        for entry in air.values { next = min(next, entry.camera.nextDeadline ?? .never) }
        return next == .never ? nil : next
    }

    private func later(_ span: TimeSpan, _ event: Event) { eventQueue.append((now + span, event)) }

    private func happen(_ event: Event) {
        switch event {
        case .radio(let event): feed(.radio(event))
        case .connected(let link):
            guard adapters[link.adapter]?.powered == true, air[link.camera] != nil else { return }
            guard air[link.camera]!.present, air[link.camera]!.camera.advertising == .on else {
                return later(.seconds(42), .radio(.connectEnded(link, .aborted)))
            }
            air[link.camera]!.links.append(link)
            feed(.radio(.connectEnded(link, .ok)))
            tell(link.camera, .linkUp)
            later(setupDelay, .opened(link))
        case .opened(let link):
            guard air[link.camera]?.links.contains(link) == true else { return }
            tell(link.camera, .mtu(500))
            tell(link.camera, .subscribed)
            feed(.radio(.linkOpen(link, LinkParameters(mtu: 500, path: .descriptor))))
        case .gone(let link):
            guard air[link.camera]?.links.contains(link) == true else { return }
            drop(link)
            feed(.radio(.linkClosed(link)))
        case .sight(let adapter):
            sight(adapter)
        case .fix:
            later(.milliseconds(100), .fix)
            feed(.receiver(.report(.position(report()))))
        }
    }

    private func report() -> PositionReport {
        let epoch = Int(now.nanoseconds / 100_000_000)
        var report = PositionReport(
            device: "/dev/ttyACM0", mode: latitude == nil ? 1 : 3, status: 1,
            time: Self.start + .milliseconds(100 * epoch))
        guard let latitude else { return report }
        report.latitudeDegrees = latitude
        report.longitudeDegrees = 11.5 + Double(epoch) * 2e-5
        report.heightMetres = 520
        report.speedMetresPerSecond = speed
        report.courseDegrees = 90
        return report
    }

    private func sight(_ adapter: BluetoothAddress) {
        guard adapters[adapter]?.discovering == true else { return }
        for address in order {
            let entry = air[address]!
            guard entry.present, entry.camera.advertising == .on,
                entry.heardBy?.contains(adapter) ?? true
            else { continue }
            feed(
                .radio(
                    .sighting(
                        Sighting(
                            link: LinkID(camera: address, adapter: adapter),
                            advertisement: .supported(entry.camera.model),
                            name: entry.camera.name, rssi: entry.rssi))))
        }
        for number in 0..<passers {
            feed(
                .radio(
                    .sighting(
                        Sighting(
                            link: .test(0x1000 + number, on: adapter),
                            advertisement: .supported(.action5Pro), rssi: -50 - number % 40))))
        }
        later(sightInterval, .sight(adapter))
    }

    // MARK: The rig's side

    func feed(_ input: RigInput) {
        switch input {
        case .radio(.connectEnded(let link, _)): connecting.removeAll { $0 == link }
        case .radio(.adapterGone), .radio(.available(false)): connecting = []
        default: break
        }
        carryOut(rig.handle(input, at: now))
    }

    func carryOut(_ effects: [RigEffect]) {
        for effect in effects {
            switch effect {
            case .radio(let request):
                requests.append((now, request))
                carryOut(request)
            case .push(let push):
                pushes.append((now, push))
                for link in push.links {
                    if link.camera == refusing {
                        feed(.radio(.frameDropped(link, frame: push.frame)))
                    } else {
                        tell(link.camera, .write(push.frame))
                    }
                }
            case .reply(let ticket, let line): replies.append((ticket, line))
            case .replyEnd(let ticket, let end): ends[ticket] = end
            case .notice(let notice): notices.append(notice)
            case .epoch(let epoch): epochs.append(epoch)
            case .saveRoster(let entries): saved.append(entries)
            case .finished: finishedAt = now
            }
        }
    }

    private func carryOut(_ request: RadioRequest) {
        switch request {
        case .powerOn(let adapter), .powerOff(let adapter):
            guard adapters[adapter]?.blocked == false else { return }
            adapters[adapter]!.powered = request == .powerOn(adapter: adapter)
            adapters[adapter]!.discovering = false
            later(.milliseconds(100), .radio(.adapter(adapters[adapter]!)))
        case .startDiscovery(let adapter):
            eventQueue.removeAll { if case .sight(adapter) = $0.event { true } else { false } }
            adapters[adapter]?.discovering = true
            later(.milliseconds(150), .sight(adapter))
        case .stopDiscovery(let adapter):
            adapters[adapter]?.discovering = false
        case .connect(let link):
            air[link.camera]?.requests += 1
            connecting.append(link)
            let busy = connecting.count { $0.adapter == link.adapter }
            maxConnects = max(maxConnects, busy)
            if link.adapter == brokenAdapter {
                return later(.seconds(1), .radio(.connectEnded(link, .failed("broken"))))
            }
            if air[link.camera]?.deaf != false { return }
            later(connectDelay, .connected(link))
        case .disconnect(let link):
            air[link.camera]?.requests += 1
            if air[link.camera]?.links.contains(link) == true {
                later(.milliseconds(200), .gone(link))
            } else {
                later(.milliseconds(200), .radio(.connectEnded(link, .aborted)))
            }
        case .trust(let link), .remove(let link): air[link.camera]?.requests += 1
        case .write(let link, let frame): tell(link.camera, .write(frame))
        case .wake(let link):
            if wakeOutcome == .sent { tell(link.camera, .wakeHeard) }
            later(.seconds(2), .radio(.wakeEnded(link, wakeOutcome)))
        }
    }

    private func tell(_ address: BluetoothAddress, _ input: CameraInput) {
        guard let outputs = air[address]?.camera.handle(input, at: now) else { return }
        for output in outputs {
            guard let link = air[address]?.links.first else { continue }
            switch output {
            case .notify where address == unheard: break
            case .notify(let bytes): feed(.radio(.notification(link, bytes)))
            case .dropLink:
                air[address]?.links.removeAll()
                feed(.radio(.linkClosed(link)))
            case .advertise, .noted: break
            }
        }
    }
}
