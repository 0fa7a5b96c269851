import TrackFormat

/// What is written of a clip.
enum ClipFormatKind: String, CaseIterable {
    case gpx
    case csv
    case srt
    case vbo
    case geojson

    /// One that writes it.
    var writer: any ClipFormat {
        switch self {
        case .gpx: TrackClipFormat(format: GPXFormat())
        case .geojson: TrackClipFormat(format: GeoJSONFormat())
        case .csv: CSVClipFormat()
        case .srt: SRTClipFormat()
        case .vbo: VBOClipFormat()
        }
    }
}

/// A file format for the way of one clip, written as its samples come.
protocol ClipFormat {
    /// - Parameter marks: those within the clip that have a place.
    mutating func begin(
        _ sampler: ClipSampler, marks: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault)
    mutating func append(_ sample: ClipSample, to output: TextOutput) throws(TrackToolFault)
    mutating func end(to output: TextOutput) throws(TrackToolFault)
}

/// Formats that tracks are written in, too.
struct TrackClipFormat<Format: TrackFormat>: ClipFormat {
    private var format: Format
    private var isFollowed = false

    init(format: Format) { self.format = format }

    mutating func begin(
        _ sampler: ClipSampler, marks: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault) {
        try format.begin(name: sampler.clip.name, waypoints: marks, to: output)
    }

    mutating func append(_ sample: ClipSample, to output: TextOutput) throws(TrackToolFault) {
        if let record = sample.record {
            try format.append(record, startsSegment: !isFollowed, to: output)
        }
        isFollowed = sample.record != nil
    }

    mutating func end(to output: TextOutput) throws(TrackToolFault) {
        try format.end(to: output)
    }
}

/// CSV with the columns of the track that programs look for, and clip time and frame behind them.
/// Where the track says nothing, columns are empty.
struct CSVClipFormat: ClipFormat {
    private var clip: PlacedClip?

    mutating func begin(
        _ sampler: ClipSampler, marks: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault) {
        clip = sampler.clip
        try output.write(
            "datetime_utc_time,latitude,longitude,alt_msl_m,Speed (m/s),heading_deg,fix,sats,hdop,"
                + "clip_s,frame\n")
    }

    mutating func append(_ sample: ClipSample, to output: TextOutput) throws(TrackToolFault) {
        guard let clip else { return }
        var row = RowText()
        row.append(milliseconds: sample.milliseconds, separator: UInt8(ascii: " "))
        row.comma()
        if let record = sample.record { row.append(degreesE8: record.latitudeE8) }
        row.comma()
        if let record = sample.record { row.append(degreesE8: record.longitudeE8) }
        row.comma()
        if let height = sample.record?.heightCentimetres { row.append(count: height, decimals: 2) }
        row.comma()
        if let speed = sample.record?.speedMillimetresPerSecond {
            row.append(count: speed, decimals: 3)
        }
        row.comma()
        if let heading = sample.record?.headingCentidegrees {
            row.append(count: heading, decimals: 2)
        }
        row.append(sample.record.map { $0.is3D ? ",3d," : ",2d," } ?? ",,")
        if let satellites = sample.record?.satellites { row.append(UInt64(satellites)) }
        row.comma()
        if let hdop = sample.record?.hdopHundredths { row.append(count: hdop, decimals: 2) }
        row.column(clip.seconds(at: sample.milliseconds), decimals: 3)
        row.comma()
        row.append(UInt64(clip.frame(at: sample.milliseconds)))
        row.newline()
        try output.write(row)
    }

    mutating func end(to output: TextOutput) throws(TrackToolFault) {}
}

extension PlacedClip {
    /// The number of the frame that is shown then, from 0.
    ///
    /// - Parameter milliseconds: since 1970.
    func frame(at milliseconds: Int64) -> Int {
        let share = (Double(milliseconds) * 1000 - start) / (end - start)
        // Half a millisecond: what an instant was rounded by.
        let slack = 500 / (end - start) * Double(frames)
        return min(max(0, Int(share * Double(frames) + slack)), max(0, frames - 1))
    }
}
