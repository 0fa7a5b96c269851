package import LineProtocol

/// Cuts the daemon's output into lines and tells what kind each is.
package struct ReplyStream {
    /// What a line is.
    package enum Line: Equatable {
        /// A data line of an answer, or free text.
        case data(String)
        /// The end of the answer.
        case end(ReplyEnd)
        /// An event, without its `! `.
        case event(String)
    }

    /// Bytes of a line; geotagd sends no longer ones.
    package static let maxLineLength = 4 << 20

    private var partial: [UInt8] = []

    /// Nothing has come yet.
    package init() {}

    /// Appends the next bytes, and calls `body` with each line that they complete.
    ///
    /// - Returns: false where the line is longer than any of geotagd's.
    package mutating func append(_ bytes: some Collection<UInt8>, _ body: (Line) -> Void) -> Bool {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            partial += rest[..<end]
            body(Self.line(String(decoding: partial, as: UTF8.self)))
            partial.removeAll(keepingCapacity: true)
            rest = rest[rest.index(after: end)...]
        }
        partial += rest
        return partial.count <= Self.maxLineLength
    }

    private static func line(_ text: String) -> Line {
        if text == "OK" { return .end(.ok) }
        if text.hasPrefix("! ") { return .event(String(text.dropFirst(2))) }
        guard text.hasPrefix("ERR ") else { return .data(text) }
        let words = text.dropFirst(4)
        let code = words.prefix { $0 != " " }
        // A newer daemon may send codes that this program does not know.
        let known = ErrorCode(rawValue: String(code)) ?? .internal
        return .end(.error(known, String(words.dropFirst(code.count + 1))))
    }
}
