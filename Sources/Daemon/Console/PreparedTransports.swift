import Glibc

/// FIFO and socket as a configuration wants them, ready to be served: all that can fail has been
/// done, and all of it can be taken back.
package final class PreparedTransports {
    /// What becomes of one transport.
    enum Plan<Transport: ControlTransport> {
        case none
        /// It stays, for another group.
        case kept
        case opened(Transport.Opened)
        /// Something that is not ours stands at its path: tried again later (contract 2.3).
        case blocked(path: String, ConsoleFault)
    }

    let group: gid_t?
    private(set) var socket = Plan<ControlSocket>.none
    private(set) var fifo = Plan<CommandFIFO>.none
    /// Takes back what was done, the last first.
    private var reversals: [() -> Void] = []

    /// Makes what a start needs. What is in the way is no reason not to start.
    package convenience init(_ control: Configuration.Control) throws(ConsoleFault) {
        try self.init(control, socket: nil, fifo: nil, mayBeBlocked: true)
    }

    /// - Parameters:
    ///   - socket: the one that is served; it stays where its path stays.
    ///   - fifo: the same of the FIFO.
    ///   - mayBeBlocked: whether something that is in the way is no fault.
    init(
        _ control: Configuration.Control, socket: ControlSocket?, fifo: CommandFIFO?,
        mayBeBlocked: Bool
    ) throws(ConsoleFault) {
        group = try ControlGroup.number(control.group)
        do throws(ConsoleFault) {
            self.socket = try plan(socket, at: control.socket, mayBeBlocked: mayBeBlocked)
            self.fifo = try plan(fifo, at: control.fifo, mayBeBlocked: mayBeBlocked)
        } catch {
            revert()
            throw error
        }
    }

    /// Takes everything back: what was opened is removed, groups are as they were.
    package func revert() {
        for reversal in reversals.reversed() { reversal() }
        reversals = []
    }

    private func plan<Transport: ControlTransport>(
        _ old: Transport?, at path: String?, mayBeBlocked: Bool
    ) throws(ConsoleFault) -> Plan<Transport> {
        guard let path else { return .none }
        if let old, old.path == path {
            let before = old.group
            try old.setGroup(group)
            reversals.append { try? old.setGroup(before) }
            return .kept
        }
        do throws(ConsoleFault) {
            let opened = try Transport.Opened(path: path, group: group)
            reversals.append { opened.remove() }
            return .opened(opened)
        } catch {
            guard case .inTheWay = error, mayBeBlocked else { throw error }
            return .blocked(path: path, error)
        }
    }
}

extension PreparedTransports.Plan {
    /// Serves what was prepared, in place of the transport until now. Cannot fail.
    func carriedOut(on old: Transport?, group: gid_t?, for console: Console) -> Transport? {
        if case .kept = self { return old }
        old?.close()
        switch self {
        case .none, .kept: return nil
        case .opened(let opened):
            let transport = Transport(opened.path, group: group, console: console)
            transport.serve(opened)
            return transport
        case .blocked(let path, let fault):
            let transport = Transport(path, group: group, console: console)
            transport.complain(fault)
            return transport
        }
    }
}
