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
        socket = prepared.socket.carriedOut(on: socket, group: prepared.group, for: self)
        fifo = prepared.fifo.carriedOut(on: fifo, group: prepared.group, for: self)
    }

    /// Whether stdin is a terminal.
    package static var standardInputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
