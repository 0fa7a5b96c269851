/// Why bytes cannot be read as a message of Protocol Buffers.
enum WireFault: Error, Equatable {
    /// They end within a field.
    case cut
    /// A number of more than ten bytes.
    case longNumber
    /// A kind of field that proto3 does not have, or field 0.
    case unknownKind
}

/// A field of a message: its number and its raw value.
struct WireField: Equatable, Sendable {
    enum Value: Equatable, Sendable {
        case varint(UInt64)
        case fixed64(UInt64)
        /// Where a string or a message stands.
        case bytes(Range<Int>)
        case fixed32(UInt32)
    }

    let number: Int
    let value: Value
}

/// Goes through the fields of one message of Protocol Buffers. A nested message is read by another
/// reader, of its range.
struct WireReader {
    let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    /// The message within `range` of the same bytes.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// nil at the end.
    mutating func next() throws(WireFault) -> WireField? {
        guard position < end else { return nil }
        let key = try varint()
        guard let number = Int(exactly: key >> 3), number > 0 else { throw .unknownKind }
        switch key & 7 {
        case 0: return WireField(number: number, value: .varint(try varint()))
        case 1: return WireField(number: number, value: .fixed64(try fixed(8)))
        case 2:
            let length = try varint()
            guard length <= UInt64(end - position) else { throw .cut }
            let range = position..<position + Int(length)
            position = range.upperBound
            return WireField(number: number, value: .bytes(range))
        case 5:
            return WireField(
                number: number, value: .fixed32(UInt32(truncatingIfNeeded: try fixed(4))))
        default: throw .unknownKind
        }
    }

    private mutating func varint() throws(WireFault) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard position < end else { throw .cut }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw .longNumber
    }

    private mutating func fixed(_ count: Int) throws(WireFault) -> UInt64 {
        guard end - position >= count else { throw .cut }
        var value: UInt64 = 0
        for index in (0..<count).reversed() { value = value << 8 | UInt64(bytes[position + index]) }
        position += count
        return value
    }

    /// A string of the message, without control characters, cut at `maxText` bytes.
    func text(_ range: Range<Int>) -> String {
        let part = bytes[range].prefix(Self.maxText)
        return String(decoding: part.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }

    /// Bytes of a string that are kept; the longest that cameras write is 64.
    static let maxText = 128
}
