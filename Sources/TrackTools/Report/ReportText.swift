import Clock
import TrackFormat

/// Numbers and instants as a report has them.
enum ReportText {
    /// `1:02:03`, or `2:03` below an hour.
    static func duration(_ milliseconds: Int64) -> String {
        let seconds = (max(0, milliseconds) + 500) / 1000
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let end = two(seconds % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(end)" : "\(minutes):\(end)"
    }

    /// `2026-07-01 10:00:00`, UTC.
    static func instant(_ milliseconds: Int64) -> String {
        guard let time = CivilTime(UnixTime(nanoseconds: milliseconds * 1_000_000)) else {
            return "-"
        }
        return "\(time.dateText) \(time.clockText.prefix(8))"
    }

    /// `10:00:00`, UTC.
    static func clock(_ milliseconds: Int64) -> String { String(instant(milliseconds).suffix(8)) }

    /// On an axis: a time of day, or a date where days lie between.
    static func tick(_ milliseconds: Int64, step: Int64) -> String {
        if step >= 86_400_000 { return String(instant(milliseconds).dropFirst(5).prefix(5)) }
        return String(clock(milliseconds).prefix(step < 60_000 ? 8 : 5))
    }

    /// With so many decimals, 0 to 3.
    static func number(_ value: Double, _ decimals: Int) -> String {
        if decimals == 0 { return String(Int(min(max(value, -1e15), 1e15).rounded())) }
        var row = RowText()
        row.append(value, decimals: decimals)
        return row.string
    }

    /// What may stand between tags.
    static func escaped(_ text: String) -> String {
        var row = RowText()
        row.append(xml: text)
        return row.string
    }

    private static func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
}
