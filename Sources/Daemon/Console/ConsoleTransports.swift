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

    /// Makes FIFO and socket as the configuration says.
    package func open(_ control: Configuration.Control) throws(ConsoleFault) {
        let group = try ControlGroup.number(control.group)
        if let path = control.socket {
            socket = try ControlSocket(path: path, group: group, console: self)
        }
        if let path = control.fifo {
            fifo = try CommandFIFO(path: path, group: group, console: self)
        }
    }

    /// Goes where another configuration says: what stays the same stays open, and where something
    /// new cannot be opened the old one stays.
    package func reopen(_ control: Configuration.Control) throws(ConsoleFault) {
        let group = try ControlGroup.number(control.group)
        if let path = control.socket, path == socket?.path {
            try socket?.setGroup(group)
        } else {
            var new: ControlSocket?
            if let path = control.socket {
                new = try ControlSocket(path: path, group: group, console: self)
            }
            socket?.close()
            socket = new
        }
        if let path = control.fifo, path == fifo?.path {
            try fifo?.setGroup(group)
        } else {
            var new: CommandFIFO?
            if let path = control.fifo {
                new = try CommandFIFO(path: path, group: group, console: self)
            }
            fifo?.close()
            fifo = new
        }
    }

    /// Whether stdin is a terminal.
    package static var standardInputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
