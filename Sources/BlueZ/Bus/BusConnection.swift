internal import CDBus
import Clock
import Reactor

/// One libdbus connection on the loop, from its opening to its end.
///
/// libdbus makes two watches on one descriptor and turns the writing one on and off at every
/// message; the loop merges them. Only here are libdbus's callbacks: calls and their deadlines are
/// kept by `Bus`, so libdbus has no timeouts of its own to be served.
final class BusConnection {
    /// Messages handled in one wake; others wait for the next, so that a flood leaves room for
    /// timers.
    static let messagesPerWake = 256

    /// Bytes that may wait for a bus that does not read.
    static let maxBacklog = 1 << 20

    private let pointer: OpaquePointer
    private let loop: EventLoop
    private let receive: (BusMessage, Instant) -> Void
    private var watches: [OpaquePointer: Watch] = [:]
    private var dispatch: Timer?
    private var isClosed = false

    /// - Parameters:
    ///   - pointer: an open private connection, taken over.
    ///   - receive: gets every message, libdbus's own Disconnected signal included.
    init(
        owning pointer: OpaquePointer, on loop: EventLoop,
        receive: @escaping (BusMessage, Instant) -> Void
    ) {
        self.pointer = pointer
        self.loop = loop
        self.receive = receive
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        dispatch = Timer(on: loop) { [unowned self] now in dispatchMessages(at: now) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let isSet = dbus_connection_set_watch_functions(
            pointer,
            { watch, context in BusConnection.from(context).add(watch) },
            { watch, context in BusConnection.from(context).remove(watch) },
            { watch, context in BusConnection.from(context).toggle(watch) },
            context, nil)
        let isFiltered = dbus_connection_add_filter(pointer, Self.filterFunction, context, nil)
        precondition(isSet != 0 && isFiltered != 0, "no memory for a D-Bus connection")
        dbus_connection_set_dispatch_status_function(
            pointer,
            { _, status, context in
                if status != DBUS_DISPATCH_COMPLETE { BusConnection.from(context).wake() }
            }, context, nil)
        wake()
    }

    deinit { close() }

    /// Opens the connection to a bus; blocks until it stands. For a helper thread.
    ///
    /// - Returns: the bits of a `DBusConnection *`, or nil where there is no bus.
    static func open(_ address: String) -> UInt? {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        return dbus_connection_open_private(address, &error).map { UInt(bitPattern: $0) }
    }

    /// Nothing is received after this. What was sent has been written as far as the socket took it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        dispatch = nil
        dbus_connection_set_dispatch_status_function(pointer, nil, nil, nil)
        _ = dbus_connection_set_watch_functions(pointer, nil, nil, nil, nil, nil)
        watches = [:]
        dbus_connection_remove_filter(
            pointer, Self.filterFunction, Unmanaged.passUnretained(self).toOpaque())
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// Sends a message, at once as far as the socket takes it.
    ///
    /// - Returns: its serial.
    @discardableResult
    func send(_ message: BusMessage) -> UInt32 {
        var serial: UInt32 = 0
        let isSent = dbus_connection_send(pointer, message.pointer, &serial)
        precondition(isSent != 0, "no memory to send a D-Bus message")
        return serial
    }

    /// The bus has not read for a while: what is sent now only adds to a heap.
    var isCongested: Bool { dbus_connection_get_outgoing_size(pointer) > Self.maxBacklog }

    /// What the bus calls us, from its answer to Hello.
    func setUniqueName(_ name: String) { dbus_bus_set_unique_name(pointer, name) }
}

/// What libdbus calls.
extension BusConnection {
    private static var filterFunction: DBusHandleMessageFunction {
        { _, message, context in
            guard let message else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
            let connection = BusConnection.from(context)
            connection.receive(BusMessage(sharing: message), connection.loop.now)
            // Nobody else is on this connection: what we do not answer is not answered.
            return DBUS_HANDLER_RESULT_HANDLED
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> BusConnection {
        guard let context else { preconditionFailure("libdbus lost its context") }
        return Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
    }

    private func add(_ watch: OpaquePointer?) -> dbus_bool_t {
        guard let watch else { return 0 }
        do throws(SystemError) {
            watches[watch] = try loop.watch(
                dbus_watch_get_unix_fd(watch), for: Self.interest(of: watch)
            ) { [unowned self] readiness, now in handle(watch, readiness, at: now) }
            return 1
        } catch {
            return 0
        }
    }

    private func remove(_ watch: OpaquePointer?) {
        if let watch { watches.removeValue(forKey: watch)?.cancel() }
    }

    private func toggle(_ watch: OpaquePointer?) {
        if let watch { watches[watch]?.interest = Self.interest(of: watch) }
    }

    private static func interest(of watch: OpaquePointer) -> Interest {
        guard dbus_watch_get_enabled(watch) != 0 else { return [] }
        let flags = dbus_watch_get_flags(watch)
        var interest: Interest = []
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
        return interest
    }

    private func handle(_ watch: OpaquePointer, _ readiness: Readiness, at now: Instant) {
        // A watch that is off hears of a lost peer too; the one that is on deals with it.
        if dbus_watch_get_enabled(watch) != 0 {
            var flags: UInt32 = 0
            if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
            if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
            if readiness.contains(.hangup) { flags |= DBUS_WATCH_HANGUP.rawValue }
            if readiness.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
            dbus_watch_handle(watch, flags)
        }
        dispatchMessages(at: now)
    }

    private func wake() { dispatch?.set(at: loop.now) }

    private func dispatchMessages(at now: Instant) {
        // A receiver may close this connection and drop its last reference.
        withExtendedLifetime(self) {
            for _ in 0..<Self.messagesPerWake where !isClosed {
                switch dbus_connection_dispatch(pointer) {
                case DBUS_DISPATCH_DATA_REMAINS: continue
                case DBUS_DISPATCH_NEED_MEMORY: dispatch?.set(at: now + .milliseconds(10))
                default: dispatch?.cancel()
                }
                return
            }
            if !isClosed { wake() }
        }
    }
}
