import Clock
import LineProtocol
import OsmoProtocol

/// Keeps the commands that people gave, and judges which frames may be sent because of them.
struct CommandLedger: Sendable {
    fileprivate struct Order: Sendable {
        var ticket: Ticket
        var command: FleetCommand
        var at: Instant
        /// How many handshakes each camera had made when the order was given: the order holds for
        /// that link alone.
        var links: [Int]
        /// Frames sent because of the order, counted for each camera.
        var sent: [Int]
    }

    /// The longest time in which a command must be answered completely.
    static let bound = TimeSpan.seconds(150)

    private var orders: [Order] = []
    private var nextTicket: UInt64 = 1

    mutating func give(
        _ command: FleetCommand, at now: Instant, links: [Int]
    ) -> Ticket {
        let ticket = Ticket(number: nextTicket)
        nextTicket += 1
        orders.append(
            Order(
                ticket: ticket, command: command, at: now, links: links,
                sent: Array(repeating: 0, count: links.count)))
        return ticket
    }

    /// Notes that a command was answered to the end.
    mutating func end(_ ticket: Ticket, at now: Instant) -> InvariantViolation? {
        guard let index = orders.firstIndex(where: { $0.ticket == ticket }) else {
            return InvariantViolation(.reply, at: now, "ticket \(ticket.number) ended twice")
        }
        orders.remove(at: index)
        return nil
    }

    func overdue(at now: Instant) -> InvariantViolation? {
        guard let order = orders.first(where: { now - $0.at > Self.bound }) else { return nil }
        return InvariantViolation(.reply, at: now, "\(order.command) has no end")
    }

    /// A frame goes to a camera. Record commands may go out three times, keys once, and both on the
    /// link that stood when they were ordered.
    ///
    /// - Parameter link: the camera's handshakes so far.
    mutating func sending(
        _ opcode: Opcode, to camera: Int, link: Int, at now: Instant
    ) -> InvariantViolation? {
        guard opcode == .key || opcode == .record else { return nil }
        for index in orders.indices where orders[index].allows(opcode, camera, link) {
            orders[index].sent[camera] += 1
            return nil
        }
        return InvariantViolation(.replay, at: now, "\(opcode) to camera \(camera)")
    }

    /// Undoes `sending`: the link did not take the frame.
    mutating func unsend(_ opcode: Opcode, to camera: Int) {
        guard opcode == .key || opcode == .record else { return }
        for index in orders.indices
        where orders[index].isAbout(opcode) && orders[index].sent[camera] > 0 {
            orders[index].sent[camera] -= 1
            return
        }
    }
}

extension CommandLedger.Order {
    fileprivate func isAbout(_ opcode: Opcode) -> Bool {
        switch command {
        case .record: opcode == .record
        case .photo, .key, .snapshot: opcode == .key
        default: false
        }
    }

    fileprivate func allows(_ opcode: Opcode, _ camera: Int, _ link: Int) -> Bool {
        guard isAbout(opcode), sent[camera] < (opcode == .key ? 1 : 3) else { return false }
        // A snapshot wakes the camera first, which brings a new link.
        return links[camera] == link || command == .snapshot
    }
}
