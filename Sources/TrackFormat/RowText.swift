package import Clock

/// Builds a row, byte by byte. Numbers are written by integer arithmetic, the same in every locale.
package struct RowText {
    /// The row so far, as it goes into the file.
    package private(set) var bytes: [UInt8] = []

    /// The greatest number that is written. A greater one is no measurement, and its column stays
    /// empty.
    static let maxNumber = 1e9

    /// An empty row with room for 256 bytes: an ordinary row never makes it grow.
    package init() { bytes.reserveCapacity(256) }

    /// The row so far, as a text for tests and tools.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Ends a column: the next append begins another one.
    package mutating func comma() { bytes.append(UInt8(ascii: ",")) }

    /// Appends words of our own, unchanged.
    package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Names from outside, without what would break a line or ask for quotes: `,`, `"` and control
    /// characters.
    package mutating func append(stripped text: String) {
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
    package mutating func append(field text: String) {
        let quotes = text.utf8.contains(where: Self.asksForQuotes)
        if quotes { bytes.append(UInt8(ascii: "\"")) }
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(Self.isControl(byte) ? UInt8(ascii: " ") : byte)
        }
        if quotes { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Appends the number in decimal, with leading zeros up to `width`.
    package mutating func append(_ number: UInt64, width: Int = 1) {
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

    /// Appends `count` units of 10^-`decimals` (`decimals` 1 to 9), and never writes `-0.00`.
    package mutating func append(count: Int64, decimals: Int) {
        let scale = Self.powers[decimals]
        if count < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: scale)
        append(whole)
        bytes.append(UInt8(ascii: "."))
        append(fraction, width: decimals)
    }

    /// Appends the number, rounded half away from zero; nothing where it is unknown or no
    /// measurement.
    package mutating func append(_ number: Double?, decimals: Int) {
        guard let count = Self.count(number, decimals: decimals) else { return }
        append(count: count, decimals: decimals)
    }

    /// The number in whole 10^-`decimals`; nil where it is unknown, not finite or absurd.
    package static func count(_ number: Double?, decimals: Int) -> Int64? {
        guard let number, number.magnitude < maxNumber else { return nil }
        return Int64((number * Double(powers[decimals])).rounded())
    }

    /// A comma, then the number.
    package mutating func column(_ number: Double?, decimals: Int) {
        comma()
        append(number, decimals: decimals)
    }

    /// A comma, then seconds of the monotonic clock to the microsecond.
    package mutating func column(_ instant: Instant) {
        comma()
        append(count: instant.nanoseconds / 1000, decimals: 6)
    }

    /// `2026-07-01 10:00:00.100Z`, with `T` for the space where that is asked for; nothing for a
    /// time outside the years of `CivilTime`.
    package mutating func append(milliseconds: Int64, separator: UInt8) {
        let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow, let time = CivilTime(UnixTime(nanoseconds: nanoseconds)) else { return }
        append(UInt64(time.year), width: 4)
        bytes.append(UInt8(ascii: "-"))
        append(UInt64(time.month), width: 2)
        bytes.append(UInt8(ascii: "-"))
        append(UInt64(time.day), width: 2)
        bytes.append(separator)
        append(UInt64(time.hour), width: 2)
        bytes.append(UInt8(ascii: ":"))
        append(UInt64(time.minute), width: 2)
        bytes.append(UInt8(ascii: ":"))
        append(UInt64(time.second), width: 2)
        bytes.append(UInt8(ascii: "."))
        append(UInt64(time.nanosecond / 1_000_000), width: 3)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Ends the row with LF.
    package mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

    private static let powers: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
}
