import Glibc
import TrackFormat

/// The folders within some folders that hold files of ours.
enum TrackFolders {
    /// Folders that are looked into.
    static let maxFolders = 10_000

    /// The folders that hold such files, and those of the words that are such files themselves.
    ///
    /// - Parameter words: folders and files.
    static func find(_ words: [String]) -> [String] {
        var found: [String] = []
        var left = maxFolders
        for word in words {
            if ClipPaths.isFolder(word) {
                look(into: word, depth: 0, left: &left, found: &found)
            } else if TrackFileName(PathText.name(word)) != nil {
                found.append(word)
            }
        }
        return found
    }

    private static func look(
        into folder: String, depth: Int, left: inout Int, found: inout [String]
    ) {
        guard depth < ClipPaths.maxDepth, left > 0, let stream = opendir(folder) else { return }
        left -= 1
        defer { closedir(stream) }
        var holdsOurs = false
        var inner: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if TrackFileName(name) != nil { holdsOurs = true }
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if !name.hasPrefix("."), inner.count < maxFolders, ClipPaths.isFolder(path) {
                inner.append(path)
            }
        }
        if holdsOurs { found.append(folder) }
        for path in inner.sorted() {
            look(into: path, depth: depth + 1, left: &left, found: &found)
        }
    }
}
