import CLinux
import Glibc
import Reactor
import TrackFormat

/// Repairs a file: writes its good lines to a new file of the same name, and keeps the old one
/// beside it.
enum FileRepair {
    /// Names that are tried for the old file.
    private static let maxNames = 99

    /// The result of a repair.
    enum Outcome: Equatable {
        /// The file was repaired. `old` is where the damaged file is kept; `kept` and `dropped`
        /// count rows.
        case repaired(old: String, kept: Int, dropped: Int)
        /// Nothing in the file could be kept; where it lies now.
        case setAside(at: String)
        /// Another program has rewritten the file, and no row can be read as one of ours.
        case hopeless
        /// Another process, the daemon, is writing the file.
        case inUse

        /// Whether the file is whole now.
        var isWhole: Bool {
            switch self {
            case .repaired, .setAside: true
            case .hopeless, .inUse: false
            }
        }

        /// For a person, a line.
        func text(_ path: String) -> String {
            switch self {
            case .repaired(let old, let kept, let dropped):
                "\(path): repaired, \(kept) rows kept, \(dropped) left out; as it was: \(old)\n"
            case .setAside(let place): "\(path): put aside as \(place)\n"
            case .hopeless: "\(path): left as it is: no row is as geotagd writes it\n"
            case .inUse: "\(path): in use: the daemon writes it\n"
            }
        }
    }

    /// Keeps the good lines, and those that another program has written in another form.
    static func repair(_ path: String) throws(TrackToolFault) -> Outcome {
        let original = try locked(path)
        guard original.isOurs else {
            close(original.descriptor)
            return .inUse
        }
        // The lock is released when the reader closes the file.
        let reader = LineReader(owning: original.descriptor, path: path)
        let draft: FileDraft
        do throws(SystemError) {
            draft = try FileDraft(replacing: path, suffix: ".repair", mode: 0o640)
        } catch { throw .write(path, error.code) }
        let output = TextOutput(draft)
        let (kept, dropped, isRespelt) = try copyGoodLines(of: reader, to: output)
        if isRespelt, kept == 0, dropped > 0 { return .hopeless }
        let old = try keep(path)
        try output.finish(isSynced: true)
        return .repaired(old: old, kept: kept, dropped: dropped)
    }

    /// Renames a file that has no good row.
    static func setAside(_ path: String) throws(TrackToolFault) -> Outcome {
        let original = try locked(path)
        defer { close(original.descriptor) }
        guard original.isOurs else { return .inUse }
        let place = try keep(path)
        unlink(path)
        return .setAside(at: place)
    }

    /// A symbolic link is not followed, since it may lead to anybody's file.
    private static func locked(
        _ path: String
    ) throws(TrackToolFault) -> (descriptor: Int32, isOurs: Bool) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == ELOOP { throw .linkNotRepaired(path) }
        guard descriptor >= 0 else { throw .open(path, errno) }
        return (descriptor, flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    }

    private static func copyGoodLines(
        of reader: LineReader, to output: TextOutput
    ) throws(TrackToolFault) -> (kept: Int, dropped: Int, isRespelt: Bool) {
        guard let header = try reader.next(), let spelling = Respelling(header: header.bytes)
        else { throw .notOurs(reader.path, .other) }
        let isRespelt = !header.bytes.elementsEqual(spelling.header.utf8.dropLast())
        try output.write(spelling.header)
        var judge = LineJudge(spelling.kind)
        var kept = 0
        var dropped = 0
        while let line = try reader.next() {
            if judge.fault(of: line) == nil {
                try output.write(line: line.bytes)
                kept += 1
                continue
            }
            let row = line.isWhole && line.fits ? spelling.row(line.bytes) : []
            if row.isEmpty || judge.fault(ofRow: row) != nil {
                dropped += 1
            } else {
                try output.write(line: row)
                kept += 1
            }
        }
        return (kept, dropped, isRespelt)
    }

    /// Gives the old file a second name.
    private static func keep(_ path: String) throws(TrackToolFault) -> String {
        for number in 0..<maxNames {
            let name = path + ".damaged" + (number == 0 ? "" : "-\(number)")
            if link(path, name) == 0 { return name }
            guard errno == EEXIST else {
                // A memory card's file system has no hard links. There the old file is moved over
                // an empty one, which is created for that, so that no other file is replaced.
                guard errno == EPERM || errno == EOPNOTSUPP else { throw .write(name, errno) }
                let place = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
                if place < 0, errno == EEXIST { continue }
                guard place >= 0 else { throw .write(name, errno) }
                close(place)
                guard rename(path, name) == 0 else { throw .write(name, errno) }
                return name
            }
        }
        throw .write(path + ".damaged", EEXIST)
    }
}
