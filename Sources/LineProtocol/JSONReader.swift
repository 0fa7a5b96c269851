extension JSONValue {
    /// How deep arrays and objects may stand in each other; a deeper text is refused.
    package static let deepest = 64

    /// Reads one JSON value (RFC 8259) and nothing behind it; nil for anything else.
    ///
    /// Whole numbers that fit become `integer`, others `decimal`. Where a key comes twice the first
    /// counts.
    package init?(_ text: some StringProtocol) {
        var reader = JSONReader(Array(text.utf8))
        guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
        self = value
    }
}

/// Walks over the bytes of a JSON text; every reader answers nil for what is not JSON.
private struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return index == bytes.count
        }
    }

    mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard depth <= JSONValue.deepest, index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return list(depth: depth)
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "t"): return consume("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return consume("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return consume("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        guard consume("{") else { return nil }
        var members: [JSONValue.Member] = []
        skipSpace()
        if consume("}") { return .object([]) }
        while true {
            skipSpace()
            guard let key = string() else { return nil }
            skipSpace()
            guard consume(":"), let value = value(depth: depth + 1) else { return nil }
            members.append(JSONValue.Member(key, value))
            skipSpace()
            if consume("}") { return .object(members) }
            guard consume(",") else { return nil }
        }
    }

    private mutating func list(depth: Int) -> JSONValue? {
        guard consume("[") else { return nil }
        var values: [JSONValue] = []
        skipSpace()
        if consume("]") { return .list([]) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
            skipSpace()
            if consume("]") { return .list(values) }
            guard consume(",") else { return nil }
        }
    }

    private mutating func string() -> String? {
        guard consume("\"") else { return nil }
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text += Array(String(scalar).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let first = codeUnit() else { return nil }
            guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
            guard consume("\\u"), let second = codeUnit(), (0xDC00...0xDFFF).contains(second) else {
                return nil
            }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        let digits = bytes[index..<index + 4]
        index += 4
        guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func number() -> JSONValue? {
        let start = index
        _ = consume("-")
        guard let first = digits(), first.count == 1 || first.first != UInt8(ascii: "0") else {
            return nil
        }
        var places = 0
        var isWhole = true
        if consume(".") {
            guard let fraction = digits() else { return nil }
            places = fraction.count
            isWhole = false
        }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            guard digits() != nil else { return nil }
            isWhole = false
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let number = Int(text) { return .integer(number) }
        return Double(text).map { .decimal($0, places: min(places, 15)) }
    }

    private mutating func digits() -> ArraySlice<UInt8>? {
        let start = index
        while index < bytes.count,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
        { index += 1 }
        return start == index ? nil : bytes[start..<index]
    }

    private mutating func consume(_ word: StaticString) -> Bool {
        let word = Array(word.description.utf8)
        guard bytes[index...].starts(with: word) else { return false }
        index += word.count
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }
}
