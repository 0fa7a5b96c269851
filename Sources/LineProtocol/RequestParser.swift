import OsmoProtocol

extension Request {
    /// Reads one line.
    ///
    /// - Parameter line: the bytes before the LF; a CR at their end does not count.
    /// - Returns: nil for a line without words, which gets no reply.
    package static func read(_ line: some Collection<UInt8>) -> Request? {
        guard line.count < maxLineLength else { return Request(.tooLong) }
        var bytes = Array(line)
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return Request(.controlByte)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return Request(.invalidUTF8)
        }
        guard !text.unicodeScalars.contains(where: LineText.isControl) else {
            return Request(.controlByte)
        }
        var words = Words(text)
        guard let first = words.next() else { return nil }
        guard first.hasPrefix("#") else { return Request(tag: nil, verb: first, rest: words) }
        let tag = String(first.dropFirst())
        guard isTag(tag) else { return Request(.badTag) }
        guard let verb = words.next() else { return Request(tag: tag, action: .failure(.noVerb)) }
        return Request(tag: tag, verb: verb, rest: words)
    }

    /// A line that could not be read at all.
    package init(_ fault: RequestFault) {
        self.init(tag: nil, action: .failure(fault))
    }

    private init(tag: String?, verb word: Substring, rest: Words) {
        self.tag = tag
        guard let verb = Verb.named(word) else {
            action = .failure(.unknownVerb(String(word)))
            return
        }
        var reader = ArgumentReader(verb: verb, words: rest)
        action = Result { () throws(RequestFault) in try reader.action() }
    }

    private static func isTag(_ text: String) -> Bool {
        (1...maxTagLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// The words of a line: what stands between runs of spaces.
struct Words {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func next() -> Substring? {
        skipSpaces()
        guard !rest.isEmpty else { return nil }
        let word = rest.prefix { $0 != " " }
        rest = rest[word.endIndex...]
        return word
    }

    /// Everything that is left, without the spaces around it.
    mutating func remainder() -> String {
        skipSpaces()
        while rest.last == " " { rest.removeLast() }
        defer { rest = "" }
        return String(rest)
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }
}
