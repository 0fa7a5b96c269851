import Glibc
import LineProtocol
import TrackFormat

/// `geotagctl track …`: works on files alone, without the daemon.
package enum TrackCommand {
    /// The verbs, one a line, for `--help` and for a wrong word.
    package static let usage = """
        usage: geotagctl track VERB FILE…

        FILE is a track, a folder of tracks, a pipe, or - for standard input; events are found
        beside tracks. No daemon is needed. Tracks are readable by the group geotagd.

          info FILE…               span, rate, gaps, distance, speed, recordings
          gpx|kml|geojson FILE…    all tracks as one file of another format
              --output FILE        instead of standard output
          clips FILE…              a row for each recording: when, where, how far
              --camera NAME        of this camera alone
              --gpx FOLDER         and its way as a GPX file in there
          report FILE…             a page to look at: path, speed, cameras, what failed
              --output FILE        where, as HTML
              --clips FOLDER       with these clips, by the time that match gives them
          check FILE…              is every line whole, and later than the one before?
              --repair             keep the good lines; the file as it was stays beside it

          --from UTC, --to UTC     only what lies between, for all but check:
                                   2026-07-01T10:00:00.100Z, 2026-07-01T10:00, 2026-07-01;
                                   --to with a date alone means that whole day
          --local                  local time beside UTC, for info and clips

        Exit status: 0 done; 1 check found damage; 64 usage; 65 no file or no row of ours;
        66 cannot be read; 74 cannot be written.

        """

    /// Carries out the words, and writes to standard output and standard error.
    ///
    /// - Parameter arguments: the words behind `track`.
    /// - Returns: the exit status: 0, 1 where `check` found damage, or as in sysexits.h.
    package static func run(_ arguments: [String]) -> Int32 {
        // A closed pipe (`| head`) shall be an error of `write`, not end the process.
        signal(SIGPIPE, SIG_IGN)
        do throws(TrackToolFault) {
            return try dispatch(arguments)
        } catch {
            if case .write(_, EPIPE) = error { return 0 }
            say(error.message)
            if case .usage = error { say("geotagctl track --help shows how", prefix: "") }
            return error.status
        }
    }

    private static let verbs = ["info", "gpx", "kml", "geojson", "clips", "report", "check"]

    private static func dispatch(_ arguments: [String]) throws(TrackToolFault) -> Int32 {
        let rest = arguments.dropFirst()
        switch arguments.first {
        case "info": return try info(rest)
        case "gpx": return try convert(rest, GPXFormat())
        case "kml": return try convert(rest, KMLFormat())
        case "geojson": return try convert(rest, GeoJSONFormat())
        case "clips": return try clips(rest)
        case "report": return try report(rest)
        case "check": return try check(rest)
        case "help", "--help", "-h":
            let output = try TextOutput(nil)
            try output.write(usage)
            try output.finish()
            return 0
        case let verb?:
            throw .usage("unknown verb \(verb)" + (Spelling.hint(for: verb, among: verbs) ?? ""))
        case nil: throw .usage("which verb? " + verbs.joined(separator: ", "))
        }
    }

    private static func info(_ words: ArraySlice<String>) throws(TrackToolFault) -> Int32 {
        let arguments = try Arguments(words, options: ["--from", "--to"], flags: ["--local"])
        let span = try arguments.span()
        let inputs = try TrackInputs(arguments.paths)
        var finder = RecordingFinder()
        var damaged = try EventReader.read(inputs.events) { finder.add($0) }
        let stream = TrackStream(inputs.tracks)
        var summary = TrackSummary()
        var segmenter = Segmenter()
        while let record = try stream.next() {
            finder.add(record)
            guard span.contains(record.milliseconds) else { continue }
            summary.add(
                record, startsSegment: segmenter.startsSegment(record), file: stream.fileNumber)
        }
        damaged += stream.damaged
        warn(inputs, damaged)
        guard summary.rows > 0 else { throw .empty }
        summary.add(finder.finish().within(span))
        let output = try TextOutput(nil)
        let text = SummaryText(summary, isLocal: arguments.has("--local"))
        for line in text.lines(files: inputs.tracks.count) { try output.write(line + "\n") }
        try output.finish()
        return 0
    }

    private static func convert(
        _ words: ArraySlice<String>, _ format: some TrackFormat
    ) throws(TrackToolFault) -> Int32 {
        let arguments = try Arguments(words, options: ["--from", "--to", "--output"])
        let span = try arguments.span()
        let inputs = try TrackInputs(arguments.paths)
        let command = ConvertCommand(inputs: inputs, span: span, output: arguments["--output"])
        var damaged: [DamagedFile] = []
        defer { warn(inputs, damaged) }
        try command.run(format, damaged: &damaged)
        return 0
    }

    private static func clips(_ words: ArraySlice<String>) throws(TrackToolFault) -> Int32 {
        let arguments = try Arguments(
            words, options: ["--camera", "--gpx", "--from", "--to"], flags: ["--local"])
        let span = try arguments.span()
        let inputs = try TrackInputs(arguments.paths)
        var command = ClipsCommand(
            inputs: inputs, camera: arguments["--camera"], folder: arguments["--gpx"], span: span)
        command.isLocal = arguments.has("--local")
        warn(inputs, try command.run(to: try TextOutput(nil)))
        return 0
    }

    private static func report(_ words: ArraySlice<String>) throws(TrackToolFault) -> Int32 {
        let arguments = try Arguments(
            words, options: ["--clips", "--output", "--from", "--to"])
        guard let output = arguments["--output"] else {
            throw .usage("report needs --output FILE, such as report.html")
        }
        let inputs = try TrackInputs(arguments.paths)
        let command = ReportCommand(
            inputs: inputs, words: arguments.paths, clips: arguments["--clips"], output: output,
            span: try arguments.span())
        var damaged: [DamagedFile] = []
        for note in try command.run(damaged: &damaged) { say(note) }
        warn(inputs, damaged)
        return 0
    }

    private static func check(_ words: ArraySlice<String>) throws(TrackToolFault) -> Int32 {
        let arguments = try Arguments(words, options: [], flags: ["--repair"])
        let repairs = arguments.has("--repair")
        let output = try TextOutput(nil)
        var isWhole = true
        let inputs = try TrackInputs(arguments.paths, takesRespelt: true)
        if repairs, let pipe = inputs.pipes.values.min() { throw .pipeNotRepaired(pipe) }
        for path in inputs.tracks + inputs.events + inputs.pushes {
            var result = try FileCheck.check(path)
            result.path = inputs.name(of: path)
            try output.write(result.text)
            guard !result.isGood else { continue }
            guard repairs else {
                isWhole = false
                continue
            }
            let outcome = try FileRepair.repair(path)
            try output.write(outcome.text(path))
            if !outcome.isWhole { isWhole = false }
        }
        for (path, reason) in inputs.foreign {
            try output.write("\(path): \(reason.words)\n")
            guard repairs, reason.leavesNothing || reason.isRespelt else {
                isWhole = false
                continue
            }
            let outcome =
                reason.isRespelt ? try FileRepair.repair(path) : try FileRepair.setAside(path)
            try output.write(outcome.text(path))
            if !outcome.isWhole { isWhole = false }
        }
        try output.finish()
        return isWhole ? 0 : 1
    }

    private static func warn(_ inputs: TrackInputs, _ damaged: [DamagedFile]) {
        for (path, reason) in inputs.foreign { say("\(path): passed over: \(reason.words)") }
        for file in damaged {
            say(
                "\(inputs.name(of: file.path)): damaged lines passed over: \(file.lines); "
                    + "see `geotagctl track check`")
        }
    }

    private static func say(_ words: String, prefix: String = "geotagctl track: ") {
        let text = prefix + words + "\n"
        _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    }
}

extension Waypoint {
    /// nil unless the event is a mark with a known place.
    init?(_ event: EventRecord) {
        guard event.event == "mark", let latitude = event.latitudeE8,
            let longitude = event.longitudeE8
        else { return nil }
        let text = event["text"] ?? ""
        self.init(
            milliseconds: event.milliseconds, latitudeE8: latitude, longitudeE8: longitude,
            name: text.isEmpty ? "mark" : text)
    }

    /// Whether the mark lies in a span of time. One whose time is not known lies only in the span
    /// of all time.
    func lies(in span: ClosedRange<Int64>) -> Bool {
        milliseconds.map(span.contains) ?? (span == Int64.min...Int64.max)
    }
}

extension CheckResult {
    /// For a person, a line each.
    var text: String {
        var lines = ["\(path): \(goodRows) good rows, \(badRows) bad"]
        if let usual = intervals.usual, usual > 0 {
            let gaps = intervals.gaps
            let missing = SummaryText.missing(gaps.missingRows, in: gaps.count)
            lines[0] += "; \(SummaryText.rate(usual)), \(missing)"
        }
        for finding in findings {
            lines.append("  line \(finding.line): \(finding.fault.words(header: kind.header))")
        }
        if badRows > findings.count { lines.append("  and \(badRows - findings.count) more") }
        return lines.joined(separator: "\n") + "\n"
    }
}
