import Clock
import Glibc
import LineProtocol
import Reactor

/// The FIFO for commands, one client for whoever writes into it (field notes C).
///
/// It is open for reading and writing, so that it has no end when a writer goes. Where it is
/// unlinked, or something else stands in its place, it is tried again at each inspection; nothing
/// that is not ours is removed. It goes with the daemon.
final class CommandFIFO: ControlTransport {
    /// How long a line may stay without its end.
    static let patience = TimeSpan.seconds(5)

    let path: String
    private(set) var group: gid_t?
    private unowned let console: Console
    private let replies: FIFOReplies
    /// nil while it cannot be had.
    private var opened: OpenFIFO?
    private var client: ConsoleClient?
    private var complaint: ConsoleFault?
    private var timer: Timer?

    init(_ path: String, group: gid_t?, console: Console) {
        self.path = path
        self.group = group
        self.console = console
        replies = FIFOReplies(log: console.log, on: console.loop)
        timer = Timer(on: console.loop) { [unowned self] _ in dropPartialLine() }
    }

    /// Takes commands from now on.
    func serve(_ opened: OpenFIFO) {
        let client = ConsoleClient(
            name: "fifo", input: ConsoleInput(opened.descriptor.number), outlet: .log(replies),
            ending: .stays)
        self.opened = opened
        self.client = client
        complaint = nil
        console.add(client)
    }

    /// Makes it again where it was unlinked or replaced.
    func inspect() {
        if let opened, opened.isInPlace { return }
        stop()
        do throws(ConsoleFault) {
            serve(try OpenFIFO(path: path, group: group))
            console.log.write(.notice, .control, "fifo", [Field("remade", path)])
        } catch { complain(error) }
    }

    /// Says why it cannot be had, once for each reason.
    func complain(_ fault: ConsoleFault) {
        guard complaint != fault else { return }
        complaint = fault
        console.log.write(.error, .control, "fifo", [Field("error", fault.text)])
    }

    /// Gives it to another group; the process's own for nil.
    func setGroup(_ group: gid_t?) throws(ConsoleFault) {
        if let opened, opened.isInPlace { try ControlGroup.set(group, on: path) }
        self.group = group
    }

    /// Nothing more to read for now: a line without its end is given its time.
    func idle(_ client: ConsoleClient) {
        guard client === self.client else { return }
        if !client.hasPartialLine {
            timer?.cancel()
        } else if timer?.deadline == nil {
            timer?.set(at: console.loop.now + Self.patience)
        }
    }

    func close() {
        let opened = opened
        stop()
        opened?.remove()
    }

    private func stop() {
        timer?.cancel()
        if let client { console.remove(client) }
        client = nil
        opened = nil
    }

    func dropPartialLine() {
        guard let client, client.hasPartialLine else { return }
        client.dropPartialLine()
        let fault = ReplyEnd.error(.badCommand, "a line without its end was dropped after 5 s")
        replies.write(fault.text)
    }
}
