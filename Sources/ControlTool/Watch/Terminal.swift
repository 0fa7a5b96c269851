import Glibc

/// The terminal that `watch` draws on: keys one by one, a screen of its own, all put back at the
/// end.
final class Terminal {
    /// Columns and rows where nobody says.
    static let fallback = (columns: 80, rows: 24)

    /// stdout is one.
    let isScreen: Bool
    /// stdin is one: there are keys.
    let hasKeys: Bool
    /// Colours are wanted: a terminal that knows them, and no NO_COLOR.
    let hasColours: Bool
    private var before = termios()
    private var isOpen = false

    init() {
        isScreen = isatty(STDOUT_FILENO) == 1
        hasKeys = isScreen && isatty(STDIN_FILENO) == 1
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        hasColours = isScreen && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }

    deinit { close() }

    /// Takes the screen over.
    func open() {
        guard isScreen, !isOpen else { return }
        isOpen = true
        if hasKeys, tcgetattr(STDIN_FILENO, &before) == 0 {
            var keys = before
            keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Without Ctrl-Z: a suspended program would leave the terminal as it is here.
            withUnsafeMutableBytes(of: &keys.c_cc) { codes in
                codes[Int(VMIN)] = 1
                codes[Int(VTIME)] = 0
                codes[Int(VSUSP)] = 0
            }
            tcsetattr(STDIN_FILENO, TCSANOW, &keys)
        }
        // The other screen, no cursor.
        ControlCommand.say("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Puts everything back.
    func close() {
        guard isOpen else { return }
        isOpen = false
        ControlCommand.say("\u{1B}[?25h\u{1B}[?1049l")
        if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    }

    /// What there is room for now.
    var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
            window.ws_row > 0
        else { return Self.fallback }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Draws lines over what stood there; what does not fit in height is left out.
    ///
    /// - Returns: false where nobody looks any more.
    func draw(_ lines: [StyledText]) -> Bool {
        let shown = isScreen ? Array(lines.prefix(size.rows)) : lines
        let texts = shown.map { $0.rendered(colours: hasColours) }
        guard isScreen else { return ControlCommand.say(texts.joined(separator: "\n") + "\n\n") }
        let erased = texts.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        return ControlCommand.say("\u{1B}[H" + erased + "\u{1B}[J")
    }
}
