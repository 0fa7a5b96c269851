import Glibc
package import Reactor

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

    /// For the log and for stderr, one line.
    package var text: String {
        switch self {
        case .taken(let path): "\(path): another geotagd runs here; end it first"
        case .inTheWay(let path): "\(path): something that geotagd did not make; remove it"
        case .unknownGroup(let name): "[control] group: there is no group \(name)"
        case .access(let path, let error): "\(path): owner or mode cannot be set: \(error)"
        case .open(let path, let error): "\(path): \(error)"
        }
    }

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

extension SystemError {
    /// We may not.
    var isDenial: Bool { [EACCES, EPERM, EROFS].contains(code) }
}
