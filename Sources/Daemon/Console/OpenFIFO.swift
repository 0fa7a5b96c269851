import Glibc
import Reactor

/// The FIFO at its path, open and locked for this daemon; not served yet.
final class OpenFIFO: OpenedTransport {
    /// What a group member may do: write. One who could read would steal lines.
    static let mode: mode_t = 0o620

    let path: String
    let descriptor: Descriptor
    let identity: FileIdentity

    /// Makes it, or takes over the one that an earlier run left. Where that fails nothing that was
    /// made stays behind.
    init(path: String, group: gid_t?) throws(ConsoleFault) {
        var isMade = false
        if let found = FileIdentity.at(path) {
            let isOurs =
                found.status.st_mode & S_IFMT == S_IFIFO && found.status.st_uid == geteuid()
            guard isOurs else { throw .inTheWay(path: path) }
        } else {
            guard mkfifo(path, Self.mode) == 0 else { throw .open(path: path, .last) }
            isMade = true
        }
        do throws(ConsoleFault) {
            let flags = O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
            let number = open(path, flags)
            guard number >= 0 else { throw .open(path: path, .last) }
            let descriptor = Descriptor(owning: number)
            guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw .taken(path: path) }
            // The umask may have taken bits away.
            guard fchmod(number, Self.mode) == 0 else { throw .access(path: path, .last) }
            try ControlGroup.set(group, on: path)
            var status = stat()
            fstat(number, &status)
            identity = FileIdentity(status)
            self.descriptor = descriptor
        } catch {
            if isMade { unlink(path) }
            throw error
        }
        self.path = path
    }

    /// Whether it still stands at its path.
    var isInPlace: Bool { FileIdentity.at(path)?.identity == identity }

    /// Removes it from its path, unless something else stands there now.
    func remove() { if isInPlace { unlink(path) } }
}
