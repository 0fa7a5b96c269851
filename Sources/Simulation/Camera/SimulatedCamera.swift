package import Clock
import Fleet
package import OsmoProtocol

/// A camera as a controller sees it: the other side of the protocol, as a pure machine.
///
/// | power | link | then |
/// | --- | --- | --- |
/// | on | none | advertises, can be connected |
/// | on | up | handshake, then obeys and pushes its status |
/// | asleep | up or none | silent; a wake broadcast within the window makes it drop the link and advertise |
/// | off | none | nothing, until it boots |
///
/// Feed it what happens, and `timer` at `nextDeadline`; do what it puts out, in that order.
package struct SimulatedCamera: Sendable {
    /// Whether the camera runs, sleeps with its radio listening, or is off the air.
    package enum Power: Equatable, Sendable {
        case on
        case asleep(since: Instant)
        /// `until` a restart is over; nil until somebody turns it on.
        case off(until: Instant?)
    }

    /// The camera's public Bluetooth address.
    package let address: BluetoothAddress
    /// The advertised name.
    package let name: String
    /// The faults it shows; tests and the shell change them on the way.
    package internal(set) var behaviour: Behaviour
    /// Whether it runs, sleeps or is off.
    package internal(set) var power = Power.on
    /// The link to the controller; nil while nobody is connected. A camera has one at most.
    package internal(set) var link: CameraLink?
    /// Mode, card, battery and what the camera is doing.
    package internal(set) var body: CameraBody
    /// The GPS frames that it received.
    package internal(set) var pushes = PushLog()
    /// How often the controller broke each rule of the protocol.
    package internal(set) var violations: [Violation: Int] = [:]
    /// Handshakes that came to their end.
    package internal(set) var handshakes = 0
    /// The number that step 4 of the handshake gave this camera; nil before the first.
    package internal(set) var cameraNumber: UInt32?
    /// The identities that the camera has a pairing record of.
    package internal(set) var owners: [[UInt8]] = []
    /// Puts out `noted` for whatever the camera understands.
    package var narrates = false
    /// When it wants its next `timer`.
    package private(set) var nextDeadline: Instant?

    var random: SeededGenerator
    var eventQueue = EventQueue<CameraTask>()
    var statusDue: Instant?
    var noiseDue: Instant?
    var sequence: UInt16
    var outputs: [CameraOutput] = []
    /// When the controller learned that the camera sleeps; `never` until it is told.
    var sleepTold = Instant.never
    /// It was woken by a broadcast and has had no command since: after a snapshot it sleeps again.
    var isVisiting = false

    /// Between status pushes.
    static let statusInterval = TimeSpan.milliseconds(500)
    /// Between notifications of DJI's other protocol.
    static let noiseInterval = TimeSpan.milliseconds(1700)

    /// - Parameter seed: decides what is lost and late, and where its numbers begin.
    package init(
        address: BluetoothAddress, model: CameraModel, behaviour: Behaviour, seed: UInt64
    ) {
        self.address = address
        name = Self.advertisedName(model: model, address: address)
        self.behaviour = behaviour
        body = CameraBody(model: model)
        random = SeededGenerator(seed: seed ^ address.value)
        sequence = UInt16(truncatingIfNeeded: random.next())
    }

    /// The model of `body`.
    package var model: CameraModel { body.model }

    /// What it advertises after the AD type, the company id in front.
    package var manufacturerData: [UInt8] {
        CameraAdvertisement.manufacturerData(model: model, address: address)
    }

    /// How it is on the air.
    package var advertising: Advertising {
        guard link == nil else { return .off }
        return switch power {
        case .on: .on
        case .asleep: .asleep
        case .off: .off
        }
    }

    /// The handshake is over and the camera obeys.
    @inline(__always) package var isReady: Bool { power == .on && link?.handshake == .over }

    /// What `nextDeadline` has to be in the present state.
    @inline(__always) private var deadline: Instant? {
        var deadline = eventQueue.deadline
        if let statusDue { deadline = min(deadline, statusDue) }
        if let noiseDue { deadline = min(deadline, noiseDue) }
        if body.recordingSince != nil, let full = body.cardFull(rate: behaviour.cardRate) {
            deadline = min(deadline, full)
        }
        return deadline == .never ? nil : deadline
    }

    /// Handles an input.
    ///
    /// - Returns: what the camera does, in order.
    package mutating func handle(_ input: CameraInput, at now: Instant) -> [CameraOutput] {
        catchUp(to: now)
        switch input {
        case .linkUp: linkUp()
        case .mtu(let mtu): link?.mtu = mtu
        case .subscribed: subscribed(at: now)
        case .unsubscribed: unsubscribed()
        case .write(let bytes): write(bytes, at: now)
        case .linkDown: linkDown()
        case .wakeHeard: wakeHeard(at: now)
        case .hand(let hand): touch(hand, at: now)
        case .timer: break
        }
        nextDeadline = deadline
        return removeOutputs()
    }

    /// Handles a push that the caller has decoded already, since one frame goes to many cameras.
    package mutating func receive(_ push: GPSPush, at now: Instant) -> [CameraOutput] {
        catchUp(to: now)
        guard let link, power == .on, link.isNotifying, link.handshake == .over,
            link.mtu >= GATTProfile.minimumMTU
        else {
            write(Frame(push, sequence: 0).encoded, at: now)
            nextDeadline = deadline
            return removeOutputs()
        }
        receivePush(push, at: now)
        return removeOutputs()
    }

    private mutating func removeOutputs() -> [CameraOutput] {
        guard !outputs.isEmpty else { return [] }
        defer { outputs = [] }
        return outputs
    }

    private static func advertisedName(model: CameraModel, address: BluetoothAddress) -> String {
        let prefix =
            switch model {
            case .action4: "OsmoAction4-"
            case .action5Pro: "OsmoAction5Pro-"
            case .action6: "OsmoAction6-"
            case .osmo360: "Osmo360-"
            case .other: "Osmo-"
            }
        return prefix + address.octets.suffix(2).hexadecimal
    }
}

/// The link's life.
extension SimulatedCamera {
    private mutating func linkUp() {
        guard power == .on else { return }
        link = CameraLink()
        outputs.append(.advertise(.off))
    }

    private mutating func linkDown() {
        guard link != nil else { return }
        endLink()
        outputs.append(.advertise(advertising))
    }

    /// Forgets everything that belonged to the link.
    mutating func endLink() {
        link = nil
        eventQueue.removeAll(where: \.needsLink)
        statusDue = nil
        noiseDue = nil
        pushes.interrupt()
    }

    private mutating func subscribed(at now: Instant) {
        guard link != nil, power == .on else { return }
        link?.isNotifying = true
        if behaviour.noisy { noiseDue = now + .milliseconds(150) }
    }

    private mutating func unsubscribed() {
        link?.isNotifying = false
        statusDue = nil
        noiseDue = nil
    }

    /// Does what was due since the last call, each at its own instant.
    private mutating func catchUp(to now: Instant) {
        guard let first = nextDeadline, first <= now else { return }
        while let due = deadline, due <= now {
            if let task = eventQueue.popDue(at: due) {
                perform(task.item, at: task.due)
            } else if let statusDue, statusDue <= due {
                self.statusDue = statusDue + Self.statusInterval
                pushStatus(at: statusDue)
            } else if let noiseDue, noiseDue <= due {
                self.noiseDue = noiseDue + Self.noiseInterval
                makeNoise()
            } else {
                // The card is full.
                setRecording(false, at: due)
            }
        }
        nextDeadline = deadline
    }

    private mutating func perform(_ task: CameraTask, at now: Instant) {
        switch task {
        case .notify(let bytes), .lateStatus(let bytes): notify(bytes)
        case .tellSleep:
            if !behaviour.mute { sleepTold = min(sleepTold, now) }
            notify(statusFrame(at: now).encoded)
        case .decide(let allowed): decide(allowed: allowed)
        case .text: notify(Frame(body.text(isOld: behaviour.old), sequence: nextSequence()).encoded)
        case .record(let on): setRecording(on, at: now)
        case .switchMode(let mode): setMode(mode, at: now)
        case .endExposure(let sleeps):
            body.isExposing = false
            stateChanged(at: now)
            if sleeps { fallAsleep(isTold: false, at: now) }
        case .settleQuickSwitch:
            if let next = body.nextMode { setMode(next, at: now) }
        case .awaken(let byBroadcast): awaken(byBroadcast: byBroadcast)
        case .dropLink: dropLink()
        case .shutDown(let seconds): shutDown(backAfter: seconds.map { .seconds($0) }, at: now)
        }
    }
}
