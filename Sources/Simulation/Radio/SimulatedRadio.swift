package import Clock
import Fleet
package import OsmoProtocol
package import RadioPort

/// The air, its adapters, BlueZ and the cameras in it, as a pure machine. It carries out the same
/// requests of the fleet as the BlueZ adapter does.
///
/// It behaves as real bluetoothd was seen to behave: one Connect at a time, links that are not
/// established, devices that are forgotten after 30 s, a stalled link that holds an adapter's
/// buffers, crashes that end all links. Give it requests (`handle`, `push`), let time pass
/// (`advance` at `nextDeadline`), and handle the events that it returns.
package struct SimulatedRadio: Sendable {
    /// The faults that the radio shows by chance, as the seed decides.
    package struct FaultProfile: Equatable, Sendable {
        /// Links whose set-up fails, percent.
        package var setupFailedPercent = 0
        /// Links whose set-up never ends, percent.
        package var setupHangsPercent = 0
        /// Connects that end with a transient abort, percent.
        package var abortedPercent = 0
        /// Links that are not established and crash bluetoothd, percent of those.
        package var crashPercent = 0
        /// bluetoothd dies where the kernel gives up a camera that does not answer.
        package var isGivingUpFatal = false
        /// Links without a descriptor to write to, percent.
        package var callPercent = 0
        /// Frames that a link refuses because it is busy for a while, percent.
        package var droppedPercent = 0
        /// Wake broadcasts that the controller refuses, percent.
        package var wakeFailsPercent = 0

        /// A radio without faults.
        package init() {}
    }

    /// The controller's buffers, which one stalled link can hold all.
    static let buffers = 16
    /// How long bluetoothd keeps an untrusted device (field note D7).
    static let temporary = TimeSpan.seconds(30)
    /// After this time the kernel gives up connecting to a camera that it hears and that does not
    /// answer.
    static let kernelTimeout = TimeSpan.milliseconds(4200)
    /// After this much silence the kernel ends a link.
    static let supervisionTimeout = TimeSpan.seconds(4)

    /// All cameras in the air. A camera's index here is what other calls name it by.
    package internal(set) var peripherals: [SimulatedPeripheral] = []
    /// The adapters, plugged in or not.
    package internal(set) var adapters: [SimulatedAdapter]
    /// The faults that come by chance, as the seed draws them.
    package var faultProfile = FaultProfile()
    /// bluetoothd runs.
    package internal(set) var isAvailable = true
    /// Connects that began while another one was under way on the same adapter: there must be none.
    package internal(set) var overlappingConnects = 0

    var random: SeededGenerator
    var eventQueue = EventQueue<AirTask>()
    var events: [RadioEvent] = []
    /// How often bluetoothd was started.
    var epoch = 0
    var earliest = Instant.never
    /// Whether any link is stalled: kept, because each push asks for it.
    var hasStall = false
    private var indices: [BluetoothAddress: Int] = [:]

    /// A radio without cameras. The adapters are named `hci0`, `hci1`, … in the given order.
    package init(adapters: [BluetoothAddress], seed: UInt64) {
        self.adapters = adapters.enumerated().map {
            SimulatedAdapter(address: $0.element, number: $0.offset)
        }
        random = SeededGenerator(seed: seed)
    }

    /// Puts a camera into the air.
    ///
    /// - Parameter advertisement: what the camera advertises; nil for what its model advertises.
    package mutating func add(
        _ camera: SimulatedCamera, advertisement: CameraAdvertisement? = nil
    ) {
        var peripheral = SimulatedPeripheral(
            camera,
            advertisement: advertisement
                ?? CameraAdvertisement(manufacturerData: camera.manufacturerData),
            adapters: adapters.count)
        peripheral.rssi = -Int.random(in: 40...85, using: &random)
        indices[camera.address] = peripherals.count
        peripherals.append(peripheral)
        earliest = min(earliest, peripheral.deadline)
    }

    /// How many links an adapter's controller has room for.
    package mutating func setMaximumLinks(_ count: Int, of adapter: Int) {
        adapters[adapter].maxLinks = count
    }

    /// Starts bluetoothd and its adapters: to be called once, before anything else.
    package mutating func start(at now: Instant) {
        events.append(.available(true))
        for adapter in adapters where adapter.isPresent { events.append(.adapter(adapter.state)) }
        reportLeftLinks()
    }

    /// The place in `peripherals` of the camera with this address; nil if there is none.
    package func index(of address: BluetoothAddress) -> Int? {
        // Cameras of `CameraCatalog` mostly stand where their number says.
        let guess = Int(address.value & 0xFF)
        if guess < peripherals.count, peripherals[guess].address == address { return guess }
        return indices[address]
    }

    /// The camera's handshake is over and its link passes frames.
    func isReady(_ peripheral: Int) -> Bool {
        peripherals[peripheral].isOpen && peripherals[peripheral].camera.isReady
    }

    func adapter(_ address: BluetoothAddress) -> Int? {
        adapters.firstIndex { $0.address == address }
    }

    func linkID(_ peripheral: Int, _ adapter: Int) -> LinkID {
        LinkID(camera: peripherals[peripheral].address, adapter: adapters[adapter].address)
    }

    /// When `advance` has something to do.
    @inline(__always) package var nextDeadline: Instant? {
        if !events.isEmpty { return .zero }
        let next = min(earliest, eventQueue.deadline)
        return next == .never ? nil : next
    }

    /// Lets time pass until `now`.
    ///
    /// - Returns: what the fleet hears, in order.
    package mutating func advance(to now: Instant) -> [RadioEvent] {
        while true {
            let task = eventQueue.deadline
            let next = min(earliest, task)
            guard next <= now, next != .never else { break }
            if task <= next, let due = eventQueue.popDue(at: next) {
                perform(due.item, at: next)
            } else {
                for index in peripherals.indices where peripherals[index].deadline <= next {
                    give(.timer, to: index, at: next)
                }
                settleDeadlines()
            }
        }
        guard !events.isEmpty else { return [] }
        defer { events = [] }
        return events
    }

    /// Gives a camera an input, and carries out what the camera does about it.
    package mutating func give(_ input: CameraInput, to index: Int, at now: Instant) {
        let outputs = peripherals[index].camera.handle(input, at: now)
        carryOut(outputs, of: index, at: now)
    }

    /// Changes a camera; see `SimulatedCamera.set`.
    package mutating func set(_ key: String, to value: String, of index: Int, at now: Instant) {
        guard let outputs = peripherals[index].camera.set(key, to: value, at: now) else {
            preconditionFailure("no camera has \(key)=\(value)")
        }
        carryOut(outputs, of: index, at: now)
    }

    mutating func carryOut(_ outputs: [CameraOutput], of index: Int, at now: Instant) {
        for output in outputs {
            switch output {
            case .notify(let bytes): notify(bytes, from: index)
            case .advertise(let how): advertise(how, index, at: now)
            case .dropLink: lose(index, after: .milliseconds(20), at: now)
            case .noted: break
            }
        }
        let deadline = peripherals[index].camera.nextDeadline ?? .never
        let old = peripherals[index].deadline
        peripherals[index].deadline = deadline
        if deadline < earliest {
            earliest = deadline
        } else if old == earliest {
            settleDeadlines()
        }
    }

    private mutating func settleDeadlines() {
        earliest = .never
        for index in peripherals.indices { earliest = min(earliest, peripherals[index].deadline) }
    }

    private mutating func notify(_ bytes: [UInt8], from index: Int) {
        guard let link = peripherals[index].link, link.phase == .open else { return }
        if peripherals[index].stalledUntil != nil, !peripherals[index].isStalledOneWay {
            peripherals[index].heldNotifications.append(bytes)
        } else {
            events.append(.notification(linkID(index, link.adapter), bytes))
        }
    }

    private mutating func perform(_ task: AirTask, at now: Instant) {
        switch task {
        case .meet(let peripheral, let generation): meet(peripheral, generation, at: now)
        case .giveUp(let peripheral, let generation): giveUp(peripheral, generation, at: now)
        case .cancelled(let peripheral, let generation):
            endAttempt(peripheral, generation, .aborted)
        case .setUp(let peripheral, let generation): setUp(peripheral, generation, at: now)
        case .closed(let peripheral, let generation): tellClosed(peripheral, generation)
        case .supervision(let peripheral, let generation):
            guard peripherals[peripheral].generation == generation,
                !peripherals[peripheral].isInRange,
                peripherals[peripheral].link?.phase != .closing
            else { return }
            give(.linkDown, to: peripheral, at: now)
            lose(peripheral, after: .zero, at: now)
        case .endStall(let peripheral): endStall(peripheral, at: now)
        case .sighting(let peripheral, let adapter): sight(peripheral, adapter, at: now)
        case .wakeHeard(let peripheral):
            if peripherals[peripheral].isInRange { give(.wakeHeard, to: peripheral, at: now) }
        case .emit(let event): events.append(event)
        case .blueZReturns(let epoch): blueZReturns(epoch, at: now)
        case .adapterReturns(let adapter): adapterReturns(adapter)
        case .adapterPowered(let adapter): powered(adapter, true, at: now)
        case .unblock(let adapter):
            adapters[adapter].isBlocked = false
            if adapters[adapter].isPresent { events.append(.adapter(adapters[adapter].state)) }
        }
    }
}
