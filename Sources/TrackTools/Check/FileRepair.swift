import CLinux
import Glibc
import TrackFormat

/// Makes a file whole: its good lines in a new file of its name, the old one kept beside it.
enum FileRepair {
    /// Names that are tried for the old file.
    private static let maxNames = 99

    /// What became of it.
    enum Outcome: Equatable {
        /// Where the file is kept as it was.
        case repaired(old: String)
        /// Nothing in it could be kept; where it lies now.
        case setAside(at: String)
        /// Somebody is writing it: the daemon.
        case inUse

        /// For a person, a line.
        func text(_ path: String) -> String {
            switch self {
            case .repaired(let old): "\(path): repaired; as it was: \(old)\n"
            case .setAside(let place): "\(path): put aside as \(place)\n"
            case .inUse: "\(path): in use: the daemon writes it\n"
            }
        }
    }

    static func repair(_ path: String, kind: TrackFileKind) throws(TrackToolFault) -> Outcome {
        let original = try locked(path)
        defer { close(original.descriptor) }
        guard original.isOurs else { return .inUse }
        let temporary = path + ".repair"
        do throws(TrackToolFault) {
            try copyGoodLines(of: path, kind: kind, to: temporary)
            var status = stat()
            if fstat(original.descriptor, &status) == 0 {
                chmod(temporary, status.st_mode & 0o7777)
                // Not ours to give away where we are not root.
                _ = chown(temporary, status.st_uid, status.st_gid)
            }
            let old = try keep(path)
            guard rename(temporary, path) == 0 else { throw .write(path, errno) }
            return .repaired(old: old)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Gives a file without any row another name.
    static func setAside(_ path: String) throws(TrackToolFault) -> Outcome {
        let original = try locked(path)
        defer { close(original.descriptor) }
        guard original.isOurs else { return .inUse }
        let place = try keep(path)
        unlink(path)
        return .setAside(at: place)
    }

    private static func locked(
        _ path: String
    ) throws(TrackToolFault) -> (descriptor: Int32, isOurs: Bool) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .open(path, errno) }
        return (descriptor, flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    }

    private static func copyGoodLines(
        of path: String, kind: TrackFileKind, to temporary: String
    ) throws(TrackToolFault) {
        let output = try TextOutput(temporary)
        try output.write(kind.header)
        try FileCheck.eachLine(of: path, kind: kind) { (line, _, fault) throws(TrackToolFault) in
            if fault == nil { try output.write(line: line.bytes) }
        }
        try output.finish()
    }

    /// A second name for the file as it was.
    private static func keep(_ path: String) throws(TrackToolFault) -> String {
        for number in 0..<maxNames {
            let name = path + ".damaged" + (number == 0 ? "" : "-\(number)")
            if link(path, name) == 0 { return name }
            guard errno == EEXIST else {
                // A memory card's file system has no links: then it is moved.
                guard errno == EPERM || errno == EOPNOTSUPP, access(name, F_OK) != 0,
                    rename(path, name) == 0
                else { throw .write(name, errno) }
                return name
            }
        }
        throw .write(path + ".damaged", EEXIST)
    }
}
