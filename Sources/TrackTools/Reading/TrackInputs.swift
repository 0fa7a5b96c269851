import CLinux
import Glibc
import TrackFormat

/// The files of a command: tracks in the order of time, and the events files beside them.
struct TrackInputs {
    /// Paths of the tracks; those that came through a pipe have the paths of their copies.
    private(set) var tracks: [String] = []
    private(set) var events: [String] = []
    private(set) var pushes: [String] = []
    /// Files in a folder that have geotagd's names but not its content, as a power cut leaves them.
    private(set) var foreign: [(path: String, reason: ForeignFile)] = []
    /// What people called the files that came through a pipe, by the path of their copies.
    private(set) var pipes: [String: String] = [:]

    /// Tells whether two paths lead to the same file.
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t

        /// nil where there is no file.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = status.st_dev
            inode = status.st_ino
        }
    }

    private var seen: Set<Identity> = []
    private var begins: [(path: String, time: Int64)] = []

    /// - Parameters:
    ///   - paths: files, or folders for all of ours in them; `-` is standard input. An events file
    ///     that lies beside a track is found by its name; one that is named twice is read once.
    ///   - takesRespelt: a file that another program has rewritten goes to `foreign` even where it
    ///     was named.
    /// - Throws: where a file that was named is none of ours, or there is none at all.
    init(_ paths: [String], takesRespelt: Bool = false) throws(TrackToolFault) {
        var hasStandardInput = false
        for path in paths {
            if path == "-" {
                // Standard input can be read only once.
                if hasStandardInput { continue }
                hasStandardInput = true
            }
            if let copy = try PipeCopy.make(path) {
                pipes[copy] = path
                do throws(TrackToolFault) { try add(copy) } catch {
                    if case .notOurs(_, let reason) = error { throw .notOurs(path, reason) }
                    throw error
                }
                continue
            }
            guard let names = Self.names(in: path) else {
                do throws(TrackToolFault) { try add(path) } catch {
                    guard takesRespelt, case .notOurs(_, let reason) = error, reason.isRespelt
                    else { throw error }
                    foreign.append((path, reason))
                }
                continue
            }
            for name in names {
                let file = path + "/" + name.text
                try addIfOurs(file)
            }
        }
        tracks = begins.sorted { ($0.time, $0.path) < ($1.time, $1.path) }.map(\.path)
        if tracks.isEmpty, events.isEmpty, pushes.isEmpty, foreign.isEmpty { throw .noFiles }
    }

    /// The name that people know a file by: its path, or that of its pipe.
    func name(of path: String) -> String { pipes[path] ?? path }

    /// Whether a path leads to one of these files.
    func contains(_ path: String) -> Bool { Identity(path).map(seen.contains) ?? false }

    private mutating func addIfOurs(_ path: String) throws(TrackToolFault) {
        do throws(TrackToolFault) {
            try add(path)
        } catch {
            guard case .notOurs(_, let reason) = error else { throw error }
            if !foreign.contains(where: { $0.path == path }) { foreign.append((path, reason)) }
        }
    }

    private mutating func add(_ path: String) throws(TrackToolFault) {
        let kind = try Self.kind(of: path)
        guard Identity(path).map({ seen.insert($0).inserted }) ?? true else { return }
        switch kind {
        case .track:
            begins.append((path, try Self.begin(of: path)))
            if let events = Self.eventsBeside(path) { try addIfOurs(events) }
        case .events: events.append(path)
        case .pushes: pushes.append(path)
        }
    }

    /// The names of geotagd's files in a folder, oldest first; nil where the path is no folder.
    private static func names(in path: String) -> [TrackFileName]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [TrackFileName] = []
        while let entry = readdir(folder) {
            let text = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name = TrackFileName(text) { names.append(name) }
        }
        return names.sorted { $0.isOlder(than: $1) }
    }

    /// The kind of a file, by its first line.
    private static func kind(of path: String) throws(TrackToolFault) -> TrackFileKind {
        try FirstLine.kind(of: try LineReader(path))
    }

    /// The time of a file's first good row; files without one come last.
    private static func begin(of path: String) throws(TrackToolFault) -> Int64 {
        let file = try TrackFileReader(path)
        return try file.next()?.milliseconds ?? .max
    }

    private static func eventsBeside(_ path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.last, let name = TrackFileName(last) else { return nil }
        let sibling = (parts.dropLast() + [name.sibling(.events).text[...]]).joined(separator: "/")
        return access(sibling, R_OK) == 0 ? sibling : nil
    }
}
