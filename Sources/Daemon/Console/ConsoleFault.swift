import Glibc
package import Reactor
package import Service

/// Why commands cannot be taken where the configuration says.
package enum ConsoleFault: Error, Equatable, Sendable {
    /// Another geotagd has it.
    case taken(path: String)
    /// Something that is not ours stands there: another kind of file, or somebody else's.
    case inTheWay(path: String)
    case unknownGroup(String)
    /// The owner or the mode cannot be set.
    case access(path: String, SystemError)
    case open(path: String, SystemError)

    /// For the log and for stderr, one line: what is wrong, and the way out.
    package var text: String {
        switch self {
        case .taken(let path): "\(path): another geotagd runs here; end it first"
        case .inTheWay(let path):
            "\(path): something that geotagd did not make stands there: rm \(path)"
        case .unknownGroup(let name):
            "[control] group: there is no group \(name): groupadd \(name), or name another"
        case .access(let path, let error):
            "\(path): owner or mode cannot be set: \(error)" + Self.groupHint(error)
        case .open(let path, let error): "\(path): \(error)" + Self.wayOut(path, error)
        }
    }

    private static func groupHint(_ error: SystemError) -> String {
        error.isDenial ? "; the daemon's user has to be in the group: usermod -aG GROUP USER" : ""
    }

    private static func wayOut(_ path: String, _ error: SystemError) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let user = UserName.current
        switch error.code {
        case ENOENT: return "; make its folder: install -d -o \(user) \(folder)"
        case EACCES, EPERM: return "; let \(user) write there: chown \(user) \(folder)"
        case ENOTDIR: return "; \(folder) is no folder"
        default: return ""
        }
    }

    /// With which status a start ends that meets it.
    package var exitStatus: ExitStatus {
        switch self {
        case .taken: .unavailable
        case .inTheWay: .cannotCreate
        case .unknownGroup: .configuration
        case .access(_, let error), .open(_, let error):
            error.isDenial ? .noPermission : .cannotCreate
        }
    }
}

/// Who the process runs as, for sentences that name a way out.
enum UserName {
    /// The name of the effective user, or its number.
    static var current: String {
        guard let entry = getpwuid(geteuid()) else { return "\(geteuid())" }
        return String(cString: entry.pointee.pw_name)
    }
}
