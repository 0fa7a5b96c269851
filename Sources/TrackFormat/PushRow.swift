package import Clock
package import Navigation

/// A row of the push log: one frame on its way, to the millisecond. The cameras' own stamps are in
/// whole seconds.
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
    package static let header =
        "utc,mono_s,seq,age_s,at_latitude,at_longitude,alt_msl_m,speed_mps,heading_deg,climb_mps,"
        + "fix,took,dropped\n"

    /// The row, with its LF.
    ///
    /// - Parameters:
    ///   - utc: the pushed position's time, where time is trusted.
    ///   - sent: when it was handed to the links.
    package static func line(
        _ position: CarriedPosition?, utc: UnixTime?, sent: Instant, took: [String],
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
        row.newline()
        return row.bytes
    }
}

extension RowText {
    /// Joined by `+`, which no name holds.
    mutating func append(names: [String]) {
        for (index, name) in names.enumerated() {
            if index > 0 { append("+") }
            append(stripped: name)
        }
    }
}
