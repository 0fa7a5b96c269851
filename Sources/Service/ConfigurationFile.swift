package import Reactor

/// Reads the bytes of a configuration file.
package enum ConfigurationFile {
    /// The whole file; nil where there is none and that means nothing configured.
    package static func read(
        _ path: String, mayBeMissing: Bool
    ) throws(ConfigurationFileFault) -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try StateFile.read(path) } catch {
            throw .unreadable(path: path, error)
        }
        guard bytes != nil || mayBeMissing else { throw .missing(path: path) }
        return bytes
    }
}

/// Why a configuration file cannot be used.
package enum ConfigurationFileFault: Error, Equatable, Sendable {
    case missing(path: String)
    case unreadable(path: String, SystemError)
    case wrong(path: String, [ConfigurationFault])

    /// For stderr or the log, one line a fault.
    package var lines: [String] {
        switch self {
        case .missing(let path): ["\(path): there is no such file"]
        case .unreadable(let path, let error): ["\(path): cannot be read: \(error)"]
        case .wrong(let path, let faults): faults.map { $0.text(file: path) }
        }
    }

    /// With which status a start ends that cannot read its file.
    package var exitStatus: ExitStatus {
        switch self {
        case .missing: .noInput
        case .unreadable(_, let error): error.isDenial ? .noPermission : .noInput
        case .wrong: .configuration
        }
    }
}
