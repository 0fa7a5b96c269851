import Glibc

/// FIFO and socket as a configuration wants them, ready to be served: all that can fail has been
/// done, and all of it can be taken back.
package final class PreparedTransports {
    /// A transport that a change leaves where it is, or that is opened anew.
    enum Plan<Opened> {
        case none
        /// It stays, for another group.
        case kept
        case opened(Opened)
        /// Something that is not ours stands there: tried again later (contract 2.3).
        case blocked(ConsoleFault)
    }

    let control: Configuration.Control
    let group: gid_t?
    private(set) var socket = Plan<BoundSocket>.none
    private(set) var fifo = Plan<OpenFIFO>.none
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
        self.control = control
        group = try ControlGroup.number(control.group)
        do throws(ConsoleFault) {
            if let path = control.socket {
                try plan(socket, at: path, mayBeBlocked: mayBeBlocked)
            }
            if let path = control.fifo { try plan(fifo, at: path, mayBeBlocked: mayBeBlocked) }
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

    private func plan(
        _ old: ControlSocket?, at path: String, mayBeBlocked: Bool
    ) throws(ConsoleFault) {
        if let old, old.path == path {
            let before = old.group
            try old.setGroup(group)
            reversals.append { try? old.setGroup(before) }
            socket = .kept
            return
        }
        do throws(ConsoleFault) {
            let bound = try BoundSocket(path: path, group: group)
            reversals.append { bound.remove() }
            socket = .opened(bound)
        } catch {
            guard case .inTheWay = error, mayBeBlocked else { throw error }
            socket = .blocked(error)
        }
    }

    private func plan(
        _ old: CommandFIFO?, at path: String, mayBeBlocked: Bool
    ) throws(ConsoleFault) {
        if let old, old.path == path {
            let before = old.group
            try old.setGroup(group)
            reversals.append { try? old.setGroup(before) }
            fifo = .kept
            return
        }
        do throws(ConsoleFault) {
            let opened = try OpenFIFO(path: path, group: group)
            reversals.append { opened.remove() }
            fifo = .opened(opened)
        } catch {
            guard case .inTheWay = error, mayBeBlocked else { throw error }
            fifo = .blocked(error)
        }
    }
}
