/// A date and a time of day, some fixed offset from UTC: the Gregorian calendar without a library.
///
/// Years 1980 to 2107, which holds all that a receiver or a camera can mean.
package struct CivilTime: Equatable, Sendable {
    /// 1980 to 2107.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int
    /// 0 to 23.
    package let hour: Int
    /// 0 to 59.
    package let minute: Int
    /// 0 to 59: Unix time counts no leap seconds.
    package let second: Int
    /// 0 to 999,999,999.
    package let nanosecond: Int

    /// The years that it can hold.
    package static let years = 1980...2107

    /// The civil time of `time` where clocks are `offset` ahead of UTC; nil outside `years`.
    package init?(_ time: UnixTime, offset: TimeSpan = .zero) {
        let (shifted, overflow) = time.nanoseconds.addingReportingOverflow(offset.nanoseconds)
        if overflow { return nil }
        let local = UnixTime(nanoseconds: shifted)
        let seconds = local.wholeSeconds
        let days = seconds.dividedRoundingDown(by: 86_400)
        let secondOfDay = Int(seconds - days * 86_400)
        (year, month, day) = CivilTime.date(daysSince1970: Int(days))
        guard CivilTime.years.contains(year) else { return nil }
        hour = secondOfDay / 3_600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
        nanosecond = Int(local.nanoseconds - seconds * 1_000_000_000)
    }

    /// nil for a date or a time that does not exist.
    package init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
        nanosecond: Int = 0
    ) {
        guard CivilTime.years.contains(year), (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...59).contains(second),
            (0...999_999_999).contains(nanosecond)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// The instant, if these clocks are `offset` ahead of UTC.
    package func unixTime(offset: TimeSpan = .zero) -> UnixTime {
        let days = CivilTime.daysSince1970(year: year, month: month, day: day)
        let seconds = Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        return UnixTime(nanoseconds: seconds * 1_000_000_000 + Int64(nanosecond))
            + (TimeSpan.zero - offset)
    }

    /// Whether the Gregorian calendar gives `year` a 29 February.
    package static func isLeap(year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// 28 to 31; `month` 1 to 12.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Years are taken to begin in March, so that the leap day is a year's last; 400 of them have
    /// 146,097 days, and 719,468 days pass from 0000-03-01 to 1970.
    private static func date(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + 719_468
        let era = days >= 0 ? days / 146_097 : (days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension CivilTime {
    /// `2026-07-01`.
    package var dateText: String {
        "\(year)-\(CivilTime.digits(month, 2))-\(CivilTime.digits(day, 2))"
    }

    /// `10:00:00.100`: milliseconds, cut.
    package var clockText: String {
        CivilTime.digits(hour, 2) + ":" + CivilTime.digits(minute, 2) + ":"
            + CivilTime.digits(second, 2) + "." + CivilTime.digits(nanosecond / 1_000_000, 3)
    }

    /// `20260701T100000`, for names of files.
    package var compactText: String {
        "\(year)" + CivilTime.digits(month, 2) + CivilTime.digits(day, 2) + "T"
            + CivilTime.digits(hour, 2) + CivilTime.digits(minute, 2)
            + CivilTime.digits(second, 2)
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}

extension UnixTime {
    /// Reads what `isoText` writes, with none to nine digits behind the second's point; nil for
    /// anything else.
    package init?(isoText text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard bytes.count > pattern.count, bytes.last == UInt8(ascii: "Z") else { return nil }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        for (byte, expected) in zip(bytes, pattern) {
            guard expected == UInt8(ascii: "0") ? digits.contains(byte) : byte == expected else {
                return nil
            }
        }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) }
        }
        let fraction = bytes[pattern.count...].dropLast()
        var nanosecond = 0
        if let point = fraction.first {
            let decimals = fraction.dropFirst()
            guard point == UInt8(ascii: "."), (1...9).contains(decimals.count),
                decimals.allSatisfy(digits.contains)
            else { return nil }
            nanosecond = number(decimals.startIndex..<decimals.endIndex)
            for _ in decimals.count..<9 { nanosecond *= 10 }
        }
        guard
            let civil = CivilTime(
                year: number(0..<4), month: number(5..<7), day: number(8..<10),
                hour: number(11..<13), minute: number(14..<16), second: number(17..<19),
                nanosecond: nanosecond)
        else { return nil }
        self = civil.unixTime()
    }

    /// `2026-07-01T10:00:00.100Z`, milliseconds cut; nil outside the years of `CivilTime`.
    package var isoText: String? {
        CivilTime(self).map { "\($0.dateText)T\($0.clockText)Z" }
    }
}
