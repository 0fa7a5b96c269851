package import Clock
package import Navigation

/// A row of the push log: one frame that was sent, to the millisecond. What the cameras themselves
/// store is in whole seconds.
package enum PushRow {
    /// With its LF.
    ///
    /// | column | content |
    /// | --- | --- |
    /// | `utc` | of the pushed position; empty before time is trusted, and for a void frame |
    /// | `mono_s` | when it was sent: seconds of CLOCK_MONOTONIC |
    /// | `seq` | the epoch it was carried from: the track's `seq` |
    /// | `age_s` | from that fix's own instant to the push |
    /// | `at_latitude` … `climb_mps` | what was pushed, degrees, metres, metres a second |
    /// | `fix` | `2d`, `3d`, or `void` for a frame without a position |
    /// | `took`, `dropped` | cameras whose links did and did not take it, joined by `+` |
    /// | `lat_e7`, `lon_e7`, `height_mm` | the integers that were sent; empty for a void frame |
    /// | `sent_date`, `sent_time` | the time field as sent: 20260701, 100000 |
    /// | `sent_unix_us` | UTC of `mono_s`, microseconds since 1970; empty before time is trusted |
    package static let header =
        String(earlierHeader.dropLast())
        + ",lat_e7,lon_e7,height_mm,sent_date,sent_time,sent_unix_us\n"

    /// The header of logs that were written before there were columns of integers, with its LF.
    package static let earlierHeader =
        "utc,mono_s,seq,age_s,at_latitude,at_longitude,alt_msl_m,speed_mps,heading_deg,climb_mps,"
        + "fix,took,dropped\n"

    /// The fields of the frame as it was sent.
    package struct Sent: Equatable, Sendable {
        /// Degrees times 10⁷, north positive.
        package var latitudeE7: Int32
        /// Degrees times 10⁷, east positive.
        package var longitudeE7: Int32
        /// Millimetres above mean sea level.
        package var heightMillimetres: Int32
        /// 20260131 for 31 January 2026.
        package var date: Int32
        /// 235959.
        package var time: Int32
        /// The frame has no position and tells the camera that the last one is no longer valid.
        package var isVoid: Bool

        /// The fields of a frame; 0 in a void one, but for date and time.
        package init(
            latitudeE7: Int32, longitudeE7: Int32, heightMillimetres: Int32, date: Int32,
            time: Int32, isVoid: Bool
        ) {
            self.latitudeE7 = latitudeE7
            self.longitudeE7 = longitudeE7
            self.heightMillimetres = heightMillimetres
            self.date = date
            self.time = time
            self.isVoid = isVoid
        }
    }

    /// The row, with its LF.
    ///
    /// - Parameters:
    ///   - utc: the pushed position's time, where time is trusted.
    ///   - sent: when it was handed to the links.
    ///   - fields: what the frame held; nil where that cannot be read.
    package static func line(
        _ position: CarriedPosition?, utc: UnixTime?, sent: Instant, fields: Sent?, took: [String],
        dropped: [String]
    ) -> [UInt8] {
        let fix = position?.fix
        let has3D = fix?.mode == .threeD
        var row = RowText()
        if let utc { row.append(milliseconds: utc.milliseconds, separator: UInt8(ascii: "T")) }
        row.column(sent)
        row.comma()
        if let position { row.append(UInt64(max(0, position.epochSequence))) }
        row.column(position?.age.seconds, decimals: 3)
        row.column(fix?.latitudeDegrees, decimals: 8)
        row.column(fix?.longitudeDegrees, decimals: 8)
        row.column(has3D ? fix?.heightMetres : nil, decimals: 2)
        row.column(fix?.speedMetresPerSecond, decimals: 3)
        row.column(heading: fix.flatMap(TrackRow.heading))
        row.column(has3D ? fix?.climbMetresPerSecond : nil, decimals: 3)
        row.append(fix == nil ? ",void," : has3D ? ",3d," : ",2d,")
        row.append(names: took)
        row.comma()
        row.append(names: dropped)
        row.append(fields)
        row.comma()
        if let utc, let position {
            let sentUTC = utc + (sent - position.instant)
            row.append(UInt64(max(0, sentUTC.nanoseconds) / 1000))
        }
        row.newline()
        return row.bytes
    }
}

extension RowText {
    /// Five columns: what was sent.
    fileprivate mutating func append(_ sent: PushRow.Sent?) {
        let isPosition = sent?.isVoid == false
        for value in [sent?.latitudeE7, sent?.longitudeE7, sent?.heightMillimetres] {
            comma()
            if isPosition, let value { append(signed: Int64(value)) }
        }
        for value in [sent?.date, sent?.time] {
            comma()
            if let value { append(signed: Int64(value)) }
        }
    }

    /// In decimal, with a sign where it is negative.
    package mutating func append(signed number: Int64) {
        if number < 0 { append("-") }
        append(number.magnitude)
    }

    /// Names joined by `+`, which no name contains.
    mutating func append(names: [String]) {
        for (index, name) in names.enumerated() {
            if index > 0 { append("+") }
            append(stripped: name)
        }
    }
}
