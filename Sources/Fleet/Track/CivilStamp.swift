/// Dates of the Gregorian calendar and days since 1970, by integer arithmetic.
///
/// Years are counted from March in the computation, so that the leap day ends a year.
enum CivilStamp {
    /// Days in the 400 years after which the calendar repeats.
    private static let cycle: Int64 = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let epoch: Int64 = 719_468

    /// - Parameter day: since 1970-01-01, -719468 (the year 0) or later.
    static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + epoch
        let within = shifted % cycle
        // Whole years: each leap day is taken out before dividing by 365.
        let year = (within - within / 1460 + within / 36524 - within / (cycle - 1)) / 365
        let dayOfYear = within - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            shifted / cycle * 400 + year + (month < 10 ? 0 : 1),
            month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    /// The reverse; nil for a date that the calendar does not have.
    static func day(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let within = marchYear % 400
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let result =
            marchYear / 400 * cycle + within * 365 + within / 4 - within / 100 + dayOfYear - epoch
        let back = date(ofDay: result)
        return back == (year, month, day) ? result : nil
    }

    /// Reads `YYYYMMDDTHHMMSSZ`; seconds since 1970.
    static func second(compact text: [UInt8]) -> Int64? {
        guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z") else {
            return nil
        }
        return second(
            year: number(text[0..<4]), month: number(text[4..<6]), day: number(text[6..<8]),
            hour: number(text[9..<11]), minute: number(text[11..<13]),
            second: number(text[13..<15]))
    }

    private static func second(
        year: Int64?, month: Int64?, day: Int64?, hour: Int64?, minute: Int64?, second: Int64?
    ) -> Int64? {
        guard let year, let month, let day, let hour, let minute, let second,
            hour < 24, minute < 60, second < 60,
            let days = Self.day(year: year, month: month, day: day)
        else { return nil }
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    /// Digits alone make a number.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
