import Footage
import Glibc

/// `geotagctl evening`: tracks and clips in, a file for each clip and a report out. Another run does
/// only what is new.
final class EveningRun {
    private let options: EveningOptions
    private let files: TrackInputs
    private let tracks: [String]
    private let paths: [String]
    private var notes: [String] = []
    /// Lines that say what was done.
    private var lines: [String] = []
    private let progress = Progress()

    init(_ options: EveningOptions) throws(TrackToolFault) {
        self.options = options
        for folder in options.folders where access(folder, R_OK) != 0 {
            throw .open(folder, errno)
        }
        tracks = TrackFolders.find(options.folders)
        if tracks.isEmpty { throw .noTracksIn(options.folders) }
        files = try TrackInputs(tracks)
        if files.tracks.isEmpty { throw .noTracksIn(options.folders) }
        // What is written of clips lies in there, too, and tracks are no clips.
        let found = ClipPaths(options.folders.filter(ClipPaths.isFolder))
        paths =
            found.paths + options.folders.filter { ClipPaths.isClip($0) && !ClipPaths.isFolder($0) }
        // A folder of tracks alone needs no clip.
        notes = found.problems.filter { $0.words != "no clip is in this folder" }
            .map { "\($0.path): \($0.words)" }
    }

    /// - Returns: the exit status: 1 where something could not be done.
    func run() throws(TrackToolFault) -> Int32 {
        try ExportRun.make(options.output)
        lines.append("tracks   \(files.tracks.count)")
        let list = DoneClips(options.output + "/clips.csv")
        let fresh = paths.filter { !isDone($0, list) }
        let known = list.clips(of: Set(paths)).filter { !fresh.contains($0.path) }
        var placed: [PlacedClip] = []
        var unplaced = 0
        if !fresh.isEmpty {
            (placed, unplaced) = try match(fresh, beside: known)
        }
        lines.append(
            "clips    \(paths.count): \(placed.count) new, \(known.count) done before, "
                + "\(paths.count - placed.count - known.count) without a place")
        let all = placed + known
        let outcome = try export(placed)
        if !placed.isEmpty { try DoneClips.write(all, to: list.path) }
        let isNew = !placed.isEmpty || outcome.written > 0
        try report(all, unplaced: unplaced, isNew: isNew)
        progress.end()
        let output = try TextOutput(nil)
        for line in lines { try output.write(line + "\n") }
        try output.finish()
        for note in notes.prefix(Self.maxNotes) { EveningCommand.say(note) }
        if notes.count > Self.maxNotes {
            EveningCommand.say("and \(notes.count - Self.maxNotes) more of this kind")
        }
        return notes.isEmpty ? 0 : 1
    }

    /// Sentences that are printed.
    static let maxNotes = 40

    /// A clip is done where it is in the list and all of its files are there.
    private func isDone(_ path: String, _ list: DoneClips) -> Bool {
        guard !options.export.isForced, list.has(path),
            let clip = list.clips.last(where: { $0.path == path })
        else { return false }
        return ClipFormatKind.allCases.allSatisfy { kind in
            options.export.path(clip, kind).map { access($0, F_OK) == 0 } ?? true
        }
    }

    private func match(
        _ fresh: [String], beside known: [PlacedClip]
    ) throws(TrackToolFault) -> (placed: [PlacedClip], unplaced: Int) {
        var inputs = MatchInputs()
        inputs.clips = fresh
        inputs.tracks = tracks
        let progress = progress
        let run = try MatchRun(inputs) { number, count in
            progress.show("reading clip \(number + 1) of \(count)")
        }
        progress.show("matching")
        try run.match()
        notes += run.keepOffsets()
        notes += run.problems
        for clip in run.clips where PlacedClip(clip) == nil {
            let reasons = clip.notes + (clip.placement?.notes ?? [])
            notes.append(
                "\(clip.item.path): its time is not known surely enough"
                    + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")))
        }
        let placed = run.clips.compactMap(PlacedClip.init).named(beside: known)
        return (placed, run.unplaced.count)
    }

    private func export(_ clips: [PlacedClip]) throws(TrackToolFault) -> ExportOutcome {
        var finder = MarkFinder()
        _ = try EventReader.read(files.events) { finder.add($0) }
        let run = ExportRun(clips, from: files, marks: finder.marks, options.export)
        let progress = progress
        let outcome = try run.run { progress.show("writing: \($0) of \(clips.count) clips") }
        notes += outcome.notes
        let kinds = options.export.folders.keys.map(\.rawValue).sorted().joined(separator: ", ")
        lines.append("written  \(outcome.written) (\(kinds)) in \(options.output)")
        if outcome.kept > 0 {
            lines.append("kept     \(outcome.kept) that were there; --force writes them anew")
        }
        return outcome
    }

    private func report(
        _ clips: [PlacedClip], unplaced: Int, isNew: Bool
    ) throws(TrackToolFault) {
        let path = options.output + "/report.html"
        if !isNew, !options.export.isForced, isNewer(path, than: files.tracks + files.events) {
            lines.append("report   \(path), as it was")
            return
        }
        progress.show("drawing the report")
        var gatherer = ReportGatherer(files, span: Int64.min...Int64.max)
        gatherer.clips = clips
        gatherer.unplaced = unplaced
        let data = try gatherer.gather()
        try ReportCommand.write(data, to: path)
        for file in gatherer.damaged {
            notes.append("\(file.path): damaged lines passed over: \(file.lines)")
        }
        let kilometres = ReportText.number(data.summary.metres / 1000, 1)
        let length = ReportText.duration(data.span.upperBound - data.span.lowerBound)
        lines.insert("drive    \(kilometres) km in \(length)", at: 1)
        lines.append("report   \(path)")
        if !data.failures.isEmpty {
            lines.append("failed   \(data.failures.count) recordings, which the report lists")
        }
    }

    private func isNewer(_ path: String, than others: [String]) -> Bool {
        guard let own = Self.changed(path) else { return false }
        return others.allSatisfy { other in Self.changed(other).map { $0 <= own } ?? true }
    }

    /// Nanoseconds since 1970; nil where there is no such file.
    private static func changed(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}

/// One line on a terminal that says what goes on; nothing elsewhere.
struct Progress {
    private let isShown = isatty(2) == 1

    func show(_ words: String) {
        if isShown { put("\r\u{1B}[K" + words) }
    }

    /// The line goes.
    func end() {
        if isShown { put("\r\u{1B}[K") }
    }

    private func put(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    }
}
