import Glibc

/// Where commands come from.
extension Console {
    /// Takes commands from stdin and answers on stdout. The end of stdin ends nothing.
    package func openStandardInput() {
        let output = TextOutput(STDOUT_FILENO, on: loop, bound: ControlSocket.unread)
        add(
            ConsoleClient(
                name: "stdin", input: ConsoleInput(STDIN_FILENO), outlet: .lines(output),
                ending: .stays))
    }

    /// What another configuration asks for, opened beside what is served; nothing is served yet.
    package func prepare(
        _ control: Configuration.Control
    ) throws(ConsoleFault) -> PreparedTransports {
        try PreparedTransports(control, socket: socket, fifo: fifo, mayBeBlocked: false)
    }

    /// Serves what was prepared, and closes what is not wanted any more. Cannot fail.
    package func adopt(_ prepared: PreparedTransports) {
        switch prepared.socket {
        case .kept: break
        case .none:
            socket?.close()
            socket = nil
        case .opened(let bound):
            socket?.close()
            socket = ControlSocket(bound.path, group: prepared.group, console: self)
            socket?.serve(bound)
        case .blocked(let fault):
            guard let path = prepared.control.socket else { break }
            socket = ControlSocket(path, group: prepared.group, console: self)
            socket?.complain(fault)
        }
        switch prepared.fifo {
        case .kept: break
        case .none:
            fifo?.close()
            fifo = nil
        case .opened(let opened):
            fifo?.close()
            fifo = CommandFIFO(opened.path, group: prepared.group, console: self)
            fifo?.serve(opened)
        case .blocked(let fault):
            guard let path = prepared.control.fifo else { break }
            fifo = CommandFIFO(path, group: prepared.group, console: self)
            fifo?.complain(fault)
        }
    }

    /// Whether stdin is a terminal.
    package static var standardInputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
