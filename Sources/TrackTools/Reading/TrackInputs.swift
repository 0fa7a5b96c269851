import Fleet
import Glibc

/// The files of a command: tracks in the order of their time, and the events beside them.
struct TrackInputs {
    /// Paths; `-` is standard input.
    private(set) var tracks: [String] = []
    private(set) var events: [String] = []
    private(set) var pushes: [String] = []

    /// - Parameter paths: files, or folders for all of ours in them. An events file that lies beside
    ///   a track is found by its name.
    init(_ paths: [String]) throws(TrackToolFault) {
        var begins: [(path: String, time: Int64)] = []
        for path in try Self.expanded(paths) {
            switch try Self.kind(of: path) {
            case .track:
                begins.append((path, try Self.begin(of: path)))
                if let events = Self.eventsBeside(path), !self.events.contains(events) {
                    self.events.append(events)
                }
            case .events: if !events.contains(path) { events.append(path) }
            case .pushes: pushes.append(path)
            }
        }
        tracks = begins.sorted { ($0.time, $0.path) < ($1.time, $1.path) }.map(\.path)
    }

    private static func expanded(_ paths: [String]) throws(TrackToolFault) -> [String] {
        var files: [String] = []
        for path in paths {
            guard let folder = opendir(path) else {
                files.append(path)
                continue
            }
            defer { closedir(folder) }
            var names: [TrackFileName] = []
            while let entry = readdir(folder) {
                let text = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if let name = TrackFileName(text) { names.append(name) }
            }
            files += names.sorted { $0.isOlder(than: $1) }.map { path + "/" + $0.text }
        }
        return files
    }

    /// By its first line; standard input is a track, since it is read but once.
    static func kind(of path: String) throws(TrackToolFault) -> TrackFileKind {
        if path == "-" { return .track }
        let reader = try LineReader(path)
        guard let line = try reader.next() else { throw .notOurs(path) }
        for kind in TrackFileKind.allCases
        where line.bytes.elementsEqual(kind.header.utf8.dropLast()) {
            return kind
        }
        throw .notOurs(path)
    }

    /// Of the first good row; files without one come last.
    private static func begin(of path: String) throws(TrackToolFault) -> Int64 {
        guard path != "-" else { return .max }
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
