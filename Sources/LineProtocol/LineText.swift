package import Clock
import OsmoProtocol

/// Writes values into lines, and reads them back (contract 2.2).
package enum LineText {
    /// A value as it stands behind `key=`: without quotes where it can be, else in double quotes
    /// with backslash escapes.
    package static func value(_ text: String) -> String {
        let bare = text.unicodeScalars.allSatisfy { scalar in
            scalar != " " && scalar != "\"" && scalar != "\\" && !isControl(scalar)
        }
        return bare && !text.isEmpty ? text : quoted(text)
    }

    /// In double quotes, with `\"`, `\\`, `\n`, `\r`, `\t`, and `\xNN` for other control
    /// characters.
    package static func quoted(_ text: some StringProtocol) -> String {
        var line = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            default:
                if isControl(scalar) {
                    line += "\\x" + [UInt8(scalar.value)].hexadecimal
                } else {
                    line.unicodeScalars.append(scalar)
                }
            }
        }
        return line + "\""
    }

    /// Splits a line at its spaces, quoted values whole and without their quotes and escapes.
    ///
    /// The reverse of `value(_:)`: what geotagctl reads replies and events with. A quote that is
    /// never closed ends with the line.
    package static func words(_ line: some StringProtocol) -> [String] {
        var words: [String] = []
        var word = ""
        var begun = false
        var quoted = false
        var scalars = Array(line.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                quoted.toggle()
                begun = true
            case "\\" where quoted:
                word.unicodeScalars.append(escaped(&scalars))
            case " " where !quoted:
                if begun { words.append(word) }
                word = ""
                begun = false
            default:
                word.unicodeScalars.append(scalar)
                begun = true
            }
        }
        if begun { words.append(word) }
        return words
    }

    /// UTC to the millisecond, `2026-07-01T10:00:00.100Z`; empty where no calendar has it.
    package static func instant(_ time: UnixTime) -> String { time.isoText ?? "" }

    /// Seconds of the monotonic clock, three decimals.
    package static func seconds(_ instant: Instant) -> String {
        fixed(instant.nanoseconds, unit: 1_000_000_000, decimals: 3)
    }

    /// A whole count of small units as a decimal number of large ones, rounded half away from zero.
    ///
    /// - Parameters:
    ///   - unit: small units in a large one, a power of ten of at least `decimals` digits.
    ///   - decimals: digits behind the point, 1 or more.
    package static func fixed(_ count: Int64, unit: Int64, decimals: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let step = unit / scale
        let magnitude = (count.magnitude + step.magnitude / 2) / step.magnitude
        let whole = magnitude / scale.magnitude
        let digits = String(magnitude % scale.magnitude)
        let padding = String(repeating: "0", count: decimals - digits.count)
        return (count < 0 && magnitude > 0 ? "-" : "") + "\(whole)." + padding + digits
    }

    /// A finite number with so many decimals, rounded half away from zero; never `-0.0`.
    ///
    /// - Parameters:
    ///   - number: exact below 9e15 / 10^decimals in magnitude. Beyond what 64 bits hold it is
    ///     written with an exponent, as the language prints it.
    ///   - decimals: digits behind the point, 0 to 18.
    package static func decimal(_ number: Double, decimals: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        guard let count = Int64(exactly: (number * Double(scale)).rounded()) else {
            return "\(number)"
        }
        return decimals == 0 ? String(count) : fixed(count, unit: scale, decimals: decimals)
    }

    /// Whether the character is C0, DEL or C1: a terminal would obey it.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func escaped(_ scalars: inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar {
        switch scalars.popFirst() {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "x":
            var digits = ""
            digits.unicodeScalars.append(contentsOf: scalars.prefix(2))
            scalars = scalars.dropFirst(2)
            return UInt8(digits, radix: 16).map { Unicode.Scalar($0) } ?? "\u{FFFD}"
        case let scalar?: return scalar
        case nil: return "\\"
        }
    }
}
