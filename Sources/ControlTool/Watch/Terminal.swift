import Glibc

/// The terminal that `watch` draws on: it reads keys one by one, has a screen of its own, and
/// restores everything at the end.
final class Terminal {
    /// Columns and rows where the terminal does not tell.
    static let fallback = (columns: 80, rows: 24)

    /// stdout is a terminal.
    let isScreen: Bool
    /// stdin is a terminal, so that keys can be read.
    let hasKeys: Bool
    /// Colours are used: the terminal knows them, and NO_COLOR is not set.
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

    /// Switches to a screen of its own, and to single keys.
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
        // Switches to the second screen and hides the cursor.
        ControlCommand.say("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Restores screen, cursor and keys.
    func close() {
        guard isOpen else { return }
        isOpen = false
        ControlCommand.say("\u{1B}[?25h\u{1B}[?1049l")
        if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    }

    /// The present size of the terminal.
    var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
            window.ws_row > 0
        else { return Self.fallback }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Draws lines over what stood there; lines that do not fit in height are left out.
    ///
    /// - Returns: false where the terminal is gone.
    func draw(_ lines: [StyledText]) -> Bool {
        let shown = isScreen ? Array(lines.prefix(size.rows)) : lines
        let texts = shown.map { $0.rendered(colours: hasColours) }
        guard isScreen else { return ControlCommand.say(texts.joined(separator: "\n") + "\n\n") }
        let erased = texts.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        return ControlCommand.say("\u{1B}[H" + erased + "\u{1B}[J")
    }
}
