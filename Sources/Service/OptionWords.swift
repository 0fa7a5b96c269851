import LineProtocol

/// Why a command line cannot be understood.
package enum LaunchFault: Error, Equatable, Sendable {
    /// An option that is none of those `among` which it stands.
    case unknown(String, among: [String] = [])
    case missingValue(String)
    case surplusValue(String)
    case badValue(String, String, allowed: String)
    /// The first option means something only beside the second.
    case needs(String, String)

    /// For stderr, one line.
    package var text: String {
        switch self {
        case .unknown(let word, let options):
            "\(LineText.quoted(word)) is no option"
                + (Spelling.hint(for: word, among: options) ?? "; see --help")
        case .missingValue(let option): "\(option) needs a value; see --help"
        case .surplusValue(let option): "\(option) takes no value; see --help"
        case .badValue(let option, let value, let allowed):
            "\(option): \(LineText.quoted(value)) is not allowed; allowed: \(allowed)"
        case .needs(let option, let other): "\(option) goes with \(other)"
        }
    }
}

/// Walks over the words of a command line: `--name`, `--name=value`, `--name value`.
package struct OptionWords {
    /// A word, or an option with its value.
    package struct Word {
        /// With its dashes; for a word that is no option, the word.
        package var name: String
        /// What stands behind `=`.
        package var value: String?
    }

    private var rest: ArraySlice<String>

    /// The words behind the program's name.
    package init(_ arguments: [String]) { rest = arguments[...] }

    /// The next word; nil behind the last.
    package mutating func next() -> Word? {
        guard let word = rest.popFirst() else { return nil }
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else {
            return Word(name: word, value: nil)
        }
        return Word(name: String(word[..<sign]), value: String(word[word.index(after: sign)...]))
    }

    /// What stands behind `=`, or the next word.
    package mutating func value(of word: Word) throws(LaunchFault) -> String {
        if let value = word.value, !value.isEmpty { return value }
        guard word.value == nil, let value = rest.popFirst(), !value.isEmpty else {
            throw .missingValue(word.name)
        }
        return value
    }

    /// True, where no value is given.
    package func flag(_ word: Word) throws(LaunchFault) -> Bool {
        guard word.value == nil else { throw .surplusValue(word.name) }
        return true
    }
}
