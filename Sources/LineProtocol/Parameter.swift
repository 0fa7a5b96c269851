/// One argument of a verb, as `help` and the completions show it.
package enum Parameter: Equatable, Sendable {
    /// One of these words.
    case choice([String])
    /// One of these words, or nothing.
    case optionalChoice([String])
    /// This word, which may be left out.
    case optionalWord(String)
    /// An instant of UTC behind this word and `=`, which may be left out.
    case optionalInstant(String)
    /// A verb, which may be left out.
    case optionalVerb
    /// A mode by name or code.
    case mode
    /// A number of seconds, which may be left out.
    case optionalSeconds
    /// One camera.
    case camera
    /// A new name for a camera.
    case newName
    /// Bytes in hexadecimal.
    case hexadecimal
    /// The rest of the line, or nothing.
    case optionalText
    /// One or more cameras.
    case target
    /// One or more cameras; `all` where it is left out.
    case optionalTarget

    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type
    ) -> Parameter {
        .choice(Choice.allCases.map(\.rawValue))
    }

    /// As it stands in `help`.
    package var usage: String {
        switch self {
        case .choice(let words): words.joined(separator: "|")
        case .optionalChoice(let words): "[\(words.joined(separator: "|"))]"
        case .optionalWord(let word): "[\(word)]"
        case .optionalInstant(let word): "[\(word)=UTC]"
        case .optionalVerb: "[VERB]"
        case .mode: "NAME|0xNN"
        case .optionalSeconds: "[SECONDS]"
        case .camera: "NAME"
        case .newName: "NEW"
        case .hexadecimal: "HEX"
        case .optionalText: "[TEXT]"
        case .target: "TARGET"
        case .optionalTarget: "[TARGET]"
        }
    }

    /// What a shell's completion offers for it: words, or one of the functions `@verbs`, `@modes`,
    /// `@camera`, `@targets` of the completion files; nil where a person types freely.
    package var completion: String? {
        switch self {
        case .choice(let words), .optionalChoice(let words): words.joined(separator: " ")
        case .optionalWord(let word): "\(word) @targets"
        case .optionalInstant: "@targets"
        case .optionalVerb: "@verbs"
        case .mode: "@modes"
        case .camera: "@camera"
        case .target, .optionalTarget: "@targets"
        case .optionalSeconds, .newName, .hexadecimal, .optionalText: nil
        }
    }
}
