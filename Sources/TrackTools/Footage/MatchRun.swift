import Clock
import Footage
import Glibc

/// `geotagctl match`: finds when clips were filmed, each by the best means that it allows.
final class MatchRun {
    private let inputs: MatchInputs
    private let shelf: ClipShelf
    private let files: TrackInputs?
    private(set) var clips: [MatchedClip]
    private var powerUps: [PowerUp] = []
    private var recordings: [SeenRecording] = []
    /// The models of the cameras that the events file names.
    private var models: [String: String] = [:]
    private var offsets: OffsetsFile
    private var damaged: [DamagedFile] = []

    /// - Parameter progress: is called before each clip with its number, from 0, and their count.
    init(
        _ inputs: MatchInputs, progress: (Int, Int) -> Void = { _, _ in }
    ) throws(TrackToolFault) {
        self.inputs = inputs
        shelf = ClipShelf(inputs.clips, progress: progress)
        files = try inputs.files()
        clips = shelf.clips.map(MatchedClip.init)
        offsets = OffsetsFile(folder: OffsetsFile.folder(of: inputs, files))
    }

    func run() throws(TrackToolFault) -> Int32 {
        try match()
        let output = try TextOutput(nil)
        let table = MatchTable(clips, hasPushes: !(files?.pushes.isEmpty ?? true))
        for line in inputs.isJSON ? table.json : table.lines { try output.write(line + "\n") }
        if inputs.export.printsExifTool {
            for line in StillsCommand(clips, tracks: files?.tracks ?? []).lines {
                try output.write(line + "\n")
            }
        }
        try output.finish()
        var notes = complaints() + keepOffsets()
        if inputs.export.writes { notes += try export() }
        for note in notes { FootageCommand.say(note, verb: "match") }
        let isWhole = shelf.problems.isEmpty && clips.allSatisfy { $0.placement != nil }
        return isWhole ? 0 : 1
    }

    /// Lays all clips along UTC.
    func match() throws(TrackToolFault) {
        try matchPushes()
        try readRecordings()
        placeByKept(onlyClock: true)
        try matchTrack()
        placeBySeconds()
        placeByRecordings()
        nameCameras()
        placeByKept(onlyClock: false)
        placeByCalendar()
        try countLost()
        // What is written needs their times alone.
        for number in clips.indices { clips[number].forgetPositions() }
    }

    /// - Returns: where they are kept, if not beside the track.
    func keepOffsets() -> [String] { offsets.keep(clips).map { [$0] } ?? [] }

    /// Writes what was asked for of the clips that have a time.
    ///
    /// - Returns: what is to be said of it.
    private func export() throws(TrackToolFault) -> [String] {
        guard let files, !files.tracks.isEmpty else { throw .noTracks }
        var finder = MarkFinder()
        damaged += try EventReader.read(files.events) { finder.add($0) }
        var notes = unplaced.map {
            "\($0): its time is not known surely enough: nothing is written of it"
        }
        let run = ExportRun(placed, from: files, marks: finder.marks, inputs.export)
        let outcome = try run.run()
        notes += outcome.notes
        notes.append("files written: \(outcome.written)")
        if outcome.kept > 0 {
            notes.append("files kept that were there: \(outcome.kept); --force writes them anew")
        }
        return notes
    }

    /// Those that something can be written of.
    var placed: [PlacedClip] { clips.compactMap(PlacedClip.init).named() }

    /// Paths of the others.
    var unplaced: [String] {
        clips.filter { PlacedClip($0) == nil }.map(\.item.path)
    }

    /// Clips that could not be read, a sentence each.
    var problems: [String] { shelf.problems.map { "\($0.path): \($0.words)" } }

    /// What could not be read, or not be placed better, a sentence each.
    func complaints() -> [String] {
        var notes = problems
        for clip in clips {
            let words = clip.notes + (clip.placement?.notes ?? [])
            if !words.isEmpty {
                notes.append("\(clip.item.path): " + words.joined(separator: "; "))
            }
        }
        for (path, reason) in files?.foreign ?? [] {
            notes.append("\(path): passed over: \(reason.words)")
        }
        for file in damaged {
            notes.append("\(file.path): damaged lines passed over: \(file.lines)")
        }
        if files == nil {
            notes.append("no tracks: --track names them; times are by what the clips hold alone")
        }
        return notes
    }

    // MARK: Pushes

    private func matchPushes() throws(TrackToolFault) {
        guard let files, !files.pushes.isEmpty else { return }
        var index = PushIndex(clips.map(\.clip))
        damaged += try PushReader.read(files.pushes) { record, log in
            if let sent = record.sent(log: log) { index.take(sent) }
        }
        var matches: [String: [(clip: Int, match: PushMatch)]] = [:]
        for number in clips.indices where !clips[number].clip.runs.isEmpty {
            do throws(PushRefusal) {
                let match = try PushMatcher.match(clips[number].clip, in: index)
                matches[clips[number].rigKey, default: []].append((number, match))
            } catch {
                clips[number].notes.append(error.words)
            }
        }
        for key in matches.keys.sorted() {
            let frame = clips[matches[key]?.first?.clip ?? 0].clip.frameInterval
            powerUps += PowerUp.groups(matches[key] ?? [], frame: frame)
        }
        for powerUp in powerUps {
            for number in powerUp.clips {
                clips[number].placement = clips[number].clip.placed(by: powerUp.match)
            }
        }
    }

    /// Counts lost pushes of the clips whose time is known now.
    private func countLost() throws(TrackToolFault) {
        guard let files, !files.pushes.isEmpty, !powerUps.isEmpty else { return }
        var counts: [LostCount] = []
        for powerUp in powerUps {
            for number in powerUp.clips where !clips[number].clip.isTimelapse {
                counts.append(
                    LostCount(
                        clip: number, of: clips[number], powerUp: powerUp,
                        camera: clips[number].camera))
            }
        }
        _ = try PushReader.read(files.pushes) { record, log in
            for number in counts.indices { counts[number].take(record, log: log) }
        }
        for count in counts {
            clips[count.clip].sent = count.sent
            clips[count.clip].lost = count.lost
        }
    }

    // MARK: Other clips of the camera

    /// Places clips by what this run and earlier ones know of the camera's clocks.
    private func placeByKept(onlyClock: Bool) {
        for number in clips.indices where clips[number].placement == nil {
            let kept = offsets.known + clips.compactMap(KeptOffset.init)
            guard let placement = KeptOffset.place(clips[number].clip, by: kept),
                !onlyClock || placement.tier == .pushes
            else { continue }
            clips[number].placement = placement
        }
    }

    // MARK: The track

    private func matchTrack() throws(TrackToolFault) {
        guard let files, !files.tracks.isEmpty else { return }
        var matchers: [(clip: Int, matcher: TrackMatcher)] = []
        for number in clips.indices
        where clips[number].placement == nil && !clips[number].clip.runs.isEmpty {
            do throws(TrackRefusal) {
                matchers.append((number, try TrackMatcher(clips[number].clip)))
            } catch {
                clips[number].notes.append(error.words)
            }
        }
        if matchers.isEmpty { return }
        try eachRow(files) { row in
            for number in matchers.indices { matchers[number].matcher.survey(row) }
        }
        for number in matchers.indices.reversed() {
            do throws(TrackRefusal) {
                try matchers[number].matcher.choose()
            } catch {
                clips[matchers[number].clip].notes.append(error.words)
                matchers.remove(at: number)
            }
        }
        try eachRow(files) { row in
            for number in matchers.indices { matchers[number].matcher.collect(row) }
        }
        for (number, matcher) in matchers {
            do throws(TrackRefusal) {
                let (offset, uncertainty) = try matcher.result()
                let clip = clips[number].clip
                var placement = clip.placed(
                    .positions, start: Double(clip.firstClock) + offset, uncertainty: uncertainty)
                placement.storedMinutes = clip.storedMinutes(offset: offset)
                clips[number].placement = placement
            } catch {
                clips[number].notes.append(error.words)
            }
        }
    }

    private func eachRow(
        _ files: TrackInputs, _ body: (TrackPoint) -> Void
    ) throws(TrackToolFault) {
        let stream = TrackStream(files.tracks)
        while let record = try stream.next() {
            body(
                TrackPoint(
                    microseconds: record.milliseconds * 1000,
                    latitudeDegrees: Double(record.latitudeE8) / 1e8,
                    longitudeDegrees: Double(record.longitudeE8) / 1e8))
        }
    }

    // MARK: Seconds and recordings

    private func readRecordings() throws(TrackToolFault) {
        guard let files else { return }
        var finder = RecordingFinder()
        damaged += try EventReader.read(files.events) { event in
            finder.add(event)
            if event.event == "camera", let model = event["model"] { models[event.camera] = model }
        }
        recordings = finder.finish().map(SeenRecording.init)
    }

    /// The recordings of cameras that have this clip's model.
    private func recordings(of clip: FilmedClip) -> [SeenRecording] {
        recordings.filter { recording in
            models[recording.camera].map { $0 == clip.model || clip.camera.model == nil } ?? true
        }
    }

    /// Places clips by their stored seconds, where the zone is known from another clip of the
    /// camera or from a recording that fits.
    private func placeBySeconds() {
        for number in clips.indices where clips[number].placement == nil {
            let clip = clips[number].clip
            guard let offset = SecondsMatcher.offset(clip) else { continue }
            let stored = Double(clip.firstClock) + offset
            let minutes = storedMinutes(like: clips[number]) ?? recordedMinutes(clip, at: stored)
            var placement = clip.placed(
                .seconds, start: stored - Double(minutes ?? 0) * 60e6,
                uncertainty: minutes == nil ? nil : SecondsMatcher.uncertainty)
            placement.storedMinutes = minutes
            if minutes == nil {
                placement.notes = [
                    "stored seconds are taken as UTC: to 0.15 s but for the camera's zone, "
                        + "which nothing tells"
                ]
            }
            clips[number].placement = placement
        }
    }

    private func storedMinutes(like other: MatchedClip) -> Int? {
        for clip in clips where clip.rigKey == other.rigKey {
            if let minutes = clip.placement?.storedMinutes { return minutes }
        }
        let serial = other.clip.camera.serial
        return offsets.known.last { $0.serial == serial && !serial.isEmpty }?.storedMinutes
    }

    /// The zone, to the quarter of an hour, in which a recording began at the stored time; nil
    /// where none or several fit.
    private func recordedMinutes(_ clip: FilmedClip, at stored: Double) -> Int? {
        var found: Set<Int> = []
        for recording in recordings(of: clip) {
            let ahead = (stored - Double(recording.start)) / 60e6
            let minutes = (ahead / 15).rounded() * 15
            let length = Double(recording.stop - recording.start)
            guard abs(ahead - minutes) * 60 <= 3, abs(minutes) <= 15 * 60,
                recording.isOpen || abs(length - clip.lengthMicroseconds) <= 3e6
            else { continue }
            found.insert(Int(minutes))
        }
        return found.count == 1 ? found.first : nil
    }

    /// Places clips that nothing better places by the recordings that the daemon saw: all clips of
    /// a camera together.
    private func placeByRecordings() {
        guard !recordings.isEmpty else { return }
        var groups: [String: [Int]] = [:]
        for number in clips.indices {
            let placement = clips[number].placement
            guard placement == nil || placement?.uncertainty == nil else { continue }
            groups[clips[number].rigKey, default: []].append(number)
        }
        for key in groups.keys.sorted() {
            let numbers = (groups[key] ?? []).sorted {
                clips[$0].clip.firstClock < clips[$1].clip.firstClock
            }
            guard
                let first = numbers.first,
                let found = RecordingMatcher.match(
                    numbers.map { clips[$0].clip }, recordings(of: clips[first].clip))
            else { continue }
            for number in numbers {
                let clip = clips[number].clip
                clips[number].placement = clip.placed(
                    .events, start: Double(clip.firstClock) + found.offset,
                    uncertainty: found.uncertainty)
                clips[number].camera = found.camera
            }
        }
    }

    /// Finds the names of the cameras: by recordings that began when the clips did, and by the
    /// names that are kept with serial numbers.
    private func nameCameras() {
        var votes: [String: [String: Int]] = [:]
        for clip in clips {
            guard let placement = clip.placement, placement.tier <= .seconds else { continue }
            for recording in recordings(of: clip.clip)
            where abs(Double(recording.start) - placement.startMicroseconds) <= 2e6 {
                votes[clip.rigKey, default: [:]][recording.camera, default: 0] += 1
            }
        }
        for number in clips.indices where clips[number].camera == nil {
            let serial = clips[number].clip.camera.serial
            let kept = offsets.known.last {
                $0.serial == serial && !serial.isEmpty && !$0.camera.isEmpty
            }
            let names = votes[clips[number].rigKey] ?? [:]
            let most = names.values.max() ?? 0
            let best = names.filter { $0.value == most }.keys.sorted()
            let model = clips[number].clip.model
            let alike = models.filter { $0.value == model }.keys.sorted()
            if alike.count == 1 {
                clips[number].camera = alike[0]
            } else if best.count == 1 {
                clips[number].camera = best[0]
            } else if let kept {
                clips[number].camera = kept.camera
            } else if best.count > 1 {
                clips[number].notes.append(
                    "cameras that recorded together cannot be told apart: "
                        + best.joined(separator: ", "))
            }
        }
    }

    // MARK: The camera's calendar

    private func placeByCalendar() {
        for number in clips.indices where clips[number].placement == nil {
            let clip = clips[number].clip
            if let creation = clip.creation {
                var placement = clip.placed(
                    .container, start: Double(creation.nanoseconds) / 1e3, uncertainty: nil)
                placement.notes = ["by the camera's calendar, which nothing checked"]
                clips[number].placement = placement
            } else if let name = ClipName(clips[number].item.name) {
                var placement = clip.placed(
                    .name, start: Double(name.localSeconds) * 1e6, uncertainty: nil)
                placement.notes = [
                    "by the file's name: the camera's calendar in its own zone, which nothing checked"
                ]
                clips[number].placement = placement
            } else {
                clips[number].notes.append("neither the file nor its name says when it was filmed")
            }
        }
    }
}

extension FilmedClip {
    /// Stored time less UTC, minutes, where a better tier shows the camera's clock; nil elsewhere.
    func storedMinutes(offset: Double) -> Int? {
        guard let stored = SecondsMatcher.offset(self) else { return nil }
        let ahead = (stored - offset) / 60e6
        let minutes = (ahead / 15).rounded() * 15
        return abs(ahead - minutes) * 60 <= 3 && abs(minutes) <= 900 ? Int(minutes) : nil
    }
}
