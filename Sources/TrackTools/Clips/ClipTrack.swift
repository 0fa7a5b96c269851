import TrackFormat

/// Collects the rows of one clip.
struct ClipTrack {
    let clip: Clip
    /// Where the clip began and ended; nil where the track does not reach that far.
    private(set) var start: TrackRecord?
    private(set) var stop: TrackRecord?
    private(set) var metres = 0.0
    private(set) var fastest: Int64?
    private(set) var rows = 0
    private var last: TrackRecord?

    init(_ clip: Clip) { self.clip = clip }

    /// Whether no row of this time or later can belong to the clip.
    func isOver(at milliseconds: Int64) -> Bool { milliseconds > clip.stop }

    /// Adds a row, with the one before it. Returns the points that belong to the clip: rows within
    /// it, and its ends where they lie between two rows.
    mutating func add(_ record: TrackRecord, before: TrackRecord?) -> [TrackRecord] {
        var points: [TrackRecord] = []
        let follows = before.map {
            (1...Segmenter.maxPause).contains(record.milliseconds - $0.milliseconds)
        }
        for instant in [clip.start, clip.stop] {
            guard let before, follows == true, before.milliseconds < instant,
                instant < record.milliseconds
            else { continue }
            points.append(before.interpolated(to: record, milliseconds: instant))
        }
        if (clip.start...max(clip.start, clip.stop)).contains(record.milliseconds) {
            rows += 1
            points.append(record)
            if let speed = record.speedMillimetresPerSecond { fastest = max(fastest ?? 0, speed) }
        }
        points.sort { $0.milliseconds < $1.milliseconds }
        for point in points { advance(to: point) }
        return points
    }

    private mutating func advance(to point: TrackRecord) {
        if let last { metres += last.distance(to: point) }
        if start == nil { start = point }
        stop = point
        last = point
    }

    /// The clip's row of the table; its columns are those of `header`.
    func row(isLocal: Bool) -> RowText {
        var row = RowText()
        row.append(stripped: clip.camera)
        row.append(",")
        row.append(utc: clip.start)
        row.append(",")
        row.append(utc: clip.stop)
        row.append(",")
        row.append(count: clip.milliseconds, decimals: 3)
        for point in [start, stop] {
            row.append(",")
            if let point { row.append(degreesE8: point.latitudeE8) }
            row.append(",")
            if let point { row.append(degreesE8: point.longitudeE8) }
        }
        row.append(",")
        if start != nil { row.append(metres, decimals: 1) }
        row.append(",")
        if let fastest { row.append(count: fastest, decimals: 3) }
        row.append(",")
        row.append(UInt64(rows))
        row.append(",\(clip.startBasis.rawValue),\(clip.stopBasis.rawValue)")
        if isLocal {
            for instant in [clip.start, clip.stop] {
                row.append("," + LocalTime.text(instant, separator: UInt8(ascii: "T")))
            }
        }
        row.newline()
        return row
    }

    /// The header of the table, with its LF.
    static func header(isLocal: Bool) -> String {
        "camera,start_utc,stop_utc,duration_s,start_latitude,start_longitude,stop_latitude,"
            + "stop_longitude,distance_m,max_speed_mps,rows,start_from,stop_from"
            + (isLocal ? ",start_local,stop_local\n" : "\n")
    }
}
