import Footage

/// Makes a report's data of files, in two walks through the track and one through the push log.
struct ReportGatherer {
    /// Milliseconds: a longer pause between two rows is a gap.
    static let maxPause = RowBridge.maxPause

    let inputs: TrackInputs
    let span: ClosedRange<Int64>
    /// Of clips, where they were looked for.
    var clips: [PlacedClip] = []
    var unplaced = 0
    private(set) var damaged: [DamagedFile] = []

    private var recordings = RecordingFinder()
    private var links = LinkFinder()
    private var failures = FailureFinder()
    private var marks = MarkFinder()

    init(_ inputs: TrackInputs, span: ClosedRange<Int64>) {
        self.inputs = inputs
        self.span = span
    }

    /// - Throws: where there is no position.
    mutating func gather() throws(TrackToolFault) -> ReportData {
        var (recordings, links, failures, marks) = (recordings, links, failures, marks)
        damaged += try EventReader.read(inputs.events) { event in
            recordings.add(event)
            links.add(event)
            failures.add(event)
            marks.add(event)
        }
        let summary = try summarize(&recordings)
        guard let first = summary.first, let last = summary.last,
            let latitudes = summary.latitudes, let longitudes = summary.longitudes.ends
        else { throw .empty }
        let line = first.milliseconds...max(first.milliseconds + 1, last.milliseconds)
        var data = ReportData(
            summary, span: line, frame: MapFrame(latitudes: latitudes, longitudes: longitudes))
        try draw(&data)
        links.finish(at: last.milliseconds)
        for (camera, begin, end) in links.links where begin <= line.upperBound {
            if let index = data.camera(camera) {
                data.cameras[index].linked.add(begin, end, "linked")
            }
        }
        data.marks = marks.marks.filter { line.contains($0.milliseconds) }
            .sorted { $0.milliseconds < $1.milliseconds }
        data.failures = failures.finish().filter { line.contains($0.milliseconds) }
        add(recordings.finish().within(line), to: &data)
        try addPushes(to: &data)
        addClips(to: &data)
        data.cameras.sort { $0.name < $1.name }
        return data
    }

    private mutating func summarize(
        _ recordings: inout RecordingFinder
    ) throws(TrackToolFault) -> TrackSummary {
        var summary = TrackSummary()
        var segmenter = Segmenter()
        let stream = OrderedTracks(inputs)
        while let record = try stream.next() {
            recordings.add(record)
            guard span.contains(record.milliseconds) else { continue }
            summary.add(
                record, startsSegment: segmenter.startsSegment(record), file: stream.fileNumber)
        }
        damaged += stream.damaged
        return summary
    }

    private func draw(_ data: inout ReportData) throws(TrackToolFault) {
        let stream = OrderedTracks(inputs, span: span)
        var last: Int64?
        while let record = try stream.next() {
            let now = record.milliseconds
            let pause = last.map { now - $0 } ?? 0
            let isGap = pause > Self.maxPause
            if let last, isGap {
                let gap = IntervalCounts.Gap(begin: last, milliseconds: pause)
                data.gaps.insert(gap, keeping: ReportData.maxGaps)
                data.gapCount += 1
                data.gapMilliseconds += pause
                data.fixes.add(last, now, "none")
            }
            data.speeds.add(record.speedMillimetresPerSecond, at: now)
            data.heights.add(record.heightCentimetres, at: now)
            data.fixes.add(
                isGap ? now : last ?? now, now, record.is3D ? "fix3d" : "fix2d",
                pause: Self.maxPause)
            data.path.add(
                record, level: data.level(record.speedMillimetresPerSecond), startsSegment: isGap)
            last = now
        }
        data.gaps.sort { $0.begin < $1.begin }
    }

    private func add(_ recordings: [Clip], to data: inout ReportData) {
        for recording in recordings {
            guard let index = data.camera(recording.camera) else { continue }
            data.cameras[index].recordings += 1
            data.cameras[index].recordedMilliseconds += recording.milliseconds
            data.cameras[index].recording.add(recording.start, recording.stop, "recording")
        }
        for failure in data.failures {
            guard let index = data.camera(failure.camera) else { continue }
            data.cameras[index].failures += 1
        }
    }

    private mutating func addPushes(to data: inout ReportData) throws(TrackToolFault) {
        guard !inputs.pushes.isEmpty else { return }
        data.hasPushLog = true
        var names: [String: Int] = [:]
        damaged += try PushReader.read(inputs.pushes) { record, _ in
            guard let time = record.sentMicroseconds.map({ $0 / 1000 }) ?? record.milliseconds,
                data.span.contains(time)
            else { return }
            for word in record.took.split(separator: "+") {
                let name = String(word)
                guard let index = names[name] ?? data.camera(name) else { continue }
                names[name] = index
                data.cameras[index].pushes = (data.cameras[index].pushes ?? 0) + 1
                data.cameras[index].pushed.add(time, time, "pushed", pause: 1000)
            }
        }
    }

    private func addClips(to data: inout ReportData) {
        data.unplaced = unplaced
        for clip in clips where clip.span.overlaps(data.span) {
            guard let index = data.camera(clip.cameraName) else { continue }
            data.cameras[index].clipCount += 1
            data.cameras[index].clipMilliseconds += Int64((clip.end - clip.start) / 1000)
            data.cameras[index].clips.add(
                clip.span.lowerBound, clip.span.upperBound, "clip")
        }
    }
}
