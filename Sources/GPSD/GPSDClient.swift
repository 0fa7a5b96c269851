package import Clock
package import Navigation
package import Reactor

/// gpsd's client on the loop: hands every report to the core, and comes back for ever.
///
/// All devices are watched, and those not wanted are dropped here: gpsd refuses a WATCH for a device
/// that is not plugged in yet. Only the wanted device's reports end its silence.
package final class GPSDClient {
    /// Which gpsd, and which of its receivers.
    package struct Settings: Equatable, Sendable {
        /// A name or an address; a number spares the resolver.
        package var host: String
        /// Its TCP port.
        package var port: Int
        /// The only device to listen to; nil for all.
        package var device: String?

        /// gpsd on this machine, by default.
        package init(host: String = "127.0.0.1", port: Int = 2947, device: String? = nil) {
            self.host = host
            self.port = port
            self.device = device
        }
    }

    /// Runs on the loop's thread.
    package typealias Receive = (_ input: ReceiverInput, _ now: Instant) -> Void
    /// Runs on the loop's thread, once until something else is the trouble or gpsd is back. `device`
    /// is the receiver that speaks where another one is wanted.
    package typealias Complain = (
        _ trouble: ClientTrouble, _ device: String?, _ now: Instant
    ) -> Void

    /// The wanted receiver has been silent for so long before the one that speaks is named.
    var patience = TimeSpan.seconds(5)
    /// More messages than this are left for the next wake: gpsd sends a few hundred a second.
    private static let messagesPerWake = 1000

    private let loop: EventLoop
    private var settings: Settings
    private let receive: Receive
    private let complain: Complain
    private let opener: HelperThread<Result<Connection.Handle, Connection.OpenError>>
    private var timer: Timer?
    /// Goes on reading in the next wake.
    private var resume: Timer?
    private var session: ClientSession
    private var random = SystemRandomNumberGenerator()
    private var link: Link?
    private var lastTrouble: ClientTrouble?
    private var isRunning = false
    /// When the wanted receiver last spoke, or was last changed, or gpsd came.
    private var lastWanted = Instant.zero
    /// The receiver that was named as the one that speaks.
    private var named: String?

    /// A connection and the watch on its descriptor, which has to end first.
    private final class Link {
        let connection: Connection
        var watch: Watch?

        init(_ handle: Connection.Handle) { connection = Connection(handle) }
        deinit { watch?.cancel() }
    }

    /// - Throws: where no thread or descriptor can be had.
    package init(
        on loop: EventLoop, settings: Settings, receive: @escaping Receive,
        complain: @escaping Complain = { _, _, _ in }
    ) throws(SystemError) {
        self.loop = loop
        self.settings = settings
        self.receive = receive
        self.complain = complain
        opener = try HelperThread(on: loop)
        session = ClientSession(at: loop.now)
        timer = Timer(on: loop) { [weak self] now in self?.handle(.wake, at: now) }
        resume = Timer(on: loop) { [weak self] now in self?.drain(at: now) }
    }

    /// Connects as soon as the loop runs.
    package func start() {
        isRunning = true
        session = ClientSession(at: loop.now)
        timer?.set(at: session.nextDeadline)
    }

    /// Closes the connection; nothing is told any more.
    package func stop() {
        isRunning = false
        link = nil
        timer?.cancel()
    }

    /// Hands on the reports of `device` alone from now on; nil for all.
    package func listen(to device: String?) {
        settings.device = device
        lastWanted = loop.now
        named = nil
    }

    private func handle(_ input: ClientSession.Input, at now: Instant) {
        guard isRunning else { return }
        for effect in session.handle(input, at: now, using: &random) { carryOut(effect, at: now) }
        timer?.set(at: session.nextDeadline)
    }

    private func carryOut(_ effect: ClientSession.Effect, at now: Instant) {
        switch effect {
        case .open: open()
        case .watch:
            // A connection that takes no WATCH is over, and reading it will say so.
            _ = link?.connection.watch()
        case .close: link = nil
        case .connected:
            lastTrouble = nil
            lastWanted = now
            named = nil
            receive(.connected, now)
        case .disconnected: receive(.disconnected, now)
        case .trouble(let trouble):
            if trouble != lastTrouble { complain(trouble, nil, now) }
            lastTrouble = trouble
        }
    }

    private func open() {
        let host = settings.host
        let port = String(settings.port)
        opener.run {
            Connection.open(host: host, port: port)
        } then: { [weak self] result, now in
            self?.opened(result, at: now)
        }
    }

    private func opened(
        _ result: Result<Connection.Handle, Connection.OpenError>, at now: Instant
    ) {
        guard case .success(let handle) = result else { return handle(.openFailed, at: now) }
        let link = Link(handle)
        guard isRunning else { return }
        let watch = try? loop.watch(link.connection.descriptor, for: .readable) {
            [weak self] _, now in self?.drain(at: now)
        }
        guard let watch else { return self.handle(.openFailed, at: now) }
        link.watch = watch
        self.link = link
        self.handle(.opened, at: now)
    }

    /// Reads until nothing is left: what stays would be older with each wake.
    private func drain(at now: Instant) {
        guard let link else { return }
        var reports: [Report] = []
        var version = false
        var ended = false
        // What libgps has in its buffer wakes nobody.
        resume?.set(at: now)
        reading: for _ in 0..<GPSDClient.messagesPerWake {
            switch link.connection.read() {
            case .message(let message):
                version = version || message.isVersion
                for report in message.reports {
                    if isWanted(report) { reports.append(report) } else { nameOther(report, now) }
                }
            case .nothingYet:
                resume?.cancel()
                break reading
            case .ended:
                resume?.cancel()
                ended = true
                break reading
            }
        }
        if version { handle(.version, at: now) }
        if reports.contains(where: \.isData) {
            lastWanted = now
            named = nil
            handle(.report, at: now)
        }
        if !reports.isEmpty { receive(.reports(reports), now) }
        if ended { handle(.ended, at: now) }
    }

    /// Says which receiver speaks while the wanted one does not, once.
    private func nameOther(_ report: Report, _ now: Instant) {
        guard case .position(let position) = report, position.device != named,
            now - lastWanted >= patience
        else { return }
        named = position.device
        complain(.otherReceiver, position.device, now)
    }

    private func isWanted(_ report: Report) -> Bool {
        guard let device = settings.device else { return true }
        return switch report {
        case .position(let position): position.device == device
        case .sky(let sky): sky.device == device
        case .device(let path, _): path == device
        }
    }
}

extension Report {
    /// Something that a receiver said, not gpsd about it.
    fileprivate var isData: Bool {
        switch self {
        case .position, .sky: true
        case .device: false
        }
    }
}
