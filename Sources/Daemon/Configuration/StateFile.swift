import Glibc
import Reactor

/// Small files that are read and written whole: configuration, identity, roster.
enum StateFile {
    /// Bytes; a larger file is none of ours.
    static let maxSize = 1 << 20
    /// Copies of damaged files that are kept beside each other.
    static let maxSetAside = 99

    /// The whole file; nil where there is none.
    static func read(_ path: String) throws(SystemError) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        if number < 0, errno == ENOENT { return nil }
        guard number >= 0 else { throw .last }
        let file = Descriptor(owning: number)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while bytes.count <= maxSize {
            let count = try file.read(into: &chunk)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        throw SystemError(code: EFBIG)
    }

    /// Puts a new content in place at once: after a power cut the old or the new one is there,
    /// never a part.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) throws(SystemError) {
        let draft = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let number = open(draft, flags, mode)
        guard number >= 0 else { throw .last }
        let file = Descriptor(owning: number)
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try file.write(Array(rest)))
        }
        guard fsync(file.number) == 0, rename(draft, path) == 0 else { throw .last }
        try syncFolder(of: path)
    }

    /// Moves a damaged file to a free name beside it; never over another file.
    ///
    /// - Returns: where it is now.
    static func setAside(_ path: String) throws(SystemError) -> String {
        for count in 1...maxSetAside {
            let name = "\(path).damaged-\(count)"
            // A hard link fails where the name is taken, which a rename would not.
            if link(path, name) == 0 {
                guard unlink(path) == 0 else { throw .last }
                try syncFolder(of: path)
                return name
            }
            guard errno == EEXIST else { throw .last }
        }
        throw SystemError(code: EEXIST)
    }

    /// Makes a folder and those above it, where they are missing.
    static func makeFolder(_ path: String, mode: mode_t) throws(SystemError) {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .last
        }
        try makeFolder(String(path[..<slash]), mode: mode)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
    }

    private static func syncFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last }
        let directory = Descriptor(owning: number)
        // Some file systems cannot sync a folder, and have no need to.
        guard fsync(directory.number) == 0 || errno == EINVAL else { throw .last }
    }
}
