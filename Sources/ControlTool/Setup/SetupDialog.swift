import Clock
import Glibc

/// Questions and answers on a terminal.
final class SetupDialog {
    private let hasColours: Bool
    private let width: Int

    init(hasColours: Bool, width: Int) {
        self.hasColours = hasColours
        self.width = width
    }

    func say(_ text: String, _ style: StyledText.Style = .plain) {
        say([StyledText(text, style)])
    }

    func say(_ lines: [StyledText]) {
        for line in lines { ControlCommand.say(line.rendered(colours: hasColours) + "\n") }
    }

    /// A step begins.
    func head(_ text: String) {
        say("")
        say(text, .strong)
    }

    /// A text in large letters, such as the code that a camera shows too.
    func large(_ text: String) {
        say("")
        for line in BigText.lines(text, width: width) { say(line, .attention) }
        say("")
    }

    /// Asks for one of these letters; the end of the input is `e`.
    ///
    /// - Parameter letters: of `y` yes, `n` no, `s` skip, `e` end; Enter is the first.
    func ask(_ question: String, _ letters: String) -> Character {
        let names: [Character: String] = ["y": "yes", "n": "no", "s": "skip", "e": "end"]
        let choices = letters.map { names[$0] ?? String($0) }.joined(separator: "/")
        while true {
            ControlCommand.say("\(question) [\(choices)] ")
            guard let line = Self.read() else { return "e" }
            guard let first = line.lowercased().first else { return letters.first ?? "e" }
            if letters.contains(first) { return first }
        }
    }

    /// Asks for a word; empty for none.
    func line(_ question: String) -> String {
        ControlCommand.say(question + " ")
        return Self.read() ?? ""
    }

    func wait(_ span: TimeSpan) {
        usleep(UInt32(span.seconds * 1_000_000))
    }

    private static func read() -> String? { readLine() }
}
