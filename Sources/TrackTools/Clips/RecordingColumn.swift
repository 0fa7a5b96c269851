/// Finds in the track's `rec` column from which row to which each camera recorded.
struct RecordingColumn {
    /// The rows of one recording, from the first to the last, milliseconds since 1970.
    struct Span: Equatable {
        var first: Int64
        var last: Int64
        /// No later row shows that it was over.
        var isOpen: Bool
    }

    private var started: [String: Int64] = [:]
    private var text = ""
    private var last: (milliseconds: Int64, sequence: Int64)?
    private var spans: [String: [Span]] = [:]

    /// Adds the next row of the tracks, oldest first.
    mutating func add(_ record: TrackRecord) {
        if let last, record.sequence <= last.sequence,
            record.milliseconds - last.milliseconds > Segmenter.maxPause
        {
            // Another run of the daemon, and a pause before it: probably a power cut.
            endAll()
        }
        if record.recording != text {
            let names = Set(record.recording.split(separator: "+").map(String.init))
            for name in Array(started.keys) where !names.contains(name) {
                end(name, isOpen: false)
            }
            for name in names where started[name] == nil { started[name] = record.milliseconds }
            text = record.recording
        }
        last = (record.milliseconds, record.sequence)
    }

    /// The spans of each camera, oldest first.
    mutating func finish() -> [String: [Span]] {
        endAll()
        return spans
    }

    private mutating func endAll() {
        for name in Array(started.keys) { end(name, isOpen: true) }
        text = ""
    }

    private mutating func end(_ name: String, isOpen: Bool) {
        guard let first = started.removeValue(forKey: name), let last else { return }
        spans[name, default: []].append(
            Span(first: first, last: last.milliseconds, isOpen: isOpen))
    }
}
