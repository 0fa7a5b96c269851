package import Glibc
package import Reactor

/// Small files that are read and written whole: configuration, identity, roster.
package enum StateFile {
    /// Bytes; a larger file is none of ours.
    package static let maxSize = 1 << 20
    /// Copies of damaged files that are kept beside each other.
    package static let maxSetAside = 99

    /// The whole file; nil where there is none.
    package static func read(_ path: String) throws(SystemError) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        if number < 0, errno == ENOENT || errno == ENOTDIR { return nil }
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

    /// Mode of the files: other users of the machine have no business there.
    package static let mode: mode_t = 0o640
    /// Mode of the folder.
    package static let folderMode: mode_t = 0o750

    /// Puts a new content in place at once: after a power cut the old or the new one is there,
    /// never a part.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let draft = try FileDraft(replacing: path, mode: mode)
        try draft.write(bytes)
        try draft.commit(isSynced: true)
    }

    /// Moves a damaged file to a free name beside it; never over another file.
    ///
    /// - Returns: where it is now.
    package static func setAside(_ path: String) throws(SystemError) -> String {
        for count in 1...maxSetAside {
            let name = "\(path).damaged-\(count)"
            // A hard link fails where the name is taken, which a rename would not.
            if link(path, name) == 0 {
                guard unlink(path) == 0 else { throw .last }
                try FileDraft.syncFolder(of: path)
                return name
            }
            guard errno == EEXIST else { throw .last }
        }
        throw SystemError(code: EEXIST)
    }

    /// Makes a folder and those above it, where they are missing.
    package static func makeFolder(_ path: String, mode: mode_t = folderMode) throws(SystemError) {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .last
        }
        try makeFolder(String(path[..<slash]), mode: 0o755)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
    }
}
