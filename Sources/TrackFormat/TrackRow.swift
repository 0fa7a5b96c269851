package import Clock
import Navigation

/// A row of the track: one epoch of the receiver.
///
/// The header is fixed: ExifTool, GPSBabel and pandas each read it without options, and one more
/// column, or another name, would make one of them misread the file (field notes B1, B2).
package enum TrackRow {
    /// With its LF.
    ///
    /// | column | unit |
    /// | --- | --- |
    /// | `datetime_utc_time` | UTC of the epoch, to the millisecond |
    /// | `latitude`, `longitude` | degrees, WGS84 |
    /// | `alt_msl_m` | metres above mean sea level; empty on a 2-D fix |
    /// | `Speed (m/s)` | over ground |
    /// | `heading_deg` | course over ground, true; empty where the receiver states none |
    /// | `fix` | `2d` or `3d` |
    /// | `sats`, `hdop` | satellites used, dilution |
    /// | `climb_mps` | metres a second, up; empty on a 2-D fix |
    /// | `hae_m` | metres above the ellipsoid; empty on a 2-D fix |
    /// | `eph_m`, `epv_m` | the receiver's error estimates, metres |
    /// | `epoch_s` | seconds since 1970, the same instant as the first column |
    /// | `mono_s` | seconds of CLOCK_MONOTONIC at arrival |
    /// | `seq` | counts epochs within a run |
    /// | `device` | the receiver, as gpsd names it |
    /// | `pushed` | cameras that got a push carried from this epoch |
    /// | `rec` | cameras that record, joined by `+` |
    package static let header =
        "datetime_utc_time,latitude,longitude,alt_msl_m,Speed (m/s),heading_deg,fix,sats,hdop,"
        + "climb_mps,hae_m,eph_m,epv_m,epoch_s,mono_s,seq,device,pushed,rec\n"

    /// The row, with its LF.
    ///
    /// - Parameter time: the epoch's UTC, trusted.
    package static func line(_ epoch: ClosedEpoch, time: UnixTime) -> [UInt8] {
        let fix = epoch.fix
        let has3D = fix.mode == .threeD
        let milliseconds = time.milliseconds
        var row = RowText()
        row.append(milliseconds: milliseconds, separator: UInt8(ascii: " "))
        row.column(fix.latitudeDegrees, decimals: 8)
        row.column(fix.longitudeDegrees, decimals: 8)
        row.column(has3D ? fix.heightMetres : nil, decimals: 2)
        row.column(fix.speedMetresPerSecond, decimals: 3)
        row.column(heading: heading(of: fix))
        row.append(has3D ? ",3d," : ",2d,")
        if let satellites = fix.satellites { row.append(UInt64(max(0, satellites))) }
        row.column(fix.hdop, decimals: 2)
        row.column(has3D ? fix.climbMetresPerSecond : nil, decimals: 3)
        row.column(has3D ? fix.ellipsoidHeightMetres : nil, decimals: 2)
        row.column(fix.horizontalAccuracyMetres, decimals: 2)
        row.column(has3D ? fix.verticalAccuracyMetres : nil, decimals: 2)
        row.comma()
        row.append(count: milliseconds, decimals: 3)
        row.column(fix.arrival)
        row.comma()
        row.append(UInt64(max(0, epoch.sequence)))
        row.comma()
        row.append(stripped: fix.device)
        row.comma()
        row.append(UInt64(max(0, epoch.pushedCameras)))
        row.comma()
        row.append(names: epoch.recording)
        row.newline()
        return row.bytes
    }

    /// Course in hundredths of a degree, 0 to 35999; nil where the receiver states none.
    static func heading(of fix: Fix) -> Int64? {
        guard let course = RowText.count(fix.courseDegrees, decimals: 2) else { return nil }
        return course == 36_000 ? 0 : course
    }
}

extension RowText {
    /// A comma, then a course in hundredths of a degree.
    mutating func column(heading: Int64?) {
        comma()
        if let heading { append(count: heading, decimals: 2) }
    }
}
