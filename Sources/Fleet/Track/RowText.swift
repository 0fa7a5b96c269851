import Navigation

/// A row as it grows, byte by byte: numbers by integer arithmetic, the same in every locale.
struct RowText {
    private(set) var bytes: [UInt8] = []

    /// Longest number that is written out; whatever is larger is no measurement and stays empty.
    static let largestNumber = 1e9

    init() { bytes.reserveCapacity(256) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func comma() { bytes.append(UInt8(ascii: ",")) }

    /// What needs no look: our own words.
    mutating func append(_ text: StaticString) {
        append(text.description)
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Names from outside, without what would break a line or ask for quotes: `,`, `"` and control
    /// characters.
    mutating func append(stripped text: String) {
        for byte in text.utf8 where !Self.isControl(byte) && !Self.asksForQuotes(byte) {
            bytes.append(byte)
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    private static func asksForQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"")
    }

    /// Free text as a CSV field: quoted where it holds a comma or a quote, control characters as
    /// spaces.
    mutating func append(field text: String) {
        let quotes = text.utf8.contains(where: Self.asksForQuotes)
        if quotes { bytes.append(UInt8(ascii: "\"")) }
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(Self.isControl(byte) ? UInt8(ascii: " ") : byte)
        }
        if quotes { bytes.append(UInt8(ascii: "\"")) }
    }

    /// In decimal, with zeros in front up to `width`.
    mutating func append(_ number: UInt64, width: Int = 1) {
        var digits = 1
        var limit: UInt64 = 10
        while digits < 19 && number >= limit {
            limit *= 10
            digits += 1
        }
        digits = max(digits, width)
        var index = bytes.count + digits
        var rest = number
        for _ in 0..<digits { bytes.append(UInt8(ascii: "0")) }
        while rest > 0 {
            index -= 1
            bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// A count of 10^-`decimals`, `decimals` 1 to 9: never `-0.00`.
    mutating func append(count: Int64, decimals: Int) {
        let scale = Self.powers[decimals]
        if count < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: scale)
        append(whole)
        bytes.append(UInt8(ascii: "."))
        append(fraction, width: decimals)
    }

    /// Rounded half away from zero; nothing for what is unknown or no measurement.
    mutating func append(_ number: Double?, decimals: Int) {
        guard let count = Self.count(number, decimals: decimals) else { return }
        append(count: count, decimals: decimals)
    }

    /// The number in whole 10^-`decimals`; nil where it is unknown, not finite or absurd.
    static func count(_ number: Double?, decimals: Int) -> Int64? {
        guard let number, number.magnitude < largestNumber else { return nil }
        return Int64((number * Double(powers[decimals])).rounded())
    }

    /// A comma, then the number.
    mutating func column(_ number: Double?, decimals: Int) {
        comma()
        append(number, decimals: decimals)
    }

    /// A comma, then seconds of the monotonic clock to the microsecond.
    mutating func column(_ instant: Instant) {
        comma()
        append(count: instant.nanoseconds / 1000, decimals: 6)
    }

    /// `2026-07-01 10:00:00.100Z`, with `T` for the space where that is asked for.
    mutating func append(milliseconds: Int64, separator: UInt8) {
        let day = Self.floor(milliseconds, 86_400_000)
        let date = CivilStamp.date(ofDay: day)
        var rest = UInt64(milliseconds - day * 86_400_000)
        append(UInt64(date.year), width: 4)
        bytes.append(UInt8(ascii: "-"))
        append(UInt64(date.month), width: 2)
        bytes.append(UInt8(ascii: "-"))
        append(UInt64(date.day), width: 2)
        bytes.append(separator)
        append(rest / 3_600_000, width: 2)
        rest %= 3_600_000
        bytes.append(UInt8(ascii: ":"))
        append(rest / 60_000, width: 2)
        rest %= 60_000
        bytes.append(UInt8(ascii: ":"))
        append(rest / 1000, width: 2)
        bytes.append(UInt8(ascii: "."))
        append(rest % 1000, width: 3)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// `20260701T100000Z`, as in names of files.
    mutating func append(compactSecond second: Int64) {
        let day = Self.floor(second, 86_400)
        let date = CivilStamp.date(ofDay: day)
        let rest = UInt64(second - day * 86_400)
        append(UInt64(date.year), width: 4)
        append(UInt64(date.month), width: 2)
        append(UInt64(date.day), width: 2)
        bytes.append(UInt8(ascii: "T"))
        append(rest / 3600, width: 2)
        append(rest / 60 % 60, width: 2)
        append(rest % 60, width: 2)
        bytes.append(UInt8(ascii: "Z"))
    }

    mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

    /// The quotient rounded down, also before 1970.
    static func floor(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static let powers: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
}

extension UnixTime {
    /// Milliseconds since 1970, rounded to the nearest: what a row can tell apart.
    var milliseconds: Int64 { RowText.floor(nanoseconds + 500_000, 1_000_000) }
}
