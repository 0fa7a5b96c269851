import Glibc
package import Reactor

/// Why the daemon cannot be asked.
package enum ControlFault: Error, Equatable {
    /// No connection to the socket of this path.
    case connect(String, SystemError)
    /// It closed the connection before it had answered.
    case gone
    /// It did not answer in time.
    case silent(seconds: Int)
    /// The system denied us what we need ourselves.
    case system(SystemError)

    private static let start = "systemctl start geotagd"

    /// For stderr, one line.
    package var text: String {
        switch self {
        case .connect(let path, let error) where error.code == ENOENT:
            "geotagd is not there: nothing at \(path): \(Self.start)"
        case .connect(let path, let error) where error.code == ECONNREFUSED:
            "geotagd is not there: nobody listens at \(path): \(Self.start)"
        case .connect(let path, let error) where error.code == EACCES:
            "\(path) may not be used: only root and the group of the socket can give commands"
        case .connect(let path, let error): "\(path): \(error)"
        case .gone: "geotagd went before it had answered"
        case .silent(let seconds): "no answer within \(seconds) s"
        case .system(let error): "\(error)"
        }
    }
}
