import Clock
import Glibc
import TrackFormat

/// Writes instants in the machine's time zone, for people who remember their day by it.
enum LocalTime {
    /// `2026-07-01 12:00:00.100+02:00`; empty outside the years of `CivilTime`.
    ///
    /// - Parameters:
    ///   - milliseconds: since 1970.
    ///   - separator: between date and time of day.
    static func text(_ milliseconds: Int64, separator: UInt8) -> String {
        var seconds = time_t(milliseconds.dividedRoundingDown(by: 1000))
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return "" }
        let offset = Int64(local.tm_gmtoff)
        var row = RowText()
        row.append(milliseconds: milliseconds + offset * 1000, separator: separator)
        let minutes = UInt64(offset.magnitude / 60)
        var zone = RowText()
        zone.append(offset < 0 ? "-" : "+")
        zone.append(minutes / 60, width: 2)
        zone.append(":")
        zone.append(minutes % 60, width: 2)
        return row.string.isEmpty ? "" : row.string.dropLast() + zone.string
    }
}
