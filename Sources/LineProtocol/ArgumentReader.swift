import Clock
import OsmoProtocol

/// Turns what follows a verb into an action.
struct ArgumentReader {
    /// How long `pair` may wait, seconds, and how long it waits where nothing is given.
    static let pairSeconds = 1...600
    static let pairDefault = 60

    let verb: Verb
    var words: Words

    /// Reads the arguments by the verb's declaration.
    mutating func action() throws(RequestFault) -> RequestAction {
        let action = try verb.reading(&self)
        if let surplus = words.next() { throw .surplusArgument(verb, String(surplus)) }
        return action
    }

    /// Whether this word stands there; any other word is a fault.
    mutating func flag(_ name: String) throws(RequestFault) -> Bool {
        guard let word = words.next() else { return false }
        guard word == name else { throw bad(word, allowed: name) }
        return true
    }

    /// Whether this word comes next, which is then read; any other word stays.
    mutating func skip(_ name: String) -> Bool {
        var further = words
        guard further.next().map({ $0 == name }) ?? false else { return false }
        words = further
        return true
    }

    /// The instant behind `name=`, which may be left out; any other word stays.
    mutating func optionalInstant(_ name: String) throws(RequestFault) -> UnixTime? {
        var further = words
        guard let word = further.next(), word.hasPrefix(name + "=") else { return nil }
        words = further
        guard let instant = UnixTime(isoText: word.dropFirst(name.utf8.count + 1)) else {
            throw bad(word, allowed: name + "=2026-07-01T10:00:00.100Z, in UTC")
        }
        return instant
    }

    /// A verb; nil where nothing follows.
    mutating func optionalVerb() throws(RequestFault) -> Verb? {
        guard let word = words.next() else { return nil }
        guard let verb = Verb.named(word) else {
            throw bad(word, allowed: "a verb; help lists them")
        }
        return verb
    }

    /// One of the words of an enumeration.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>()
        throws(RequestFault) -> Choice
    {
        let word = try argument()
        guard let choice = Choice(rawValue: String(word)) else {
            throw bad(word, allowed: Choice.allCases.map(\.rawValue).joined(separator: " "))
        }
        return choice
    }

    private mutating func argument() throws(RequestFault) -> Substring {
        guard let word = words.next() else { throw .missingArgument(verb) }
        return word
    }

    /// Cameras; all of the roster where none is named.
    mutating func optionalTarget() throws(RequestFault) -> Target {
        guard let word = words.next() else { return .all }
        return try target(word)
    }

    /// Cameras, which have to be named.
    mutating func target() throws(RequestFault) -> Target { try target(argument()) }

    private func target(_ word: Substring) throws(RequestFault) -> Target {
        if word == "all" { return .all }
        let items = word.split(separator: ",", omittingEmptySubsequences: false)
        guard !items.contains(""), !items.contains("all") else {
            throw .badTarget(verb, String(word))
        }
        return .these(items.map(String.init))
    }

    /// One camera, neither `all` nor a list.
    mutating func camera() throws(RequestFault) -> String {
        let word = try argument()
        guard word != "all", !word.contains(",") else {
            throw bad(word, allowed: "one camera: its name, address or number")
        }
        return String(word)
    }

    /// What a camera is to be called.
    mutating func newName() throws(RequestFault) -> String {
        let word = try argument()
        guard CameraName.isValid(word) else {
            throw bad(
                word,
                allowed: "1 to \(CameraName.maxLength) of A-Z a-z 0-9 . _ -, not digits only, not "
                    + CameraName.reserved.joined(separator: " or ")
            )
        }
        return String(word)
    }

    /// A mode, by name or by code.
    mutating func mode() throws(RequestFault) -> FleetCommand {
        let word = try argument()
        if word.hasPrefix("0x") {
            let digits = word.dropFirst(2)
            guard let code = [UInt8](hexadecimal: digits), code.count == 1 else {
                throw bad(word, allowed: "0x and two hexadecimal digits")
            }
            return .modeCode(code[0])
        }
        guard CameraMode(name: word) != nil else {
            let names = CameraMode.named.map(\.description).joined(separator: " ")
            throw bad(word, allowed: "0xNN " + names)
        }
        return .mode(name: String(word))
    }

    /// How long `pair` waits.
    mutating func pairWindow() throws(RequestFault) -> TimeSpan {
        guard let word = words.next() else { return .seconds(Self.pairDefault) }
        let digitsOnly = word.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard digitsOnly, let seconds = Int(word), Self.pairSeconds.contains(seconds) else {
            let bounds = Self.pairSeconds
            throw bad(word, allowed: "\(bounds.lowerBound) to \(bounds.upperBound) seconds")
        }
        return .seconds(seconds)
    }

    /// A whole frame with right checksums.
    mutating func frame() throws(RequestFault) -> [UInt8] {
        let word = try argument()
        guard let bytes = [UInt8](hexadecimal: word) else { throw .notHexadecimal }
        do throws(FrameError) { _ = try Frame(datagram: bytes) } catch {
            // What is inside an enciphered frame is for its sender to know.
            if error != .encrypted { throw .badFrame(error) }
        }
        return bytes
    }

    private func bad(_ word: Substring, allowed: String) -> RequestFault {
        .badArgument(verb, word: String(word), allowed: allowed)
    }
}
