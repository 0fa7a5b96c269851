import CLinux
import Footage
import Glibc

/// The clips that the words of a command line name.
struct ClipPaths {
    /// How deep folders are searched: cards have `DCIM/DJI_001`.
    static let maxDepth = 6
    /// Clips of one call at most.
    static let maxClips = 20_000

    private(set) var paths: [String] = []
    /// Folders that could not be read or held no clip, with the reason.
    private(set) var problems: [(path: String, words: String)] = []

    /// - Parameter words: files of any name, and folders, which stand for all clips in them.
    init(_ words: [String]) {
        for word in words {
            guard Self.isFolder(word) else {
                paths.append(word)
                continue
            }
            let before = paths.count
            look(into: word, depth: 0)
            if paths.count == before { problems.append((word, "no clip is in this folder")) }
        }
        paths = Array(paths.prefix(Self.maxClips))
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a file is a clip, by the end of its name alone.
    static func isClip(_ name: String) -> Bool {
        let ending = name.lowercased().split(separator: ".").last ?? ""
        return ["mp4", "mov", "lrf", "osv"].contains(ending) && !name.hasPrefix(".")
    }

    private mutating func look(into folder: String, depth: Int) {
        guard depth < Self.maxDepth, let stream = opendir(folder) else {
            problems.append((folder, String(cString: strerror(errno))))
            return
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix("."), names.count < Self.maxClips { names.append(name) }
        }
        names.sort()
        let stems = Set(names.filter(Self.isClip).compactMap(Self.stem))
        for name in names {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if Self.isFolder(path) {
                look(into: path, depth: depth + 1)
            } else if Self.isClip(name), !(Self.stem(name) == nil && stems.contains(bare(name))) {
                paths.append(path)
            }
        }
    }

    /// The name without its ending; nil for the small copy that lies beside a clip.
    private static func stem(_ name: String) -> String? {
        name.lowercased().hasSuffix(".lrf") ? nil : String(name.dropLast(4)).lowercased()
    }

    private func bare(_ name: String) -> String { String(name.dropLast(4)).lowercased() }
}
