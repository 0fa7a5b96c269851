import Clock
import LineProtocol

/// How an answer is printed.
enum AnswerForm: Equatable {
    /// As tables and sentences.
    case people
    /// As the lines of the protocol.
    case plain
    /// As one JSON object a line.
    case json
}

/// The command line of geotagctl, the track's files aside.
struct ControlOptions: Equatable {
    /// What is to be done.
    enum Action: Equatable {
        /// One request of the line protocol.
        case ask(String)
        /// Prints events until it is stopped; runs `program` for each one where it is named.
        case events(program: String?)
        /// The live screen; where `once`, the table alone and only once.
        case watch(once: Bool, big: Bool)
        case doctor
        case setup
        /// Prints the metrics, or writes them to a file that takes its place at once.
        case metrics(output: String?)
        /// Prints the options and verbs.
        case help
        /// Prints what one request does, without asking the daemon.
        case helpVerb(Verb)
        case helpOwn(OwnVerb)
        case version
    }

    static let standardSocket = "/run/geotagd/control.sock"
    static let standardConfiguration = "/etc/geotagd.conf"
    /// Seconds that an answer may take.
    static let timeouts = 1...3600

    var action = Action.help
    var socket = standardSocket
    /// nil for a time that suits the verb.
    var timeout: TimeSpan?
    /// nil for the form of people on a terminal, and for plain lines elsewhere.
    var form: AnswerForm?
    /// Of speeds and heights; nil for what the locale says.
    var units: Units?
    /// The daemon's configuration, for `doctor` and `setup`.
    var configuration: String?

    /// `--json` was given.
    var json: Bool { form == .json }

    /// Reads the words behind the program's name.
    ///
    /// - Parameter standardSocket: GEOTAGD_SOCKET, or the service's.
    init(_ words: [String], standardSocket: String = standardSocket) throws(ControlMisuse) {
        socket = standardSocket
        var line = CommandLineWords(words)
        var given = Given()
        // Options may stand anywhere. Everything behind `mark` is its text, whatever it looks like.
        while let word = line.next() {
            if let option = word.option {
                try set(option, word, &line, &given)
            } else {
                given.words.append(word.text)
                if given.words.count == 2, given.words[0].lowercased() == "mark" {
                    line.isText = true
                }
            }
        }
        action = try action(given)
    }

    /// The options of a command line that are not stored.
    private struct Given {
        var words: [String] = []
        var program: String?
        var output: String?
        var isOnce = false
        var isBig = false
        var wantsHelp = false
        var wantsVersion = false
    }

    private static let options = [
        "socket", "timeout", "json", "plain", "exec", "once", "big", "units", "config", "output",
        "help", "version",
    ]

    private mutating func set(
        _ name: String, _ word: CommandLineWords.Word, _ line: inout CommandLineWords,
        _ given: inout Given
    ) throws(ControlMisuse) {
        switch name {
        case "--socket", "-s": socket = try line.value(of: word)
        case "--timeout", "-t": timeout = try Self.span(line.value(of: word))
        case "--exec": given.program = try line.value(of: word)
        case "--config", "-c": configuration = try line.value(of: word)
        case "--output", "-o": given.output = try line.value(of: word)
        case "--units":
            let text = try line.value(of: word)
            guard let units = Units(rawValue: text) else { throw .badUnits(text) }
            self.units = units
        case "--json": form = try line.flag(word, AnswerForm.json)
        case "--plain": form = try line.flag(word, AnswerForm.plain)
        case "--once": given.isOnce = try line.flag(word, true)
        case "--big": given.isBig = try line.flag(word, true)
        case "--help", "-h": given.wantsHelp = try line.flag(word, true)
        case "--version": given.wantsVersion = try line.flag(word, true)
        default:
            let bare = String(name.drop { $0 == "-" })
            let meant = Spelling.nearest(to: bare, among: Self.options).map { "--" + $0 }
            throw .unknownOption(word.text, meant)
        }
    }

    private func action(_ given: Given) throws(ControlMisuse) -> Action {
        if given.wantsVersion { return .version }
        guard let first = given.words.first else {
            if given.wantsHelp { return .help }
            throw .noVerb
        }
        let verb = first.lowercased()
        let rest = Array(given.words.dropFirst())
        // `events on` is a request; `events` alone is this program's own.
        let own = OwnVerb(rawValue: verb).flatMap { $0 == .events && !rest.isEmpty ? nil : $0 }
        if given.wantsHelp {
            if let own { return .helpOwn(own) }
            if let verb = Verb.named(verb) { return .helpVerb(verb) }
        }
        if given.program != nil, own != .events { throw .misplaced("--exec", "events") }
        if given.output != nil, own != .metrics { throw .misplaced("--output", "metrics") }
        if given.isOnce, own != .watch { throw .misplaced("--once", "watch") }
        if given.isBig, own != .watch { throw .misplaced("--big", "watch") }
        if configuration != nil, own != .doctor, own != .setup {
            throw .misplaced("--config", "doctor and setup")
        }
        guard let own else { return .ask(try request(verb, rest, typed: first)) }
        if let surplus = rest.first { throw .surplus(surplus) }
        switch own {
        case .events: return .events(program: given.program)
        case .watch: return .watch(once: given.isOnce, big: given.isBig)
        case .doctor: return .doctor
        case .setup: return .setup
        case .metrics: return .metrics(output: given.output)
        }
    }

    private func request(
        _ verb: String, _ words: [String], typed: String
    ) throws(ControlMisuse) -> String {
        guard Verb.named(verb) != nil else {
            let known = Verb.all.map(\.name) + OwnVerb.allCases.map(\.rawValue)
            throw .unknownVerb(typed, Spelling.nearest(to: verb, among: known))
        }
        let isStatus = verb == "status" && words.isEmpty && json
        let line = ([verb] + (isStatus ? ["json"] : words)).joined(separator: " ")
        guard !line.unicodeScalars.contains(where: LineText.isControl) else { throw .controlByte }
        guard line.utf8.count < Request.maxLineLength else { throw .tooLong }
        return line
    }

    private static func span(_ text: String) throws(ControlMisuse) -> TimeSpan {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.count <= 4,
            let seconds = Int(text), timeouts.contains(seconds)
        else { throw .badTimeout(text) }
        return .seconds(seconds)
    }
}

/// Walks over the words of the command line: `--name`, `--name=value`, `--name value`, `--`.
struct CommandLineWords {
    struct Word {
        var text: String
        /// The option's name; nil for a word that is none.
        var option: String?
        /// The value behind `=`; nil where there is none.
        var value: String?
    }

    /// After `--` no word is an option.
    var isText = false
    /// The words that have not been read yet.
    private(set) var rest: ArraySlice<String>

    init(_ words: [String]) { rest = words[...] }

    mutating func next() -> Word? {
        guard let text = rest.popFirst() else { return nil }
        guard !isText, text.hasPrefix("-"), text.count > 1 else { return Word(text: text) }
        if text == "--" {
            isText = true
            return next()
        }
        guard text.hasPrefix("--"), let sign = text.firstIndex(of: "=") else {
            return Word(text: text, option: text)
        }
        return Word(
            text: text, option: String(text[..<sign]),
            value: String(text[text.index(after: sign)...]))
    }

    mutating func value(of word: Word) throws(ControlMisuse) -> String {
        guard let value = word.value ?? rest.popFirst(), !value.isEmpty else {
            throw .missingValue(word.option ?? word.text)
        }
        return value
    }

    func flag<Value>(_ word: Word, _ value: Value) throws(ControlMisuse) -> Value {
        guard word.value == nil else { throw .surplusValue(word.option ?? word.text) }
        return value
    }
}

/// Why a command line cannot be understood.
enum ControlMisuse: Error, Equatable {
    case noVerb
    /// The word, and the verb that was perhaps meant.
    case unknownVerb(String, String?)
    case unknownOption(String, String?)
    case missingValue(String)
    case surplusValue(String)
    case surplus(String)
    case misplaced(String, String)
    case badTimeout(String)
    case badUnits(String)
    case controlByte
    case tooLong

    /// For stderr, one line.
    var text: String {
        switch self {
        case .noVerb: "which verb?"
        case .unknownVerb(let word, let meant):
            "\(LineText.quoted(word)) is no verb" + Self.hint(meant)
        case .unknownOption(let word, let meant):
            "\(LineText.quoted(word)) is no option" + Self.hint(meant)
        case .missingValue(let option): "\(option) needs a value"
        case .surplusValue(let option): "\(option) takes no value"
        case .surplus(let word): "\(LineText.quoted(word)) is too much"
        case .misplaced(let option, let verb): "\(option) goes with \(verb)"
        case .badTimeout(let text):
            "--timeout: \(LineText.quoted(text)) is not allowed; allowed: 1 to 3600 seconds"
        case .badUnits(let text):
            "--units: \(LineText.quoted(text)) is not allowed; allowed: metric imperial si"
        case .controlByte: "a tab, a line break or another control character in the request"
        case .tooLong: "the request is longer than \(Request.maxLineLength) bytes"
        }
    }

    private static func hint(_ meant: String?) -> String {
        meant.map { "; did you mean \($0)?" } ?? ""
    }
}
