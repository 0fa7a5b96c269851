import Clock
import OsmoProtocol

/// Turns what follows a verb into an action.
struct ArgumentReader {
    /// Seconds that `pair` may be given, and what it takes without.
    static let pairSeconds = 1...600
    static let pairDefault = 60

    let verb: Verb
    var words: Words

    mutating func action() throws(RequestFault) -> RequestAction {
        let action = try read()
        if let surplus = words.next() { throw .surplusArgument(verb, String(surplus)) }
        return action
    }

    private mutating func read() throws(RequestFault) -> RequestAction {
        switch verb {
        case .help, .status, .cameras, .camera, .gps, .modes, .track, .mark, .events, .loglevel,
            .reload, .quit:
            return .daemon(try daemonCommand())
        case .record:
            let argument: FleetCommand.Record = try choice()
            return .fleet(.record(argument), try target(default: .all))
        case .mode:
            let command = try modeCommand()
            return .fleet(command, try target(default: .all))
        case .key:
            let argument: FleetCommand.Key = try choice()
            return .fleet(.key(argument), try target(default: .all))
        case .pair: return .fleet(.pair(try pairWindow()), .all)
        case .rename:
            let old = try single()
            return .fleet(.rename(to: try newName()), .these([old]))
        case .raw:
            let name = try single()
            return .fleet(.raw(frame: try frame()), .these([name]))
        case .photo: return .fleet(.photo, try target(default: .all))
        case .sleep: return .fleet(.sleep, try target(default: .all))
        case .wake: return .fleet(.wake, try target(default: .all))
        case .snapshot: return .fleet(.snapshot, try target(default: .all))
        case .connect: return .fleet(.connect, try target(default: .all))
        case .disconnect: return .fleet(.disconnect, try target(default: .all))
        case .reconnect: return .fleet(.reconnect, try target(default: .all))
        case .restart: return .fleet(.restart, try target(default: nil))
        case .forget: return .fleet(.forget, try target(default: nil))
        case .version: return .fleet(.version, try target(default: nil))
        }
    }

    private mutating func daemonCommand() throws(RequestFault) -> DaemonCommand {
        switch verb {
        case .status:
            guard let word = words.next() else { return .status(json: false) }
            guard word == "json" else { throw bad(word, allowed: "json") }
            return .status(json: true)
        case .cameras: return .cameras
        case .camera: return .camera(try target(default: nil))
        case .gps: return .gps
        case .modes: return .modes(try target(default: .all))
        case .track: return .track(try choice())
        case .mark: return .mark(words.remainder())
        case .events:
            let argument: OnOff = try choice()
            return .events(argument == .on)
        case .loglevel: return .logLevel(try choice())
        case .reload: return .reload
        case .quit: return .quit
        default:
            guard let word = words.next() else { return .help(nil) }
            guard let verb = Verb(rawValue: String(word)) else {
                throw bad(word, allowed: "a verb; help lists them")
            }
            return .help(verb)
        }
    }

    private enum OnOff: String, CaseIterable { case on, off }

    private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>()
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

    private mutating func target(default fallback: Target?) throws(RequestFault) -> Target {
        guard let word = words.next() else {
            guard let fallback else { throw .missingArgument(verb) }
            return fallback
        }
        if word == "all" { return .all }
        let items = word.split(separator: ",", omittingEmptySubsequences: false)
        guard !items.contains(""), !items.contains("all") else {
            throw .badTarget(verb, String(word))
        }
        return .these(items.map(String.init))
    }

    /// One camera, neither `all` nor a list.
    private mutating func single() throws(RequestFault) -> String {
        let word = try argument()
        guard word != "all", !word.contains(",") else {
            throw bad(word, allowed: "one camera: its name, address or number")
        }
        return String(word)
    }

    private mutating func newName() throws(RequestFault) -> String {
        let word = try argument()
        guard CameraName.isValid(word) else {
            throw bad(
                word,
                allowed:
                    "1 to \(CameraName.maxLength) of A-Z a-z 0-9 . _ -, not all, not digits only"
            )
        }
        return String(word)
    }

    private mutating func modeCommand() throws(RequestFault) -> FleetCommand {
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

    private mutating func pairWindow() throws(RequestFault) -> TimeSpan {
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

    private mutating func frame() throws(RequestFault) -> [UInt8] {
        let word = try argument()
        guard let bytes = [UInt8](hexadecimal: word) else { throw .notHexadecimal }
        do throws(FrameError) { _ = try Frame(datagram: bytes) } catch {
            // What is inside an enciphered frame is the sender's business.
            if error != .encrypted { throw .badFrame(error) }
        }
        return bytes
    }

    private func bad(_ word: Substring, allowed: String) -> RequestFault {
        .badArgument(verb, word: String(word), allowed: allowed)
    }
}
