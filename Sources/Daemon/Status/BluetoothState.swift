import Clock
import Fleet
import LineProtocol

/// Whether Bluetooth can be used, and what is missing: the line `bluetooth` of `status`.
package enum BluetoothState: Equatable, Sendable {
    case ok
    /// There is no system bus.
    case noBus
    /// Nobody serves org.bluez on the bus.
    case noService
    case noAdapter
    /// There are adapters, all of them turned off; blocked where rfkill holds one.
    case off(isBlocked: Bool)
    /// There are adapters, none of them among the configured ones.
    case notConfigured

    /// Whether cameras can be reached.
    package var isOK: Bool { self == .ok }

    /// The word of `state=`.
    package var word: String {
        switch self {
        case .ok: "ok"
        case .noBus: "no-bus"
        case .noService: "no-bluetoothd"
        case .noAdapter, .notConfigured: "no-adapter"
        case .off: "off"
        }
    }

    /// What is missing, and the way out; nil where nothing is.
    package var reason: String? {
        switch self {
        case .ok: nil
        case .noBus: "there is no system bus: systemctl start dbus"
        case .noService: "bluetoothd is not on the bus: systemctl start bluetooth"
        case .noAdapter: "no Bluetooth adapter: plug one in, or look at hciconfig -a and dmesg"
        case .notConfigured: "no adapter that [fleet] adapters names is there"
        case .off(isBlocked: true): "the adapter is blocked: rfkill unblock bluetooth"
        case .off(isBlocked: false): "the adapter is turned off: bluetoothctl power on"
        }
    }

    /// For events and the log.
    var fields: [Field] { [Field("state", word)] + (reason.map { [Field("reason", $0)] } ?? []) }
}

/// Follows the state of Bluetooth: a lack is news once it has lasted, so that any order at boot is
/// silent, and its end is news where the lack was.
struct BluetoothWatch: Sendable {
    /// How long a lack lasts before it is news.
    static let patience = TimeSpan.seconds(3)
    /// Between two looks at the bus, whose coming and going is no event of the radio.
    static let interval = TimeSpan.seconds(1)

    /// bluetoothd answered.
    var isServiceThere = false
    /// Since when there has been some lack; nil while there is none.
    private var since: Instant?
    /// What was news last; ok before anything was wrong.
    private var announced = BluetoothState.ok

    /// The state as it follows from bus, service and adapters.
    func state(isBusConnected: Bool, adapters: [AdapterSummary]) -> BluetoothState {
        guard isBusConnected else { return .noBus }
        guard isServiceThere else { return .noService }
        guard !adapters.isEmpty else { return .noAdapter }
        let allowed = adapters.filter(\.allowed)
        guard !allowed.isEmpty else { return .notConfigured }
        if allowed.contains(where: \.powered) { return .ok }
        return .off(isBlocked: allowed.contains(where: \.blocked))
    }

    /// Takes over the state of now.
    ///
    /// - Returns: the state, where it is news.
    mutating func update(_ state: BluetoothState, at now: Instant) -> BluetoothState? {
        // A lack that turns into another one has lasted from the first on.
        since = state.isOK ? nil : since ?? now
        guard state != announced else { return nil }
        if let since, now - since < Self.patience { return nil }
        announced = state
        return state
    }
}
