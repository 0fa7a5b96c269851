import Clock
import Glibc
import LineProtocol
import Reactor

/// The control socket: many clients at once, each bounded in what it may leave unread.
final class ControlSocket {
    static let mode: mode_t = 0o660
    /// Connected at once; a further one is told so and dropped.
    static let maxClients = 256
    /// Connections accepted in one wake.
    static let maxAccepted = 16
    /// Bytes of answers and events that a client may leave unread.
    static let unread = 128 * 1024
    /// Before connections are accepted again after descriptors ran out.
    static let relief = TimeSpan.seconds(1)

    let path: String
    private(set) var group: gid_t?
    private unowned let console: Console
    private var listener: Listener?
    private var clients: Set<ObjectIdentifier> = []
    private var resume: Timer?

    /// Its descriptor, and the file that it is bound to.
    private final class Listener {
        let descriptor: Descriptor
        let identity: FileIdentity
        var watch: Watch?

        init(_ descriptor: consuming Descriptor, identity: FileIdentity) {
            self.descriptor = descriptor
            self.identity = identity
        }
    }

    /// Binds it, in place of one that an earlier run left.
    init(path: String, group: gid_t?, console: Console) throws(ConsoleFault) {
        self.path = path
        self.group = group
        self.console = console
        resume = Timer(on: console.loop) { [unowned self] _ in
            listener?.watch?.interest = .readable
        }
        try start()
    }

    /// Binds it again where it was unlinked. Those who are connected stay.
    func inspect() {
        let availability = FileIdentity.at(path)
        if let listener, availability?.identity == listener.identity { return }
        stop()
        do throws(ConsoleFault) {
            try start()
            console.log.write(.notice, .control, "socket", [Field("remade", path)])
        } catch {
            console.log.write(.warning, .control, "socket", [Field("error", error.text)])
        }
    }

    func setGroup(_ group: gid_t?) throws(ConsoleFault) {
        try ControlGroup.set(group, on: path)
        self.group = group
    }

    func clientLeft(_ client: ConsoleClient) { clients.remove(ObjectIdentifier(client)) }

    func close() {
        guard let listener else { return }
        stop()
        if FileIdentity.at(path)?.identity == listener.identity { unlink(path) }
    }

    private func start() throws(ConsoleFault) {
        try makeWay()
        let number = Glibc.socket(AF_UNIX, UnixSocket.stream, 0)
        guard number >= 0 else { throw .open(path: path, .last) }
        let descriptor = Descriptor(owning: number)
        guard UnixSocket.withAddress(path, { bind(number, $0, $1) }) == 0 else {
            throw .open(path: path, .last)
        }
        // Nobody can connect before `listen`, so nobody slips in under the umask's mode.
        guard chmod(path, Self.mode) == 0 else { throw .access(path: path, .last) }
        try ControlGroup.set(group, on: path)
        guard listen(number, 64) == 0, let availability = FileIdentity.at(path) else {
            throw .open(path: path, .last)
        }
        let listener = Listener(descriptor, identity: availability.identity)
        do throws(SystemError) {
            listener.watch = try console.loop.watch(number, for: .readable) { [unowned self] _, _ in
                accept(from: number)
            }
        } catch { throw .open(path: path, error) }
        self.listener = listener
    }

    private func stop() {
        resume?.cancel()
        listener?.watch?.cancel()
        listener = nil
    }

    /// Removes what a run left that ended without order; refuses anything else.
    private func makeWay() throws(ConsoleFault) {
        guard let availability = FileIdentity.at(path) else { return }
        guard availability.status.st_mode & S_IFMT == S_IFSOCK else { throw .inTheWay(path: path) }
        let number = Glibc.socket(AF_UNIX, UnixSocket.stream, 0)
        guard number >= 0 else { throw .open(path: path, .last) }
        let probe = Descriptor(owning: number)
        if UnixSocket.withAddress(path, { connect(probe.number, $0, $1) }) == 0 {
            throw .taken(path: path)
        }
        switch errno {
        case ECONNREFUSED:
            guard unlink(path) == 0 else { throw .open(path: path, .last) }
        // Its queue is full: somebody is there.
        case EAGAIN: throw .taken(path: path)
        default: throw .open(path: path, .last)
        }
    }

    private func accept(from number: Int32) {
        for _ in 0..<Self.maxAccepted {
            let client = UnixSocket.accept(number)
            guard client >= 0 else {
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                    // It would be reported again at once, for as long as there is none.
                    listener?.watch?.interest = []
                    resume?.set(at: console.loop.now + Self.relief)
                    console.log.write(
                        .warning, .control, "socket",
                        [Field("error", SystemError.last.description)])
                }
                return
            }
            admit(Descriptor(owning: client))
        }
    }

    private func admit(_ descriptor: consuming Descriptor) {
        let number = descriptor.number
        let output = TextOutput(number, on: console.loop, bound: Self.unread)
        guard clients.count < Self.maxClients else {
            let end = ReplyEnd.error(.busy, "\(Self.maxClients) clients are connected already")
            output.send(Array((end.text + "\n").utf8))
            return
        }
        let client = ConsoleClient(
            name: UnixSocket.peer(number), descriptor: descriptor, input: ConsoleInput(number),
            outlet: .lines(output), ending: .leaves)
        clients.insert(ObjectIdentifier(client))
        console.add(client)
    }
}
