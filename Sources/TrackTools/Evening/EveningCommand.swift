import Glibc

/// `geotagctl evening …`: what there is to do after a day of driving, in one call.
package enum EveningCommand {
    /// For `--help` and for a wrong word.
    package static let usage = """
        usage: geotagctl evening FOLDER… [--output FOLDER] [--format LIST] [--rate N|frame]
                                 [--force]

        Finds tracks and clips in the folders and in those within them, says when each clip was
        filmed, writes where it was as a file of its own, and a report of the drive. Another call
        does only what is new.

        --output     where all goes; else geotag in the first folder
        --format     of the clips' files: some of gpx,csv,srt,vbo,geojson; gpx without it
        --rate       places a second, 10 without it, or one for each frame
        --force      does all of it anew; files that are there are kept otherwise

        In the output: report.html, a file for each clip, clips.csv with what was found out.
        Cameras' clocks are kept in offsets-YYYYMMDD.csv beside the tracks.

        Exit status: 0 done; 1 some clips could not be done, a sentence each says why; 64 usage;
        65 no track or no position; 66 cannot be read; 74 cannot be written.

        """

    /// Does what the words say, on standard output and standard error.
    ///
    /// - Parameter arguments: those behind `evening`.
    /// - Returns: the exit status.
    package static func run(_ arguments: some Sequence<String>) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        do throws(TrackToolFault) {
            if ["--help", "-h"].contains(where: Array(arguments).contains) {
                let output = try TextOutput(nil)
                try output.write(usage)
                try output.finish()
                return 0
            }
            return try EveningRun(try EveningOptions(arguments)).run()
        } catch {
            if case .write(_, EPIPE) = error { return 0 }
            Progress().end()
            say(error.message)
            if case .write = error { say("--output FOLDER names another place") }
            if case .usage = error { say("geotagctl evening --help shows how") }
            return error.status
        }
    }

    static func say(_ words: String) { FootageCommand.say(words, verb: "evening") }
}
