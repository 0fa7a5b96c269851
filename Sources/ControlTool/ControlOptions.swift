import Clock
import LineProtocol

/// The command line of geotagctl, the track's files aside.
struct ControlOptions: Equatable {
    /// What is to be done.
    enum Action: Equatable {
        /// One request of the line protocol.
        case ask(String)
        /// Events for as long as they are wanted; a program for each where one is named.
        case events(program: String?)
        /// The table; only one where `once`.
        case watch(once: Bool)
        case help
    }

    static let standardSocket = "/run/geotagd/control.sock"
    /// Seconds that an answer may take.
    static let timeouts = 1...3600

    var action = Action.help
    var socket = standardSocket
    /// nil for what suits the verb.
    var timeout: TimeSpan?
    var json = false

    /// Reads the words behind the program's name.
    ///
    /// - Parameter standardSocket: GEOTAGD_SOCKET, or the service's.
    init(_ words: [String], standardSocket: String = standardSocket) throws(ControlMisuse) {
        socket = standardSocket
        var rest = words[...]
        var program: String?
        var once = false
        var verb: String?
        // Options may stand before or behind the verb, as long as they are none of its words.
        while let word = rest.first, verb == nil || word.hasPrefix("--") {
            rest.removeFirst()
            let (name, given) = Self.split(word)
            switch name {
            case "--socket", "-s": socket = try Self.value(name, given, &rest)
            case "--timeout", "-t": timeout = try Self.span(Self.value(name, given, &rest))
            case "--exec": program = try Self.value(name, given, &rest)
            case "--json": json = try Self.flag(name, given)
            case "--once": once = try Self.flag(name, given)
            case "--help", "-h":
                action = .help
                return
            default:
                guard !word.hasPrefix("-"), verb == nil else { throw .unknownOption(word) }
                verb = word
            }
        }
        guard let verb else { throw .noVerb }
        action = try Self.action(verb, Array(rest), json: json, program: program, once: once)
    }

    private static func action(
        _ verb: String, _ words: [String], json: Bool, program: String?, once: Bool
    ) throws(ControlMisuse) -> Action {
        // `events on` is a request; `events` alone is this program's own.
        let isEvents = verb == "events" && words.isEmpty
        if program != nil, !isEvents { throw .misplaced("--exec", "events") }
        if once, verb != "watch" { throw .misplaced("--once", "watch") }
        if isEvents { return .events(program: program) }
        if verb == "watch" {
            guard words.isEmpty else { throw .surplus(words[0]) }
            return .watch(once: once)
        }
        guard Verb.named(verb) != nil else { throw .unknownVerb(verb) }
        let isStatus = verb == "status" && words.isEmpty && json
        let line = ([verb] + (isStatus ? ["json"] : words)).joined(separator: " ")
        guard !line.unicodeScalars.contains(where: LineText.isControl) else { throw .controlByte }
        guard line.utf8.count < Request.maxLineLength else { throw .tooLong }
        return .ask(line)
    }

    /// `--name=value` in two.
    private static func split(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    private static func value(
        _ name: String, _ given: String?, _ rest: inout ArraySlice<String>
    ) throws(ControlMisuse) -> String {
        guard let value = given ?? rest.popFirst(), !value.isEmpty else {
            throw .missingValue(name)
        }
        return value
    }

    private static func flag(_ name: String, _ given: String?) throws(ControlMisuse) -> Bool {
        guard given == nil else { throw .surplusValue(name) }
        return true
    }

    private static func span(_ text: String) throws(ControlMisuse) -> TimeSpan {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.count <= 4,
            let seconds = Int(text), timeouts.contains(seconds)
        else { throw .badTimeout(text) }
        return .seconds(seconds)
    }
}

/// Why a command line cannot be understood.
enum ControlMisuse: Error, Equatable {
    case noVerb
    case unknownVerb(String)
    case unknownOption(String)
    case missingValue(String)
    case surplusValue(String)
    case surplus(String)
    case misplaced(String, String)
    case badTimeout(String)
    case controlByte
    case tooLong

    /// For stderr, one line.
    var text: String {
        switch self {
        case .noVerb: "which verb?"
        case .unknownVerb(let word): "\(LineText.quoted(word)) is no verb"
        case .unknownOption(let word): "\(LineText.quoted(word)) is no option"
        case .missingValue(let option): "\(option) needs a value"
        case .surplusValue(let option): "\(option) takes no value"
        case .surplus(let word): "\(LineText.quoted(word)) is too much"
        case .misplaced(let option, let verb): "\(option) goes with \(verb)"
        case .badTimeout(let text):
            "--timeout: \(LineText.quoted(text)) is not allowed; allowed: 1 to 3600 seconds"
        case .controlByte: "a tab, a line break or another control character in the request"
        case .tooLong: "the request is longer than \(Request.maxLineLength) bytes"
        }
    }
}
