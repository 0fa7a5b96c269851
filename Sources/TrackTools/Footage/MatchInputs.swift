import Footage
import Glibc

/// The files that the words behind `match` and `clip` name.
struct MatchInputs {
    var clips: [String] = []
    /// Tracks, or folders of tracks; empty where none was named.
    var tracks: [String] = []
    var isJSON = false
    /// What is written of the clips.
    var export = ExportOptions()

    /// Nothing yet.
    init() {}

    /// Where the service keeps its tracks.
    static let serviceFolder = "/var/lib/geotagd/tracks"

    /// - Parameter words: clips and folders, and, behind `--track`, tracks and their folders.
    init(_ words: some Sequence<String>) throws(TrackToolFault) {
        var isBehindTrack = false
        var wantsTrack = false
        var isOver = false
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if !isOver, word == "--" {
                isOver = true
                isBehindTrack = false
            } else if !isOver, let option = Self.valued(word) {
                isBehindTrack = false
                guard let value = Self.value(word, option) ?? rest.popFirst() else {
                    throw .usage("\(option) needs a value")
                }
                try export.set(option, value)
            } else if !isOver, word == "--force" || word == "--exiftool" {
                isBehindTrack = false
                if word == "--force" {
                    export.isForced = true
                } else {
                    export.printsExifTool = true
                }
            } else if !isOver, word == "--track" {
                isBehindTrack = true
                wantsTrack = true
            } else if !isOver, word.hasPrefix("--track=") {
                tracks.append(String(word.dropFirst("--track=".utf8.count)))
                isBehindTrack = false
            } else if !isOver, word == "--json" {
                isJSON = true
                isBehindTrack = false
            } else if !isOver, word.hasPrefix("-") {
                throw .usage("unknown option \(word)")
            } else if isBehindTrack, wantsTrack || Self.isTrack(word) {
                tracks.append(word)
                wantsTrack = false
            } else {
                clips.append(word)
            }
        }
        if isJSON, export.printsExifTool {
            throw .usage("--exiftool prints a command, and --json nothing but objects")
        }
        if wantsTrack { throw .usage("--track needs a file or a folder") }
        if clips.isEmpty { throw .usage("which clips? Name them, or a folder of them") }
    }

    /// The option with a value that a word begins with.
    private static func valued(_ word: String) -> String? {
        ExportOptions.valued.first { word == $0 || word.hasPrefix($0 + "=") }
    }

    /// What stands behind its equals sign.
    private static func value(_ word: String, _ option: String) -> String? {
        word == option ? nil : String(word.dropFirst(option.utf8.count + 1))
    }

    /// Whether a word behind the first one of `--track` is a track, too; otherwise it is a clip.
    private static func isTrack(_ word: String) -> Bool {
        guard ClipPaths.isFolder(word) else { return !ClipPaths.isClip(word) }
        return (try? TrackInputs([word])) != nil
    }

    /// The files of the track; nil where none was named and the service has none.
    func files() throws(TrackToolFault) -> TrackInputs? {
        if !tracks.isEmpty { return try TrackInputs(tracks) }
        guard ClipPaths.isFolder(Self.serviceFolder) else { return nil }
        do throws(TrackToolFault) {
            return try TrackInputs([Self.serviceFolder])
        } catch {
            if case .noFiles = error { return nil }
            throw error
        }
    }
}
