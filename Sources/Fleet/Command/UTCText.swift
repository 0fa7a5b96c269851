import Navigation

extension UnixTime {
    /// `2026-07-01T10:00:00.100Z`.
    var isoText: String? {
        let seconds = wholeSeconds
        let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let clock = (seconds % 86_400 + 86_400) % 86_400
        func digits(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let date = "\(year)-\(digits(month, 2))-\(digits(dayOfYear - (153 * march + 2) / 5 + 1, 2))"
        let milliseconds = (nanoseconds - seconds * 1_000_000_000) / 1_000_000
        return date + "T\(digits(clock / 3600, 2)):\(digits(clock / 60 % 60, 2)):"
            + "\(digits(clock % 60, 2)).\(digits(milliseconds, 3))Z"
    }
}
