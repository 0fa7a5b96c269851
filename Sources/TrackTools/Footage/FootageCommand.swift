import Clock
import Footage
import Glibc
import LineProtocol

/// `geotagctl clip …` and `geotagctl match …`: reads clips and finds their place in the track. No
/// daemon is needed.
package enum FootageCommand {
    /// What `--help` prints, and what a wrong word gets.
    package static let usage = """
        usage: geotagctl match CLIP|FOLDER… [--track FILE|FOLDER…] [--json] [WRITE…]
               geotagctl clip CLIP|FOLDER… [--track FILE|FOLDER…] [--json]

        clip shows what footage itself holds; match says when it was filmed, in UTC, from the
        first of these that answers:

          pushes     the positions that the camera stored, in the push log: to a frame
          positions  the same, laid along the track
          seconds    the seconds that the camera stored
          events     the recordings that the daemon saw
          container  the camera's calendar, in the file
          name       the camera's calendar, in the file's name

        --track      where the tracks, events and push logs are; else the service's folder,
                     /var/lib/geotagd/tracks

        What match can write, a file a clip with the clip's name, from the track; clips whose time
        nothing but a calendar tells are left out:

        --gpx|--csv|--srt|--vbo|--geojson FOLDER   where the clip was, in that format
        --chapters FOLDER  its marks as chapters (ffmpeg's metadata)
        --otio FILE        all cameras on one time line, for editing programs
        --rate N|frame     places a second, 10 unless told otherwise, or one for each frame
        --force            files that are there already are written anew
        --exiftool         prints the commands that give stills their places

        Exit status: 0 all clips have a time; 1 some do not, a sentence each says why;
        64 usage; 65 no file of ours; 66 cannot be read; 74 cannot be written.

        """

    /// Carries out the words, and writes to standard output and standard error.
    ///
    /// - Parameter arguments: `clip` or `match`, and the words behind it.
    /// - Returns: the exit status.
    package static func run(_ arguments: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let verb = arguments.first ?? "match"
        let rest = arguments.dropFirst()
        do throws(TrackToolFault) {
            if ["--help", "-h"].contains(where: rest.prefix { $0 != "--" }.contains) {
                let output = try TextOutput(nil)
                try output.write(usage)
                try output.finish()
                return 0
            }
            let inputs = try MatchInputs(rest)
            return verb == "clip" ? try clip(inputs) : try MatchRun(inputs).run()
        } catch {
            if case .write(_, EPIPE) = error { return 0 }
            say(error.message, verb: verb)
            if case .usage = error { say("geotagctl \(verb) --help shows how", verb: nil) }
            return error.status
        }
    }

    private static func clip(_ inputs: MatchInputs) throws(TrackToolFault) -> Int32 {
        let shelf = ClipShelf(inputs.clips)
        var reports = shelf.clips.map { ClipReport(path: $0.path, clip: $0.clip, ours: nil) }
        if let files = try inputs.files(), !files.pushes.isEmpty {
            for number in reports.indices {
                var index = PushIndex([reports[number].clip])
                _ = try PushReader.read(files.pushes) { record, log in
                    if let sent = record.sent(log: log) { index.take(sent) }
                }
                reports[number].ours = index.found(in: reports[number].clip)
            }
        }
        let output = try TextOutput(nil)
        for report in reports {
            if inputs.isJSON {
                try output.write(report.json.line + "\n")
            } else {
                for line in report.lines { try output.write(line + "\n") }
            }
        }
        try output.finish()
        for problem in shelf.problems { say("\(problem.path): \(problem.words)", verb: "clip") }
        return shelf.problems.isEmpty ? 0 : 1
    }

    /// - Parameter verb: stands in front of the words; nil for none.
    static func say(_ words: String, verb: String?) {
        let text = (verb.map { "geotagctl \($0): " } ?? "") + words + "\n"
        _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    }
}

/// The clips that were read, and the reasons why others were not.
struct ClipShelf {
    /// A clip and where it lies.
    struct Item {
        var path: String
        var clip: FilmedClip

        /// The file's name without its folders.
        var name: String { String(path.split(separator: "/").last ?? "") }
    }

    private(set) var clips: [Item] = []
    private(set) var problems: [(path: String, words: String)] = []

    /// - Parameter progress: is called before each clip with its number, from 0, and their count.
    init(_ words: [String], progress: (Int, Int) -> Void = { _, _ in }) {
        let paths = ClipPaths(words)
        problems = paths.problems
        for (number, path) in paths.paths.enumerated() {
            progress(number, paths.paths.count)
            do throws(ClipFault) {
                clips.append(Item(path: path, clip: try ClipReader.read(try ClipFile(path))))
            } catch {
                var words = error.words
                if case .unreadable(let code) = error { words = String(cString: strerror(code)) }
                problems.append((path, words))
            }
        }
    }
}
