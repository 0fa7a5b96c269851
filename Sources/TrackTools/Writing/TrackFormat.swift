import TrackFormat

/// A place that has a name: a mark.
struct Waypoint: Equatable {
    /// Milliseconds since 1970; nil where the time is not known.
    var milliseconds: Int64?
    var latitudeE8: Int64
    var longitudeE8: Int64
    var name: String
}

/// A file format that tracks are converted to, written row by row.
protocol TrackFormat {
    /// - Parameter name: the name of the track.
    mutating func begin(
        name: String, waypoints: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault)
    /// - Parameter startsSegment: the rig was not followed from the last row to this one.
    mutating func append(
        _ record: TrackRecord, startsSegment: Bool, to output: TextOutput
    ) throws(TrackToolFault)
    mutating func end(to output: TextOutput) throws(TrackToolFault)
}

/// Finds where one row no longer follows from the row before.
struct Segmenter {
    /// After a longer pause a new piece of the line begins, since nobody knows the way between.
    static let maxPause: Int64 = 10_000

    private var last: Int64?

    mutating func startsSegment(_ record: TrackRecord) -> Bool {
        defer { last = record.milliseconds }
        guard let last else { return true }
        return !(0...Self.maxPause).contains(record.milliseconds - last)
    }
}

/// Gathers rows for formats that put places and times into separate lists.
struct RecordBatch {
    /// After so many rows another piece of the line begins, at the place where this one ends. So a
    /// day needs no more memory than a quarter of an hour.
    static let maxPoints = 10_000

    private(set) var records: [TrackRecord] = []

    /// Adds a row; returns the rows that are to be written out before it.
    mutating func append(_ record: TrackRecord, startsSegment: Bool) -> [TrackRecord] {
        var done: [TrackRecord] = []
        if startsSegment || crossesDateLine(to: record) {
            done = records
            records = []
        } else if records.count >= Self.maxPoints, let joint = records.last {
            done = records
            records = [joint]
        }
        records.append(record)
        return done
    }

    /// A line through 180 degrees would be drawn around the whole earth (RFC 7946, 3.1.9).
    private func crossesDateLine(to record: TrackRecord) -> Bool {
        records.last.map { DateLine.lies(between: $0.longitudeE8, record.longitudeE8) } ?? false
    }
}

/// The meridian of 180 degrees, where longitudes begin anew.
enum DateLine {
    /// Whether the short way between two longitudes (in 1e-8 degrees) crosses the meridian.
    static func lies(between one: Int64, _ other: Int64) -> Bool {
        (one - other).magnitude > 18_000_000_000
    }
}

extension RowText {
    /// Degrees, as the track has them.
    mutating func append(degreesE8 value: Int64) { append(count: value, decimals: 8) }

    mutating func append(utc milliseconds: Int64) {
        append(milliseconds: milliseconds, separator: UInt8(ascii: "T"))
    }

    /// Text between tags or in an attribute; what XML cannot hold is left out.
    mutating func append(xml text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": append(" ")
            default: append(String(scalar))
            }
        }
    }

    /// A JSON string with its quotes.
    mutating func append(json text: String) {
        append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\u{0}"..."\u{1F}": append(" ")
            default: append(String(scalar))
            }
        }
        append("\"")
    }
}
