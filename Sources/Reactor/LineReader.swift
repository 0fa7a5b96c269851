/// Cuts a stream of bytes into lines of text: LF ends a line, a CR before it is dropped.
///
/// A line of more than `maximumLength` bytes, its LF counted, is reported once, as soon as that is
/// known, and its rest is skipped up to the next LF. So memory is bounded whatever comes in.
package struct LineReader {
    /// A line, or why it cannot be one.
    package enum Line: Equatable, Sendable {
        /// Without its end; may be empty.
        case text(String)
        case tooLong
        /// A NUL, a tab or another control character.
        case controlCharacter
        case invalidUTF8
    }

    /// Bytes, with the LF and a CR before it.
    package static let maximumLength = 1024

    /// What came since the last LF, at most `maximumLength - 1` bytes.
    private var partial: [UInt8] = []
    private var isSkipping = false

    /// No bytes have come yet.
    package init() { partial.reserveCapacity(Self.maximumLength) }

    /// A line has begun and not ended; one that is being skipped counts.
    package var hasPartialLine: Bool { isSkipping || !partial.isEmpty }

    /// Takes the next bytes and hands over each line that they end, in order.
    package mutating func append(
        _ bytes: some Collection<UInt8>, _ body: (Line) -> Void
    ) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isSkipping { body(Self.line(partial)) }
                dropPartialLine()
            } else if !isSkipping {
                guard partial.count < Self.maximumLength - 1 else {
                    dropPartialLine()
                    isSkipping = true
                    body(.tooLong)
                    continue
                }
                partial.append(byte)
            }
        }
    }

    /// The last line where the stream ended without an LF; nil if nothing is left to tell.
    package mutating func finish() -> Line? {
        defer { dropPartialLine() }
        return partial.isEmpty ? nil : Self.line(partial)
    }

    /// Forgets what came since the last LF; what follows begins a new line.
    package mutating func dropPartialLine() {
        partial.removeAll(keepingCapacity: true)
        isSkipping = false
    }

    private static func line(_ bytes: [UInt8]) -> Line {
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return .controlCharacter }
        guard let text = String(validating: bytes, as: UTF8.self) else { return .invalidUTF8 }
        // Terminals and line-splitting readers obey U+0080 to U+009F too.
        let isControl = text.unicodeScalars.contains { 0x80...0x9F ~= $0.value }
        return isControl ? .controlCharacter : .text(text)
    }
}
