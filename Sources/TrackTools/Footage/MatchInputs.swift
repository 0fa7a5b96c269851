import Footage
import Glibc

/// The files that the words behind `match` and `clip` name.
struct MatchInputs {
    var clips: [String] = []
    /// Tracks, or folders of tracks; empty where none was named.
    var tracks: [String] = []
    var isJSON = false

    /// Where the service keeps its tracks.
    static let serviceFolder = "/var/lib/geotagd/tracks"

    /// - Parameter words: clips and folders, and, behind `--track`, tracks and their folders.
    init(_ words: some Sequence<String>) throws(TrackToolFault) {
        var isBehindTrack = false
        var wantsTrack = false
        var isOver = false
        for word in words {
            if !isOver, word == "--" {
                isOver = true
                isBehindTrack = false
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
        if wantsTrack { throw .usage("--track needs a file or a folder") }
        if clips.isEmpty { throw .usage("which clips? Name them, or a folder of them") }
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
