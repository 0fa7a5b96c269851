import Foundation

/// Finds the numbered headings and entries of the books in `docs/`, and the references to them.
struct References {
    /// A book, and the words that announce its numbers.
    enum Book: String, CaseIterable {
        case protocolBook = "protocol.md"
        case contract = "contract.md"
        case decisions = "decisions.md"
        case fieldNotes = "field-notes.md"

        /// The pattern of the book's numbers where they are defined; the number is group 1.
        var entries: String {
            switch self {
            case .protocolBook, .contract: #"^#{2,3} (\d+(?:\.\d+)*)\.? "#
            case .decisions: #"^(?:### Decision (?=\d)|- \*\*(?=T))(T?\d+)(?::|\.\*\*) "#
            case .fieldNotes: #"^(?:#{2,3} |\* \*\*)([A-Z]\d*(?:\.\d+)*)\.(?:\*\*)? "#
            }
        }

        /// The pattern of the words in front of a number of this book.
        var lead: String {
            switch self {
            case .protocolBook: #"protocol (?:section )?"#
            case .contract: #"contract (?:section )?"#
            case .decisions: #"(?:decisions? |traps? (?=T\d))"#
            case .fieldNotes: #"field (?:notes? )?(?=[A-Z](?:\d|\b))"#
            }
        }

        /// The pattern of one number.
        var number: String {
            switch self {
            case .protocolBook, .contract: #"\d+(?:\.\d+)*"#
            case .decisions: #"T?\d+"#
            case .fieldNotes: #"[A-Z]\d*(?:\.\d+)*\b"#
            }
        }
    }

    /// The numbers that each book defines.
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

    /// The references in a text, as they are written, and the numbers in each that do not exist.
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
        // The former design document had sections; their content is in the contract now.
        for match in Self.matches(of: #"\bdesign sections? \d+"#, in: text) {
            found.append((match[0], [match[0]]))
        }
        return found
    }

    /// The numbers of a list such as `D5, D16`, `6 and 8` or `D1 to D7`.
    private func numbers(_ list: String, of book: Book) -> [String] {
        let pattern = "(\(book.number))(?: to (\(book.number)))?"
        return Self.matches(of: pattern, in: list).flatMap { match -> [String] in
            let (first, last) = (match[1], match[2])
            guard !last.isEmpty else { return [first] }
            // The part of a number in front of its last part: `D` of D7, `3.` of 3.9.
            let stem = first.prefix { !$0.isNumber } + ""
            guard let low = Int(first.dropFirst(stem.count)),
                let high = Int(last.dropFirst(stem.count)), low < high
            else { return [first, last] }
            return (low...high).map { stem + String($0) }
        }
    }

    /// Joins sentences that go on behind a line break and a comment's sign into one line.
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
