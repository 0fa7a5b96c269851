import Foundation

/// The books of `docs/` whose headings and entries are numbered, and what refers to them.
struct References {
    /// A book and what words before a number mean it.
    enum Book: String, CaseIterable {
        case protocolBook = "protocol.md"
        case contract = "contract.md"
        case decisions = "decisions.md"
        case fieldNotes = "field-notes.md"

        /// Where the book's numbers stand, the number as group 1.
        var entries: String {
            switch self {
            case .protocolBook, .contract: #"^#{2,3} (\d+(?:\.\d+)*)\.? "#
            case .decisions: #"^(?:### Decision (?=\d)|- \*\*(?=T))(T?\d+)(?::|\.\*\*) "#
            case .fieldNotes: #"^(?:#{2,3} |\* \*\*)([A-Z]\d*(?:\.\d+)*)\.(?:\*\*)? "#
            }
        }

        /// The words that stand before a number of this book.
        var lead: String {
            switch self {
            case .protocolBook: #"protocol (?:section )?"#
            case .contract: #"contract (?:section )?"#
            case .decisions: #"(?:decisions? |traps? (?=T\d))"#
            case .fieldNotes: #"field (?:notes? )?(?=[A-Z](?:\d|\b))"#
            }
        }

        /// One number.
        var number: String {
            switch self {
            case .protocolBook, .contract: #"\d+(?:\.\d+)*"#
            case .decisions: #"T?\d+"#
            case .fieldNotes: #"[A-Z]\d*(?:\.\d+)*\b"#
            }
        }
    }

    /// The numbers that each book has.
    private let known: [Book: Set<String>]

    /// - Parameter texts: the text of each book.
    init(_ texts: [Book: String]) {
        known = texts.reduce(into: [:]) { known, book in
            let found = Self.matches(of: book.key.entries, in: book.value, .anchorsMatchLines)
            known[book.key] = Set(found.map { $0[1] })
        }
    }

    /// How many numbers a book has.
    func count(_ book: Book) -> Int { known[book]?.count ?? 0 }

    /// The references in a text, as they stand there, and what of each does not exist.
    func all(in text: String) -> [(reference: String, missing: [String])] {
        let text = Self.joined(text)
        var found: [(reference: String, missing: [String])] = []
        for book in Book.allCases {
            let list = "\(book.number)(?:(?:, (?:and )?| and | or | to )\(book.number))*"
            for match in Self.matches(of: #"\b"# + book.lead + "(\(list))", in: text) {
                let missing = numbers(match[1], of: book).filter {
                    known[book]?.contains($0) != true
                }
                found.append((match[0], missing))
            }
        }
        // The design had sections; what they said stands in the contract.
        for match in Self.matches(of: #"\bdesign sections? \d+"#, in: text) {
            found.append((match[0], [match[0]]))
        }
        return found
    }

    /// The numbers of a list such as `D5, D16`, `6 and 8`, `D1 to D7`.
    private func numbers(_ list: String, of book: Book) -> [String] {
        let pattern = "(\(book.number))(?: to (\(book.number)))?"
        return Self.matches(of: pattern, in: list).flatMap { match -> [String] in
            let (first, last) = (match[1], match[2])
            guard !last.isEmpty else { return [first] }
            // What comes before the last part of a number: `D` of D7, `3.` of 3.9.
            let stem = first.prefix { !$0.isNumber } + ""
            guard let low = Int(first.dropFirst(stem.count)),
                let high = Int(last.dropFirst(stem.count)), low < high
            else { return [first, last] }
            return (low...high).map { stem + String($0) }
        }
    }

    /// Sentences that go on behind a line break and a comment's sign, in one line.
    private static func joined(_ text: String) -> String {
        text.replacingOccurrences(
            of: #"\s*\n[ \t]*(?:///|//|#|\*|\||\.\\")?[ \t]*"#, with: " ",
            options: .regularExpression)
    }

    /// All matches of a pattern, each as its whole text and its groups.
    private static func matches(
        of pattern: String, in text: String, _ options: NSRegularExpression.Options = []
    ) -> [[String]] {
        let options = options.union(.caseInsensitive)
        guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
            preconditionFailure("\(pattern) is no pattern")
        }
        let range = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: range).map { match in
            (0..<match.numberOfRanges).map { group in
                Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }
}
