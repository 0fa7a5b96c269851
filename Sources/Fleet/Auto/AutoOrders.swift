internal import LineProtocol
internal import OsmoProtocol

/// Orders of the rules that are under way, as commands with tickets of their own.
package struct AutoOrders: Sendable {
    /// Tickets from here on are the rules'; the orderly end has the last 200.
    package static let base = UInt64(1) << 63
    /// Tickets before the first one comes again.
    private static let count = UInt64(1) << 62

    struct Pending: Sendable {
        let ticket: Ticket
        let order: AutoOrder
        let address: BluetoothAddress
    }

    private(set) var pending: [Pending] = []
    private var issued: UInt64 = 0

    /// None is under way.
    package init() {}

    /// Notes an order that goes out now.
    mutating func begin(_ order: AutoOrder, _ address: BluetoothAddress) -> Ticket {
        issued = (issued + 1) % Self.count
        let ticket = Ticket(number: Self.base + issued)
        pending.append(Pending(ticket: ticket, order: order, address: address))
        return ticket
    }

    /// The order of that ticket is over.
    mutating func end(_ ticket: Ticket) -> Pending? {
        guard let index = pending.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return pending.remove(at: index)
    }

    /// Whether a ticket is one of an order that is under way.
    func has(_ ticket: Ticket) -> Bool { pending.contains { $0.ticket == ticket } }
}

extension AutoOrder {
    /// The command that does it.
    var command: FleetCommand {
        switch self {
        case .start: .record(.start)
        case .stop: .record(.stop)
        case .sleep: .sleep
        case .wake: .wake
        case .photo: .photo
        }
    }
}
