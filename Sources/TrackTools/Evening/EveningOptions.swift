/// What the words behind `evening` mean.
struct EveningOptions {
    /// Cards, folders of tracks, or folders of both.
    let folders: [String]
    /// Where all goes.
    let output: String
    var export = ExportOptions()

    init(_ words: some Sequence<String>) throws(TrackToolFault) {
        let arguments = try Arguments(
            words, options: ["--output", "--format", "--rate"], flags: ["--force"])
        folders = arguments.paths
        output = arguments["--output"] ?? Self.beside(arguments.paths[0])
        export.isForced = arguments.has("--force")
        if let rate = arguments["--rate"] { try export.set("--rate", rate) }
        for word in (arguments["--format"] ?? "gpx").split(separator: ",") {
            guard let kind = ClipFormatKind(rawValue: String(word)) else {
                let known = ClipFormatKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("--format \(word): it is some of \(known), with commas between")
            }
            export.folders[kind] = output
        }
        if export.folders.isEmpty { throw .usage("--format needs a value") }
    }

    /// `geotag` in the first folder, or beside the first file.
    private static func beside(_ path: String) -> String {
        let folder = ClipPaths.isFolder(path) ? path : PathText.folder(path)
        return folder.hasSuffix("/") ? folder + "geotag" : folder + "/geotag"
    }
}
