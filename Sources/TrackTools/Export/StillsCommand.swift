import Clock
import Footage

/// The commands of ExifTool that give stills their places: one for each camera, since each has a
/// calendar of its own. What a camera's clips tell of that calendar is taken for its stills, too.
struct StillsCommand {
    private let clips: [MatchedClip]
    private let tracks: [String]

    /// - Parameter tracks: files.
    init(_ clips: [MatchedClip], tracks: [String]) {
        self.clips = clips
        self.tracks = tracks
    }

    /// To be pasted into a shell.
    var lines: [String] {
        var ahead: [String: [Double]] = [:]
        var folders: [String: Set<String>] = [:]
        for clip in clips {
            guard let placement = clip.placement, placement.uncertainty != nil,
                let calendar = Self.calendar(clip)
            else { continue }
            let key = PlacedClip(clip)?.cameraName ?? clip.clip.model
            ahead[key, default: []].append(calendar - placement.startMicroseconds / 1e6)
            folders[key, default: []].insert(PathText.folder(clip.item.path))
        }
        return ahead.keys.sorted().map { camera in
            let values = (ahead[camera] ?? []).sorted()
            let seconds = Int(values[values.count / 2].rounded())
            var words = ["exiftool"]
            for track in tracks { words += ["-geotag", Self.quoted(track)] }
            words.append("-geosync=" + Self.correction(seconds))
            words.append("'-geotime<${DateTimeOriginal}Z'")
            words += ["-ext", "jpg"]
            words += (folders[camera] ?? []).sorted().map(Self.quoted)
            return "# \(camera)\n" + words.joined(separator: " ")
        }
    }

    /// Seconds since 1970 of its start by the camera's calendar, which its name has as its stills
    /// have it: in the camera's zone.
    private static func calendar(_ clip: MatchedClip) -> Double? {
        if let name = ClipName(clip.item.name) { return Double(name.localSeconds) + 0.5 }
        return clip.clip.creation.map { $0.seconds + 0.5 }
    }

    /// What has to be added to the camera's time: `-2:00:03`.
    private static func correction(_ ahead: Int) -> String {
        let rest = abs(ahead)
        func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return (ahead > 0 ? "-" : "+")
            + "\(rest / 3600):\(digits(rest / 60 % 60)):\(digits(rest % 60))"
    }

    private static func quoted(_ path: String) -> String {
        "'" + path.replacingQuotes + "'"
    }
}

extension String {
    /// For a shell, between single quotes.
    fileprivate var replacingQuotes: String {
        split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }
}
