import Glibc
import Reactor

/// The control socket at its path, bound and listening; not served yet.
final class BoundSocket: OpenedTransport {
    static let mode: mode_t = 0o660
    /// Connections that may wait to be accepted.
    private static let backlog: Int32 = 64

    let path: String
    let descriptor: Descriptor
    let identity: FileIdentity

    /// Binds it, in place of one that an earlier run left. Where that fails nothing stays behind.
    init(path: String, group: gid_t?) throws(ConsoleFault) {
        try Self.makeWay(at: path)
        let number = Glibc.socket(AF_UNIX, UnixSocket.stream, 0)
        guard number >= 0 else { throw .open(path: path, .last) }
        let descriptor = Descriptor(owning: number)
        guard UnixSocket.withAddress(path, { bind(number, $0, $1) }) == 0 else {
            throw .open(path: path, .last)
        }
        do throws(ConsoleFault) {
            // Nobody can connect before `listen`, so nobody slips in under the umask's mode.
            guard chmod(path, Self.mode) == 0 else { throw .access(path: path, .last) }
            try ControlGroup.set(group, on: path)
            guard listen(number, Self.backlog) == 0, let found = FileIdentity.at(path) else {
                throw .open(path: path, .last)
            }
            identity = found.identity
        } catch {
            unlink(path)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// Whether it still stands at its path.
    var isInPlace: Bool { FileIdentity.at(path)?.identity == identity }

    /// Removes it from its path, unless something else stands there now.
    func remove() { if isInPlace { unlink(path) } }

    /// Removes what a run left that ended without order; refuses anything else.
    private static func makeWay(at path: String) throws(ConsoleFault) {
        guard let found = FileIdentity.at(path) else { return }
        guard found.status.st_mode & S_IFMT == S_IFSOCK else { throw .inTheWay(path: path) }
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
}
