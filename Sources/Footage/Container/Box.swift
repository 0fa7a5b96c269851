/// A four-letter name of MP4.
struct BoxName: Hashable, Sendable, ExpressibleByStringLiteral {
    let code: UInt32

    init(code: UInt32) { self.code = code }

    init(stringLiteral text: StaticString) {
        code = "\(text)".utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Letters, digits and spaces as they are; a dot for any other byte.
    var text: String {
        String(
            decoding: (0..<4).map { index -> UInt8 in
                let byte = UInt8(truncatingIfNeeded: code >> (24 - 8 * index))
                return (0x20...0x7E).contains(byte) ? byte : UInt8(ascii: ".")
            }, as: UTF8.self)
    }

    var isPlain: Bool {
        (0..<4).allSatisfy { (0x20...0x7E).contains(UInt8(truncatingIfNeeded: code >> (8 * $0))) }
    }
}

/// A box of MP4: a name and where its content stands.
struct Box: Equatable, Sendable {
    let name: BoxName
    /// Where the content stands in the file.
    let body: Range<UInt64>

    var size: UInt64 { body.upperBound - body.lowerBound }
}

/// Goes through the boxes of a stretch of the file, one after another.
struct BoxCursor {
    /// Boxes beside each other that are read; cameras write less than 30.
    static let maxBoxes = 4096

    private var offset: UInt64
    private let end: UInt64
    private var left = BoxCursor.maxBoxes
    private var buffer: [UInt8] = []

    init(_ range: Range<UInt64>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    /// nil at the end of the stretch; up to 7 bytes that are left there are padding.
    mutating func next(in source: some ByteSource) throws(ClipFault) -> Box? {
        guard left > 0, end - offset >= 8 else { return nil }
        left -= 1
        try source.read(8, at: offset, into: &buffer)
        let name = BoxName(code: UInt32(buffer.bigEndian(at: 4, bytes: 4)))
        var size = buffer.bigEndian(at: 0, bytes: 4)
        var header: UInt64 = 8
        if size == 1 {
            guard end - offset >= 16 else { throw .cut }
            try source.read(8, at: offset + 8, into: &buffer)
            size = buffer.bigEndian(at: 0, bytes: 8)
            header = 16
        } else if size == 0 {
            // A size of 0 means that the box goes to the end.
            size = end - offset
        }
        guard size >= header else { throw .damaged(name.text) }
        guard size <= end - offset else { throw .cut }
        defer { offset += size }
        return Box(name: name, body: offset + header..<offset + size)
    }
}
