import Clock
import Glibc
import LineProtocol
import Reactor

/// The control socket: many clients at once, each bounded in what it may leave unread.
///
/// Where it is unlinked, or something else stands in its place, it is tried again at each
/// inspection; nothing that is not ours is removed.
final class ControlSocket: ControlTransport {
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
    /// nil while it cannot be had.
    private var bound: BoundSocket?
    private var watch: Watch?
    private var complaint: ConsoleFault?
    private var clients: Set<ObjectIdentifier> = []
    private var resume: Timer?

    init(_ path: String, group: gid_t?, console: Console) {
        self.path = path
        self.group = group
        self.console = console
        resume = Timer(on: console.loop) { [unowned self] _ in watch?.interest = .readable }
    }

    /// Accepts connections from now on.
    func serve(_ bound: BoundSocket) {
        let number = bound.descriptor.number
        do throws(SystemError) {
            watch = try console.loop.watch(number, for: .readable) { [unowned self] _, _ in
                accept(from: number)
            }
            self.bound = bound
            complaint = nil
        } catch {
            bound.remove()
            complain(.open(path: path, error))
        }
    }

    /// Binds it again where it was unlinked. Those who are connected stay.
    func inspect() {
        if let bound, bound.isInPlace { return }
        stop()
        do throws(ConsoleFault) {
            serve(try BoundSocket(path: path, group: group))
            if bound != nil {
                console.log.write(.notice, .control, "socket", [Field("remade", path)])
            }
        } catch { complain(error) }
    }

    /// Says why it cannot be had, once for each reason.
    func complain(_ fault: ConsoleFault) {
        guard complaint != fault else { return }
        complaint = fault
        console.log.write(.error, .control, "socket", [Field("error", fault.text)])
    }

    /// Gives the socket to another group; to the process's own one where it is nil.
    func setGroup(_ group: gid_t?) throws(ConsoleFault) {
        if let bound, bound.isInPlace { try ControlGroup.set(group, on: path) }
        self.group = group
    }

    func clientLeft(_ client: ConsoleClient) { clients.remove(ObjectIdentifier(client)) }

    func close() {
        let bound = bound
        stop()
        bound?.remove()
    }

    private func stop() {
        resume?.cancel()
        watch?.cancel()
        watch = nil
        bound = nil
    }

    private func accept(from number: Int32) {
        for _ in 0..<Self.maxAccepted {
            let client = UnixSocket.accept(number)
            guard client >= 0 else {
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                    // It would be reported again at once, for as long as there is none.
                    watch?.interest = []
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
