/// Finds recordings in the track's `rec` column, where there are no events.
struct RecordingColumn {
    private var started: [String: Int64] = [:]
    private var last: (text: String, milliseconds: Int64) = ("", .min)
    private(set) var clips: [Clip] = []

    mutating func add(_ record: TrackRecord) {
        defer { last = (record.recording, record.milliseconds) }
        guard record.recording != last.text else { return }
        let names = Set(record.recording.split(separator: "+").map(String.init))
        for name in names where started[name] == nil { started[name] = record.milliseconds }
        for name in Array(started.keys) where !names.contains(name) {
            end(name, at: last.milliseconds, .track)
        }
    }

    /// The clips in the order of their starts.
    mutating func finish() -> [Clip] {
        for name in Array(started.keys) { end(name, at: last.milliseconds, .unseen) }
        return clips.sorted { ($0.start, $0.camera) < ($1.start, $1.camera) }
    }

    private mutating func end(_ name: String, at milliseconds: Int64, _ basis: Clip.Basis) {
        guard let start = started.removeValue(forKey: name) else { return }
        clips.append(
            Clip(
                camera: name, start: start, startBasis: .track, stop: milliseconds,
                stopBasis: basis))
    }
}
