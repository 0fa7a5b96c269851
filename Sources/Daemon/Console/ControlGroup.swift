import Glibc
import Reactor

/// Who may write to the FIFO and the socket: `[control] group`.
enum ControlGroup {
    /// The group's number; nil without a name, for the process's own.
    static func number(_ name: String?) throws(ConsoleFault) -> gid_t? {
        guard let name else { return nil }
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65536)
        let result = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
        guard result == 0, found != nil else { throw .unknownGroup(name) }
        return entry.gr_gid
    }

    /// Gives what stands at a path to a group; to the process's own for nil.
    static func set(_ group: gid_t?, on path: String) throws(ConsoleFault) {
        guard chown(path, unchanged, group ?? getegid()) == 0 else {
            throw .access(path: path, .last)
        }
    }

    /// What chown takes for "as it is".
    private static let unchanged = uid_t.max
}

/// Which file stands at a path, so that another one there is noticed.
struct FileIdentity: Equatable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// What stands at a path, links not followed; nil for nothing.
    static func at(_ path: String) -> (identity: FileIdentity, status: stat)? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return (FileIdentity(status), status)
    }
}
