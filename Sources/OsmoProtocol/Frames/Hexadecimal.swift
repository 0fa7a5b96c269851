extension Sequence<UInt8> {
    /// Upper-case hexadecimal digits, two a byte.
    package var hexadecimal: String {
        var text: [UInt8] = []
        for byte in self {
            for digit in [byte >> 4, byte & 15] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The bytes that hexadecimal digits in either case stand for; nil if there is anything else,
    /// or half a byte.
    package init?(hexadecimal text: some StringProtocol) {
        self = []
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = hexadecimalDigit(character) else { return nil }
            if let first = high {
                append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
    }
}

/// The value of a hexadecimal digit in either case.
func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
}

/// `0x` and two digits: how a code without a name is shown.
package func hexadecimalWord(_ code: UInt8) -> String { "0x" + [code].hexadecimal }
