/// What `match` writes of clips, and how.
struct ExportOptions {
    /// Those with a value.
    static let valued =
        ClipFormatKind.allCases.map { "--" + $0.rawValue } + ["--chapters", "--otio", "--rate"]
    /// Samples a second where nothing else is asked for: as many as there are pushes.
    static let standardRate = SampleRate.hertz(10)

    /// Where the files of each format go.
    var folders: [ClipFormatKind: String] = [:]
    /// Where chapter lists go.
    var chapters: String?
    /// The file for all cameras on one time line.
    var timeline: String?
    var rate = standardRate
    /// Files that are there already are written anew.
    var isForced = false
    /// Prints the command that stamps stills.
    var printsExifTool = false

    /// Whether anything is written from the track.
    var writes: Bool { !folders.isEmpty || chapters != nil || timeline != nil }

    /// - Parameters:
    ///   - option: one of `valued`.
    ///   - value: the word behind it.
    mutating func set(_ option: String, _ value: String) throws(TrackToolFault) {
        if value.isEmpty { throw .usage("\(option) needs a value") }
        switch option {
        case "--chapters": chapters = value
        case "--otio": timeline = value
        case "--rate":
            guard let rate = SampleRate(value) else {
                throw .usage("--rate \(value): samples a second, 0.1 to 240, or frame")
            }
            self.rate = rate
        default:
            guard let kind = ClipFormatKind(rawValue: String(option.dropFirst(2))) else {
                throw .usage("unknown option \(option)")
            }
            folders[kind] = value
        }
    }

    /// The path of a clip's file; nil where that format was not asked for.
    func path(_ clip: PlacedClip, _ kind: ClipFormatKind) -> String? {
        folders[kind].map { "\($0)/\(clip.base).\(kind.rawValue)" }
    }
}
