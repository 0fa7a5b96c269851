import Glibc
import Reactor

/// The right to be the one daemon that serves a bus: an abstract Unix socket named by the bus's id,
/// which ends with its process, however that ends.
///
/// Two daemons on one bus would take each other's cameras, and neither could say why. Abstract names
/// belong to a network namespace: daemons in different ones do not see each other.
final class BusClaim {
    enum Outcome: Equatable {
        case ours
        /// Another process has it; nil where it cannot be seen which.
        case taken(process: Int32?)
    }

    /// Connections that wait to be turned away.
    private static let backlog: Int32 = 16
    /// A bus's id has 32 digits; names have a bound.
    private static let maxIDLength = 64

    private let loop: EventLoop
    private var held: Held?

    private final class Held {
        let id: String
        let descriptor: Descriptor
        var watch: Watch?

        init(id: String, _ descriptor: consuming Descriptor) {
            self.id = id
            self.descriptor = descriptor
        }

        deinit { watch?.cancel() }
    }

    init(on loop: EventLoop) { self.loop = loop }

    /// Claims the bus with that id; a bus that was claimed before is given up for it. Where sockets of
    /// this kind cannot be made at all, nobody is kept away.
    func hold(_ id: String) -> Outcome {
        let id = String(id.prefix(Self.maxIDLength))
        if held?.id == id { return .ours }
        held = nil
        let name = "@geotagd/bus/" + id
        let number = socket(AF_UNIX, UnixSocket.stream, 0)
        guard number >= 0 else { return .ours }
        let descriptor = Descriptor(owning: number)
        guard UnixSocket.withAddress(name, { bind(number, $0, $1) }) == 0 else {
            return errno == EADDRINUSE ? .taken(process: Self.owner(of: name)) : .ours
        }
        guard listen(number, Self.backlog) == 0 else { return .ours }
        let held = Held(id: id, descriptor)
        // Whoever connects only wants to see whose it is.
        held.watch = try? loop.watch(number, for: .readable) { _, _ in
            let client = UnixSocket.accept(number)
            if client >= 0 { _ = Descriptor(owning: client) }
        }
        self.held = held
        return .ours
    }

    /// Gives it up.
    func release() { held = nil }

    private static func owner(of name: String) -> Int32? {
        let number = socket(AF_UNIX, UnixSocket.stream, 0)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        let isConnected = UnixSocket.withAddress(name) { connect(descriptor.number, $0, $1) } == 0
        return isConnected ? UnixSocket.peerProcess(descriptor.number) : nil
    }
}
