internal import CDBus
package import Clock
package import Reactor

/// The system bus, for as long as the process lives: connected, and connected again when it went.
///
/// Nothing here blocks: the connection is opened on a helper thread, and Hello is a call like any
/// other. Handlers run on the loop's thread and never within a method of this class.
///
/// | state | left by | to |
/// | --- | --- | --- |
/// | closed | `open` | opening |
/// | opening | the socket connects | greeting |
/// | opening | it does not | waiting |
/// | greeting | Hello answered | connected |
/// | greeting | refused, or 10 s of silence | waiting |
/// | connected | Disconnected | waiting |
/// | waiting | the backoff is over | opening |
/// | any | `close` | closed |
package final class Bus {
    /// What `onChange` tells.
    package enum Change: Sendable {
        case connected
        /// Calls that were out have been answered with `disconnected`.
        case disconnected
    }

    /// Called once with the answer of a method call, on the loop.
    package typealias Reply = (Result<BusMessage, BusError>, _ now: Instant) -> Void

    /// Calls that may be out at once. The system bus itself allows 128 of a connection.
    package static let maximumCalls = 120
    private static let firstBackoff = TimeSpan.milliseconds(500)
    private static let maxBackoff = TimeSpan.seconds(10)
    private static let helloTimeout = TimeSpan.seconds(10)

    private enum State {
        case closed
        case opening(HelperThread<UInt?>)
        case greeting(BusConnection)
        case connected(BusConnection)
        case waiting
    }

    private struct Call {
        let deadline: Instant
        let reply: Reply
    }

    /// Tells of the bus coming and going.
    package var onChange: ((Change, Instant) -> Void)?
    /// Gets each signal that a match rule lets through.
    package var onSignal: ((BusMessage, Instant) -> Void)?
    /// Gets each call to us.
    package var onCall: ((BusMessage, Instant) -> Void)?

    /// Messages that came, since the start: whether the bus is being served.
    package private(set) var received = 0

    private let address: String
    private let loop: EventLoop
    private var state = State.closed
    private var rules: [String] = []
    private var calls: [UInt32: Call] = [:]
    /// Answers to calls that were not sent, for the next wake.
    private var refused: [(Instant) -> Void] = []
    private var backoff = Bus.firstBackoff
    private var retry: Timer?
    private var deadline: Timer?

    /// - Parameter address: in D-Bus's own notation, `unix:path=/run/dbus/system_bus_socket`.
    package init(_ address: String, on loop: EventLoop) {
        self.address = address
        self.loop = loop
        retry = Timer(on: loop) { [unowned self] _ in connect() }
        deadline = Timer(on: loop) { [unowned self] now in expireCalls(at: now) }
    }

    /// DBUS_SYSTEM_BUS_ADDRESS, or where the system bus listens without it.
    package static func systemAddress(environment: String?) -> String {
        guard let environment, !environment.isEmpty else {
            return "unix:path=/run/dbus/system_bus_socket"
        }
        return environment
    }

    /// Whether messages can be sent now.
    package var isConnected: Bool {
        if case .connected = state { true } else { false }
    }

    /// Asks the bus for a sign of life, which counts in `received`.
    package func ping() { call(BusMessage(bus: "GetId"), timeout: .seconds(10)) { _, _ in } }

    /// Connects, and keeps connected until `close`. `onChange` tells when.
    package func open() {
        if case .closed = state { connect() }
    }

    /// Leaves the bus for good; what was sent before is written as far as the socket took it. No
    /// call is answered any more.
    package func close() {
        let old = state
        state = .closed
        retry?.cancel()
        deadline?.cancel()
        calls = [:]
        refused = []
        end(old)
    }

    /// Wants to be known by a name.
    ///
    /// - Parameter reply: gets whether this is its owner now.
    package func requestName(_ name: String, reply: @escaping (Bool, Instant) -> Void) {
        let message = BusMessage(bus: "RequestName")
        message.append { writer in
            writer.append(name)
            writer.append(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))
        }
        call(message, timeout: Self.helloTimeout) { result, now in
            guard case .success(let answer) = result else { return reply(false, now) }
            var reader = answer.reader
            let code = reader.uint32().map { Int32(bitPattern: $0) }
            let isOwner =
                code == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
                || code == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER
            reply(isOwner, now)
        }
    }

    /// Wants these signals, now and after each reconnect. Before `open`.
    package func addMatch(_ rule: String) { rules.append(rule) }

    /// Sends a call.
    ///
    /// - Parameters:
    ///   - timeout: after which `reply` gets `timedOut`; a later answer is dropped.
    ///   - reply: runs exactly once unless the bus is closed before, never within this method.
    package func call(_ message: BusMessage, timeout: TimeSpan, reply: @escaping Reply) {
        guard case .connected(let connection) = state else {
            return refuse(.disconnected, reply)
        }
        guard calls.count < Self.maximumCalls, !connection.isCongested else {
            return refuse(.tooManyCalls, reply)
        }
        send(message, over: connection, timeout: timeout, reply: reply)
    }

    /// Sends a signal, a reply or a call that wants none; dropped where there is no bus.
    package func send(_ message: BusMessage) {
        guard case .connected(let connection) = state else { return }
        connection.send(message)
    }

    // MARK: Connecting

    private func connect() {
        let address = address
        do throws(SystemError) {
            // A thread of its own for each try: one that a stopped bus holds up ends with it.
            let helper = try HelperThread<UInt?>(on: loop)
            state = .opening(helper)
            helper.run(
                { BusConnection.open(address) },
                then: { [weak self] bits, now in
                    self?.opened(bits.flatMap { OpaquePointer(bitPattern: $0) }, at: now)
                })
        } catch {
            wait(from: loop.now)
        }
    }

    private func opened(_ pointer: OpaquePointer?, at now: Instant) {
        guard let pointer else { return wait(from: now) }
        let connection = BusConnection(owning: pointer, on: loop) { [unowned self] message, now in
            receive(message, at: now)
        }
        state = .greeting(connection)
        let hello = BusMessage(bus: "Hello")
        send(hello, over: connection, timeout: Self.helloTimeout) { [unowned self] result, now in
            greeted(result, at: now)
        }
    }

    private func greeted(_ result: Result<BusMessage, BusError>, at now: Instant) {
        guard case .greeting(let connection) = state else { return }
        guard case .success(let reply) = result, let name = readName(of: reply) else {
            return lose(connection, at: now)
        }
        connection.setUniqueName(name)
        state = .connected(connection)
        backoff = Self.firstBackoff
        for rule in rules {
            let message = BusMessage(bus: "AddMatch")
            message.append { $0.append(rule) }
            message.wantsReply = false
            connection.send(message)
        }
        onChange?(.connected, now)
    }

    private func readName(of reply: BusMessage) -> String? {
        var reader = reply.reader
        return reader.string()
    }

    private func lose(_ connection: BusConnection, at now: Instant) {
        var wasConnected = false
        if case .connected = state { wasConnected = true }
        end(state)
        wait(from: now)
        failCalls(at: now)
        if wasConnected { onChange?(.disconnected, now) }
    }

    private func wait(from now: Instant) {
        state = .waiting
        retry?.set(at: now + backoff)
        backoff = min(backoff * 2, Self.maxBackoff)
    }

    private func end(_ state: State) {
        switch state {
        case .greeting(let connection), .connected(let connection): connection.close()
        case .closed, .opening, .waiting: break
        }
    }

    // MARK: Messages

    private func send(
        _ message: BusMessage, over connection: BusConnection, timeout: TimeSpan,
        reply: @escaping Reply
    ) {
        let serial = connection.send(message)
        calls[serial] = Call(deadline: loop.now + timeout, reply: reply)
        setDeadline()
    }

    private func receive(_ message: BusMessage, at now: Instant) {
        received &+= 1
        switch message.kind {
        case .reply:
            calls.removeValue(forKey: message.replySerial)?.reply(.success(message), now)
        case .error:
            let failure = message.failure ?? .unexpectedReply
            calls.removeValue(forKey: message.replySerial)?.reply(.failure(failure), now)
        case .signal:
            // libdbus's own word for the end of the connection; nobody else may say it.
            if message.interface == DBusName.local {
                guard message.member == "Disconnected" else { return }
                if case .connected(let connection) = state { return lose(connection, at: now) }
                if case .greeting(let connection) = state { return lose(connection, at: now) }
                return
            }
            onSignal?(message, now)
        case .call: onCall?(message, now)
        case .other: break
        }
    }

    private func refuse(_ error: BusError, _ reply: @escaping Reply) {
        refused.append { now in reply(.failure(error), now) }
        deadline?.set(at: loop.now)
    }

    private func failCalls(at now: Instant) {
        let failed = calls
        calls = [:]
        for call in failed.sorted(by: { $0.key < $1.key }) {
            call.value.reply(.failure(.disconnected), now)
        }
    }

    private func expireCalls(at now: Instant) {
        let refusals = refused
        refused = []
        for refusal in refusals { refusal(now) }
        let due = calls.filter { $0.value.deadline <= now }.map(\.key).sorted()
        for serial in due { calls.removeValue(forKey: serial)?.reply(.failure(.timedOut), now) }
        setDeadline()
    }

    private func setDeadline() {
        let next = refused.isEmpty ? calls.values.map(\.deadline).min() : loop.now
        deadline?.set(at: next)
    }
}

/// The bus's own names.
enum DBusName {
    static let bus = "org.freedesktop.DBus"
    static let local = "org.freedesktop.DBus.Local"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
}

extension BusMessage {
    /// A call to the bus itself.
    convenience init(bus member: String) {
        self.init(
            call: member, of: DBusName.bus, at: "/org/freedesktop/DBus", to: DBusName.bus)
    }
}
