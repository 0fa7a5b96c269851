package import OsmoProtocol

/// What is wrong with a request. Nothing of it was done.
package enum RequestFault: Error, Equatable, Sendable {
    /// More than 1024 bytes with the LF.
    case tooLong
    /// A byte below 0x20 or 0x7F, or a control character of two bytes (U+0080 to U+009F).
    case controlByte
    case invalidUTF8
    case badTag
    /// A tag and nothing else.
    case noVerb
    case unknownVerb(String)
    case missingArgument(Verb)
    case surplusArgument(Verb, String)
    /// A word that the verb does not know, with the words that it knows.
    case badArgument(Verb, word: String, allowed: String)
    /// A target such as `front,,rear`, or `all` beside others.
    case badTarget(Verb, String)
    /// What is given to `raw` is not written as bytes.
    case notHexadecimal
    /// The bytes given to `raw` are no whole frame.
    case badFrame(FrameError)

    /// The code of its `ERR`.
    package var code: ErrorCode {
        switch self {
        case .tooLong, .controlByte, .invalidUTF8, .badTag, .noVerb, .unknownVerb: .badCommand
        case .missingArgument, .surplusArgument, .badArgument, .badTarget, .notHexadecimal,
            .badFrame:
            .badArgument
        }
    }

    /// What is wrong and the way out, one line.
    package var message: String {
        switch self {
        case .tooLong: return "the line is longer than \(Request.maxLineLength) bytes"
        case .controlByte: return "a tab or another control byte; words are separated by spaces"
        case .invalidUTF8: return "the line is not UTF-8"
        case .badTag: return "a tag is # and 1 to \(Request.maxTagLength) of A-Z a-z 0-9 _ -"
        case .noVerb: return "a verb must follow the tag; help lists them"
        case .unknownVerb(let word):
            let lower = word.lowercased()
            if Verb.named(lower) != nil { return "verbs are in lower case: \(lower)" }
            let hint = Spelling.hint(for: word, among: Verb.all.map(\.name))
            return "unknown verb \(Self.shown(word))" + (hint ?? "; help lists them")
        case .missingArgument(let verb): return "an argument is missing: \(verb.usage)"
        case .surplusArgument(let verb, let word):
            return "\(Self.shown(word)) is too much: \(verb.usage)"
        case .badArgument(let verb, let word, let allowed):
            let words = allowed.split(separator: " ").map(String.init)
            return "\(verb.name) does not take \(Self.shown(word))"
                + (Spelling.hint(for: word, among: words).map { $0 + " Allowed: " }
                    ?? "; allowed: ") + allowed
        case .badTarget(_, let word):
            return "\(Self.shown(word)) is no target: all, or names, addresses and numbers with"
                + " commas between them"
        case .notHexadecimal:
            return "raw takes pairs of hexadecimal digits with nothing between them"
        case .badFrame(let error): return "raw sends whole frames only; \(Self.words(error))"
        }
    }

    private static func words(_ error: FrameError) -> String {
        switch error {
        case .short: "fewer than the header's 12 bytes"
        case .sof: "the first byte is not AA"
        case .crc16: "the header's checksum is wrong"
        case .length: "the length in the header leaves no room for a command"
        case .truncated: "bytes are missing at the end"
        case .crc32: "the frame's checksum is wrong"
        case .trailing: "bytes follow the frame"
        case .version: "the version in the header is not 0"
        case .encrypted: "the payload is enciphered"
        }
    }

    /// A word of the request in quotes, cut so that the reply fits a line of the screen.
    private static func shown(_ word: String) -> String {
        word.count <= 40 ? LineText.quoted(word) : LineText.quoted(word.prefix(40) + "…")
    }
}
