import Clock
import LineProtocol

/// The keys of `watch`: which of them can do something now, and what each press does.
///
/// No single press ends a recording: starting and stopping have different keys, stopping needs a
/// second press within three seconds, and sleep asks first.
struct WatchKeys {
    /// What a press leads to.
    enum Outcome: Equatable {
        case nothing
        /// The screen must be drawn again.
        case redraw
        /// A request is to be sent.
        case give(String)
        case quit
    }

    /// How long a question waits for its answer.
    static let patience = TimeSpan.seconds(3)
    /// How long a digit waits for a second one.
    static let digitPatience = TimeSpan.seconds(1)

    private enum Question { case stop, sleep }

    /// The number of the camera that keys command; nil for all.
    private(set) var chosen: Int?
    /// Whether the explanation of the keys is shown.
    private(set) var showsHelp = false
    private var question: (kind: Question, until: Instant)?
    private var digit: (value: Int, until: Instant)?

    /// The keys that can do something now, as the last line names them.
    func line(_ status: JSONValue) -> StyledText {
        var line = StyledText()
        if let chosen, let camera = Self.camera(chosen, in: status) {
            line.append("\(camera["name"]?.word ?? "?"): ", .strong)
        }
        let keys = available(status).map { "\($0.key) \($0.words)" } + ["? help", "q quit"]
        line.append(keys.joined(separator: "  "), .faint)
        return line
    }

    /// The question that is open; nil where there is none.
    func asked(_ status: JSONValue, at now: Instant) -> StyledText? {
        guard let question, now < question.until else { return nil }
        switch question.kind {
        case .stop: return StyledText("stop recording on \(whom(status))? s again", .attention)
        case .sleep: return StyledText("send \(whom(status)) to sleep? y", .attention)
        }
    }

    /// Handles a key.
    mutating func press(_ byte: UInt8, status: JSONValue?, at now: Instant) -> Outcome {
        let key = Character(Unicode.Scalar(byte))
        let asked = question.flatMap { now < $0.until ? $0.kind : nil }
        question = nil
        if key == "q" { return .quit }
        if showsHelp {
            showsHelp = false
            return .redraw
        }
        guard let status else { return .nothing }
        if key == "?" {
            showsHelp = true
            return .redraw
        }
        if let number = key.wholeNumberValue { return choose(number, status, at: now) }
        if asked == .sleep, key == "y" { return .give("sleep" + target) }
        guard available(status).contains(where: { $0.key == key }) else {
            return asked == nil ? .nothing : .redraw
        }
        switch key {
        case "r": return .give("record start" + target)
        case "s":
            if asked == .stop { return .give("record stop" + target) }
            question = (.stop, now + Self.patience)
            return .redraw
        case "p": return .give("photo" + target)
        case "z":
            question = (.sleep, now + Self.patience)
            return .redraw
        case "w": return .give("wake" + target)
        case "m": return .give("mark")
        default: return .nothing
        }
    }

    /// The explanation that `?` shows.
    static let help = [
        "r  start recording", "s  stop recording: twice within three seconds", "p  take a photo",
        "z  send to sleep: asks first; cameras that record stay awake", "w  wake",
        "m  set a mark in the events file", "1 to 99  command this camera alone, 0 all",
        "q  quit; recordings go on", "",
        "Keys that can do nothing now are not listed. Any key goes back.",
    ]

    private var target: String { chosen.map { " \($0)" } ?? "" }

    private func whom(_ status: JSONValue) -> String {
        guard let chosen else { return "all cameras" }
        return Self.camera(chosen, in: status)?["name"]?.word ?? "camera \(chosen)"
    }

    private mutating func choose(_ number: Int, _ status: JSONValue, at now: Instant) -> Outcome {
        var wanted = number
        if let digit, now < digit.until, Self.camera(digit.value * 10 + number, in: status) != nil {
            wanted = digit.value * 10 + number
        }
        digit = (number, now + Self.digitPatience)
        // A number without a camera does nothing: to command all cameras instead would be the worst
        // outcome.
        if wanted != 0, Self.camera(wanted, in: status) == nil { return .nothing }
        chosen = wanted == 0 || wanted == chosen ? nil : wanted
        return .redraw
    }

    private func available(_ status: JSONValue) -> [(key: Character, words: String)] {
        guard case .list(let all)? = status["cameras"] else { return [] }
        let meant = all.filter { camera in
            guard let number = camera["number"]?.word else { return false }
            return chosen.map { String($0) == number } ?? true
        }
        let ready = meant.filter { $0["state"]?.word == "ready" }
        let idle = ready.filter { $0["recording"]?.word != "true" }
        var keys: [(key: Character, words: String)] = []
        if !idle.isEmpty { keys.append(("r", "record")) }
        if idle.count < ready.count { keys.append(("s", "stop")) }
        if idle.contains(where: { $0["mode"]?.word?.contains("photo") ?? false }) {
            keys.append(("p", "photo"))
        }
        if !idle.isEmpty { keys.append(("z", "sleep")) }
        if meant.contains(where: { $0["state"]?.word == "asleep" }) { keys.append(("w", "wake")) }
        return keys + [("m", "mark")]
    }

    private static func camera(_ number: Int, in status: JSONValue) -> JSONValue? {
        guard case .list(let cameras)? = status["cameras"] else { return nil }
        return cameras.first { $0["number"]?.word == String(number) }
    }
}
