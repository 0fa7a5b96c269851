package import Reactor
package import Service

/// What went wrong with a file of the state directory.
package enum StateFault: Error, Equatable, Sendable {
    case folder(path: String, SystemError)
    case read(path: String, SystemError)
    case write(path: String, SystemError)
    case setAside(path: String, SystemError)

    /// For the log, one line.
    package var text: String {
        switch self {
        case .folder(let path, let error):
            "\(path): cannot be made: \(error); make it: "
                + "install -d -o \(UserName.current) \(path)"
        case .read(let path, let error): "\(path): cannot be read: \(error)"
        case .write(let path, let error):
            "\(path): cannot be written: \(error)"
                + (error.isDenial ? "; let \(UserName.current) write to its folder" : "")
        case .setAside(let path, let error):
            "\(path): is damaged and cannot be set aside: \(error)"
        }
    }

    /// For faults that end the daemon at its start.
    package var exitStatus: ExitStatus {
        switch self {
        case .folder(_, let error), .read(_, let error), .write(_, let error),
            .setAside(_, let error):
            error.isDenial ? .noPermission : .cannotCreate
        }
    }
}

/// A file that could not be understood in whole, and where it was put.
package struct DamagedFile: Equatable, Sendable {
    /// The file or folder.
    package var path: String
    /// `path` itself where it could not be moved.
    package var keptAs: String
    /// What is wrong in it, line by line.
    package var faults: [ConfigurationFault]

    /// For the log: one line for the file, one for each fault.
    package var lines: [String] {
        let place = keptAs == path ? "left as it is" : "kept as \(keptAs)"
        return ["\(path): damaged, \(place)"] + faults.map { $0.text(file: path) }
    }
}

extension StateFile {
    /// Moves a damaged file aside, with the fault that the log names.
    static func setAsideDamaged(_ path: String) throws(StateFault) -> String {
        do throws(SystemError) { return try setAside(path) } catch {
            throw .setAside(path: path, error)
        }
    }
}
