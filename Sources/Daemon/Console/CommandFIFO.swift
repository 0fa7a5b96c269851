import Clock
import Glibc
import LineProtocol
import Reactor

/// The FIFO for commands, one client for whoever writes into it (field notes C).
///
/// It is open for reading and writing, so that it has no end when a writer goes. It is made again
/// where somebody unlinked it, and goes with the daemon.
final class CommandFIFO {
    /// What a group member may do: write. One who could read would steal lines.
    static let mode: mode_t = 0o620
    /// How long a line may stay without its end.
    static let patience = TimeSpan.seconds(5)

    let path: String
    private var group: gid_t?
    private unowned let console: Console
    private let replies: FIFOReplies
    private var open: OpenFIFO?
    private var timer: Timer?

    private struct OpenFIFO {
        let client: ConsoleClient
        let identity: FileIdentity
    }

    /// Makes it, or takes over the one that an earlier run left.
    init(path: String, group: gid_t?, console: Console) throws(ConsoleFault) {
        self.path = path
        self.group = group
        self.console = console
        replies = FIFOReplies(log: console.log, on: console.loop)
        timer = Timer(on: console.loop) { [unowned self] _ in dropPartialLine() }
        try start()
    }

    /// Makes it again where it was unlinked or replaced.
    func inspect() {
        if let open, FileIdentity.at(path)?.identity == open.identity { return }
        stop()
        do throws(ConsoleFault) {
            try start()
            console.log.write(.notice, .control, "fifo", [Field("remade", path)])
        } catch {
            console.log.write(.warning, .control, "fifo", [Field("error", error.text)])
        }
    }

    func setGroup(_ group: gid_t?) throws(ConsoleFault) {
        try ControlGroup.set(group, on: path)
        self.group = group
    }

    /// Nothing more to read for now: a line without its end is given its time.
    func idle(_ client: ConsoleClient) {
        guard client === open?.client else { return }
        if !client.hasPartialLine {
            timer?.cancel()
        } else if timer?.deadline == nil {
            timer?.set(at: console.loop.now + Self.patience)
        }
    }

    func close() {
        guard let open else { return }
        stop()
        if FileIdentity.at(path)?.identity == open.identity { unlink(path) }
    }

    private func start() throws(ConsoleFault) {
        if let availability = FileIdentity.at(path) {
            let isOurs =
                availability.status.st_mode & S_IFMT == S_IFIFO
                && availability.status.st_uid == geteuid()
            guard isOurs else { throw .inTheWay(path: path) }
        } else if mkfifo(path, Self.mode) != 0 {
            throw .open(path: path, .last)
        }
        let flags = O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        let number = Glibc.open(path, flags)
        guard number >= 0 else { throw .open(path: path, .last) }
        let descriptor = Descriptor(owning: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw .taken(path: path) }
        // The umask may have taken bits away.
        guard fchmod(number, Self.mode) == 0 else { throw .access(path: path, .last) }
        try ControlGroup.set(group, on: path)
        var status = stat()
        fstat(number, &status)
        let client = ConsoleClient(
            name: "fifo", descriptor: descriptor, input: ConsoleInput(number),
            outlet: .log(replies), ending: .stays)
        open = OpenFIFO(client: client, identity: FileIdentity(status))
        console.add(client)
    }

    private func stop() {
        timer?.cancel()
        if let open { console.remove(open.client) }
        open = nil
    }

    func dropPartialLine() {
        guard let client = open?.client, client.hasPartialLine else { return }
        client.dropPartialLine()
        let fault = ReplyEnd.error(.badCommand, "a line without its end was dropped after 5 s")
        replies.write(fault.text)
    }
}
