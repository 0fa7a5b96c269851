package import Clock
import OsmoProtocol
package import RadioPort
package import Reactor

/// BlueZ as the fleet's radio: `RadioRequest`s in, `RadioEvent`s out, bluetoothd in between.
///
/// It decides nothing: which camera is connected when, and what is done about failures, is up to
/// its user. It survives bluetoothd and the bus itself coming and going: `available` tells.
/// Events never come within a request, but once the loop's handlers at hand are done.
package final class BlueZRadio {
    /// Hears what happens on the radio, on the loop.
    package typealias Handler = (RadioEvent, _ now: Instant) -> Void

    /// Whether bluetoothd is there.
    enum Service {
        /// No bus, or nobody owns org.bluez.
        case absent
        /// GetManagedObjects is out.
        case loading
        /// Its connection's unique name.
        case present(owner: String)
    }

    /// What concerns one adapter beyond its properties, from its appearance to its going: an answer
    /// that comes later than that finds another one, or none, and counts for nothing.
    final class AdapterControl {
        /// StopDiscovery calls that are out, or owed: Connect waits for them.
        var stops = 0
        /// StartDiscovery calls that are out.
        var starts = 0
        /// StopDiscovery is to be sent once they are answered.
        var owesStop = false
        /// rfkill refused to let it be turned on.
        var isBlocked = false
        /// Our own scan is on, to be ended when we leave.
        var isScanning = false
    }

    /// WriteValue failures in a row that make a link unusable.
    static let maxWriteFailures = 5

    let loop: EventLoop
    let timing: BlueZTiming
    let bus: Bus
    private let handler: Handler
    var service = Service.absent
    /// Counts losses of bluetoothd: answers to calls of an earlier life are dropped.
    var life = 0
    var tree = ObjectTree()
    var links: [LinkID: Link] = [:]
    /// Links by the path of what notifies.
    var notifiers: [String: Link] = [:]
    /// By the adapter's path.
    var controls: [String: AdapterControl] = [:]
    /// When each camera was last reported, and whether as one that is connected.
    var sighted: [LinkID: (instant: Instant, connected: Bool)] = [:]
    /// bluetoothd knows our agent in this life.
    var isAgentKnown = false
    private var isAvailable: Bool?
    private var events: [RadioEvent] = []
    private var delivery: Timer?
    var activation: Timer?
    /// Ours alone is this bus's Bluetooth; nil where nobody has to be kept from it.
    let claim: BusClaim?
    /// When `start` was called.
    var started = Instant.never
    /// It is known, and reported, that another daemon has it.
    var isTaken = false
    /// A bus was ours once: what is taken from then on was not so at the start.
    var hasServed = false
    /// Gets who has this bus's Bluetooth where it is not us, once until it is, and whether that was so
    /// from the start. It is tried again every `timing.claim`.
    package var onTaken: ((_ process: Int32?, _ isFromStart: Bool) -> Void)?

    /// - Parameters:
    ///   - address: of the bus, as D-Bus writes it.
    ///   - isExclusive: one daemon serves a bus; what others have is not touched.
    ///   - handler: capture its owner `unowned` or `weak`.
    package init(
        bus address: String, on loop: EventLoop, timing: BlueZTiming = BlueZTiming(),
        isExclusive: Bool = false, handler: @escaping Handler
    ) {
        self.loop = loop
        self.timing = timing
        self.handler = handler
        claim = isExclusive ? BusClaim(on: loop) : nil
        bus = Bus(address, on: loop)
        bus.addMatch("type='signal',sender='\(BlueZName.service)'")
        bus.addMatch(
            "type='signal',sender='\(DBusName.bus)',member='NameOwnerChanged',"
                + "arg0='\(BlueZName.service)'")
        bus.onChange = { [unowned self] change, now in busChanged(change, at: now) }
        bus.onSignal = { [unowned self] signal, now in handle(signal, at: now) }
        bus.onCall = { [unowned self] call, _ in answer(call) }
        delivery = Timer(on: loop) { [unowned self] now in deliver(at: now) }
        activation = Timer(on: loop) { [unowned self] now in serve(at: now) }
    }

    /// Does one request; what comes of it comes as events, never within the call.
    package func perform(_ request: RadioRequest) {
        switch request {
        case .powerOn(let adapter): powerOn(adapter)
        case .powerOff(let adapter): powerOff(adapter)
        case .startDiscovery(let adapter): startDiscovery(adapter)
        case .stopDiscovery(let adapter): stopDiscovery(adapter)
        case .connect(let link): connect(link)
        case .disconnect(let link): disconnect(link)
        case .trust(let link): trust(link)
        case .remove(let link): remove(link)
        case .write(let link, let frame): write(frame, to: [link])
        case .wake(let link):
            post(.wakeEnded(link, .unsupported("this build cannot broadcast over Bluetooth")))
        }
    }

    /// One frame to many links, in one pass; `frameDropped` follows for each that did not take it.
    package func write(_ frame: [UInt8], to links: [LinkID]) {
        for link in links where !write(frame, to: link) {
            post(.frameDropped(link, frame: frame))
        }
    }

    /// Connects to the bus, and goes on trying for as long as it takes.
    package func start() {
        started = loop.now
        bus.open()
    }

    /// Whether the bus is there; without it the radio waits for it by itself.
    package var isBusConnected: Bool { bus.isConnected }

    /// Messages that came over the bus since the start.
    package var busMessages: Int { bus.received }

    /// Asks the bus for an answer, which counts as such a message.
    package func pingBus() { if bus.isConnected { bus.ping() } }

    /// Ends what is ours, without waiting for answers: links, Connects, scans. Other programs'
    /// links stay. No event comes after this.
    package func close() {
        for link in links.values.sorted(by: { $0.path < $1.path }) {
            if case .queued = link.stage { continue }
            sendUnanswered(BlueZName.device, "Disconnect", at: link.path)
        }
        for (path, control) in controls where control.isScanning {
            sendUnanswered(BlueZName.adapter, "StopDiscovery", at: path)
        }
        dropAll()
        events = []
        delivery?.cancel()
        activation?.cancel()
        bus.close()
        claim?.release()
    }

    // MARK: Events

    func post(_ event: RadioEvent) {
        events.append(event)
        delivery?.set(at: loop.now)
    }

    func setAvailable(_ value: Bool) {
        guard isAvailable != value else { return }
        isAvailable = value
        post(.available(value))
    }

    private func deliver(at now: Instant) {
        // Requests made by the handler may post more: those come in the next wake.
        let batch = events
        events = []
        for event in batch { handler(event, now) }
    }

    /// Forgets everything of this life of bluetoothd.
    func dropAll() {
        life += 1
        service = .absent
        isAgentKnown = false
        tree = ObjectTree()
        links = [:]
        notifiers = [:]
        controls = [:]
        sighted = [:]
    }

    // MARK: Calls

    /// Calls bluetoothd. The answer is dropped if bluetoothd went meanwhile.
    ///
    /// - Parameter timeout: `timing.call` where it is nil.
    func call(
        _ interface: String, _ member: String, at path: String, timeout: TimeSpan? = nil,
        arguments: (inout MessageWriter) -> Void = { _ in }, reply: @escaping Bus.Reply
    ) {
        let message = BusMessage(call: member, of: interface, at: path, to: BlueZName.service)
        message.mayStartService = false
        message.append(arguments)
        let life = life
        bus.call(message, timeout: timeout ?? timing.call) { [unowned self] result, now in
            if life == self.life { reply(result, now) }
        }
    }

    /// Sets a property.
    func set(
        _ property: String, of interface: String, at path: String, to value: Bool,
        reply: @escaping Bus.Reply
    ) {
        call(
            DBusName.properties, "Set", at: path,
            arguments: { writer in
                writer.append(interface)
                writer.append(property)
                writer.variant("b") { $0.append(value) }
            }, reply: reply)
    }

    private func sendUnanswered(_ interface: String, _ member: String, at path: String) {
        let message = BusMessage(call: member, of: interface, at: path, to: BlueZName.service)
        message.mayStartService = false
        message.wantsReply = false
        bus.send(message)
    }
}
