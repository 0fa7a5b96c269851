/// Finds all recordings, by events and the track's `rec` column together, for `clips` and `info`.
///
/// Events know best when a recording began and ended. Where nobody saw it end (a power cut) it goes
/// to the last row whose `rec` names the camera; where events of the day before are not at hand the
/// camera's own count or the first such row is its start. Recordings that only rows show are found
/// as well.
struct RecordingFinder {
    /// How far a status and the row that shows the same change may lie apart, milliseconds.
    private static let sameRecording = ClipFinder.commandEffect

    private var events = ClipFinder()
    private var column = RecordingColumn()

    /// Adds the next row of the events files, oldest first.
    mutating func add(_ event: EventRecord) { events.add(event) }

    /// Adds the next row of the tracks, oldest first.
    mutating func add(_ record: TrackRecord) { column.add(record) }

    /// The clips in the order of their starts.
    mutating func finish() -> [Clip] {
        let spans = column.finish()
        var clips = events.finish().compactMap { Self.clip($0, spans[$0.camera] ?? []) }
        let known = Dictionary(grouping: clips, by: \.camera)
        for (camera, spans) in spans {
            for span in spans
            where !(known[camera] ?? []).contains(where: { Self.overlap($0, span) }) {
                clips.append(
                    Clip(
                        camera: camera, start: span.first, startBasis: .track, stop: span.last,
                        stopBasis: span.isOpen ? .unseen : .track))
            }
        }
        return clips.sorted { ($0.start, $0.camera) < ($1.start, $1.camera) }
    }

    /// The clip of a recording; nil where neither events nor rows show its time.
    private static func clip(
        _ recording: EventRecording, _ spans: [RecordingColumn.Span]
    ) -> Clip? {
        var start = recording.start
        var stop = recording.stop
        if start == nil {
            let end = stop?.milliseconds ?? recording.limit
            let span = spans.last { $0.first <= end && $0.last >= end - sameRecording }
            start = span.map { ($0.first, .track) }
            if stop == nil, start == nil { return nil }
        }
        guard let start else { return nil }
        if stop == nil {
            let span = spans.first {
                $0.last >= start.milliseconds && $0.first < recording.limit
            }
            let last = span.map { min($0.last, recording.limit) } ?? recording.lastHeard
            stop = (last, .unseen)
        }
        guard let stop else { return nil }
        return Clip(
            camera: recording.camera, start: start.milliseconds, startBasis: start.basis,
            stop: max(start.milliseconds, stop.milliseconds), stopBasis: stop.basis)
    }

    private static func overlap(_ clip: Clip, _ span: RecordingColumn.Span) -> Bool {
        span.first <= clip.stop + sameRecording && span.last >= clip.start - sameRecording
    }
}

extension [Clip] {
    /// The clips that lie at least in part within a span of time.
    func within(_ span: ClosedRange<Int64>) -> [Clip] {
        filter { $0.start <= span.upperBound && $0.stop >= span.lowerBound }
    }
}
