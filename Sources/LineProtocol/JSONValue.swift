/// A JSON value whose members keep their order.
package enum JSONValue: Equatable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    /// With so many digits behind the point; what is not finite is written as null.
    case decimal(Double, places: Int)
    case text(String)
    case list([JSONValue])
    case object([Member])

    /// One `"key": value`.
    package struct Member: Equatable, Sendable {
        /// The name, not escaped yet.
        package var key: String
        /// What stands behind the colon.
        package var value: JSONValue

        /// A member. Whoever makes an object sees to it that no key comes twice.
        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// A member's value; nil where this is no object or has no such member.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

extension JSONValue {
    /// A number's value; nil for anything else.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let number, _): number
        case .null, .flag, .text, .list, .object: nil
        }
    }

    /// A list's values; empty for anything else.
    package var values: [JSONValue] {
        guard case .list(let values) = self else { return [] }
        return values
    }
}

/// Unknown is null, never 0.
extension JSONValue {
    /// A text; null for nil.
    package static func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }
    /// A whole number; null for nil.
    package static func integer(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }
    /// true or false; null for nil.
    package static func flag(_ value: Bool?) -> JSONValue { value.map { .flag($0) } ?? .null }

    /// A number with `places` digits behind the point; null for nil, and for what is not finite.
    package static func decimal(_ value: Double?, places: Int) -> JSONValue {
        value.map { .decimal($0, places: places) } ?? .null
    }
}

/// Written out.
extension JSONValue {
    /// One line without spaces.
    package var line: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// The value as it is written in a `key=value`; nil for null, lists and objects.
    package var word: String? {
        switch self {
        case .null, .list, .object: nil
        case .text(let text): text
        case .flag, .integer: line
        case .decimal(let number, _): number.isFinite ? line : nil
        }
    }

    /// Reads such a word: as a number, true or false where it is one, else as a text. `007`, `1e5`
    /// and numbers with more digits than a number keeps are texts, so that no digit is lost.
    package init(word: String) {
        let isPlain = word.utf8.allSatisfy {
            (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
        }
        let isTruth = word == "true" || word == "false"
        let value = isPlain || isTruth ? JSONValue(word) : nil
        if let value, value.line == word { self = value } else { self = .text(word) }
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .flag(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .decimal(let number, let places):
            text += number.isFinite ? LineText.decimal(number, decimals: places) : "null"
        case .text(let string): Self.quote(string, to: &text)
        case .list(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.quote(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func quote(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                if LineText.isControl(scalar) || scalar == "\u{2028}" || scalar == "\u{2029}" {
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}
