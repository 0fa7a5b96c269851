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
        let keepsSocket = control.socket != nil && control.socket == socket?.path
        let keepsFIFO = control.fifo != nil && control.fifo == fifo?.path
        var newSocket: ControlSocket?
        var newFIFO: CommandFIFO?
        let oldGroup = socket?.group
        // All that can fail comes before anything moves, and is taken back where the rest fails.
        do throws(ConsoleFault) {
            if let path = control.socket, !keepsSocket {
                newSocket = try ControlSocket(path: path, group: group, console: self)
            }
            if let path = control.fifo, !keepsFIFO {
                newFIFO = try CommandFIFO(path: path, group: group, console: self)
            }
            if keepsSocket { try socket?.setGroup(group) }
            if keepsFIFO { try fifo?.setGroup(group) }
        } catch {
            newSocket?.close()
            newFIFO?.close()
            if keepsSocket, let oldGroup { try? socket?.setGroup(oldGroup) }
            throw error
        }
        if !keepsSocket {
            socket?.close()
            socket = newSocket
        }
        if !keepsFIFO {
            fifo?.close()
            fifo = newFIFO
        }
    }

    /// Whether stdin is a terminal.
    package static var standardInputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
