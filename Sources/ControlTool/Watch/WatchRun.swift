import Clock
import ControlClient
import Glibc
import LineProtocol
import Reactor

/// The live screen: it asks for the status once a second, draws again at each change, and turns
/// keys into commands.
///
/// The status has a connection of its own, since a command's answer may take seconds.
final class WatchRun {
    /// The time between two requests for the status.
    static let interval = TimeSpan.seconds(1)
    /// How long the answer to a command is shown.
    static let answerTime = TimeSpan.seconds(10)

    private let once: Bool
    private let big: Bool
    private let units: Units
    private let loop: EventLoop
    private let terminal = Terminal()
    private let statusLink: DaemonLink
    private let commanding: DaemonLink
    private var signals: Signals?
    private var input: Watch?
    private var timer: Timer?
    private var forget: Timer?
    private var status: JSONValue?
    private var rates = CameraRates()
    private var isAsked = false
    private var keys = WatchKeys()
    /// The answer to the last command.
    private var answer: StyledText?
    private var command = ""
    private var failures: [String] = []
    private var exit: Int32?

    init(_ options: ControlOptions, once: Bool, big: Bool) throws(ControlFault) {
        self.once = once
        self.big = big
        units = options.units ?? .standard
        do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
        statusLink = try DaemonLink(to: options.socket, on: loop)
        commanding = try DaemonLink(to: options.socket, on: loop)
        do throws(SystemError) {
            signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH], on: loop) {
                [unowned self] signal, _ in
                if signal == SIGWINCH { draw() } else { exit = ControlCommand.Exit.ok }
            }
            if terminal.hasKeys, !once {
                input = try loop.watch(STDIN_FILENO, for: .readable) { [unowned self] _, _ in
                    readKeys()
                }
            }
        } catch { throw .system(error) }
        timer = Timer(on: loop) { [unowned self] now in
            ask()
            timer?.set(at: now + Self.interval)
        }
        forget = Timer(on: loop) { [unowned self] _ in
            answer = nil
            draw()
        }
    }

    /// - Returns: the exit status.
    func run() throws(ControlFault) -> Int32 {
        statusLink.heard = { [unowned self] line in see(line) }
        statusLink.lost = { [unowned self] in
            status = nil
            isAsked = false
            draw()
        }
        statusLink.connected = { [unowned self] in ask() }
        commanding.heard = { [unowned self] line in hear(line) }
        if !once { terminal.open() }
        ask()
        timer?.set(at: loop.now + Self.interval)
        while exit == nil { loop.turn(until: .never) }
        input?.cancel()
        terminal.close()
        return exit ?? ControlCommand.Exit.ok
    }

    private func ask() {
        guard statusLink.isUp, !isAsked else { return }
        isAsked = true
        statusLink.send("status json")
    }

    private func see(_ line: ReplyStream.Line) {
        switch line {
        case .data(let text):
            status = JSONValue(text)
            rates.add(status, at: loop.now)
        case .end:
            isAsked = false
            draw()
            if once { exit = ControlCommand.Exit.ok }
        case .event: break
        }
    }

    // MARK: Keys

    private func readKeys() {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else {
            input?.cancel()
            return
        }
        // Arrow keys and the like come as several bytes that begin with ESC and are no letters.
        guard buffer[0] != 0x1B else { return }
        for key in buffer[..<count] {
            switch keys.press(key, status: status, at: loop.now) {
            case .nothing: break
            case .redraw: draw()
            case .give(let command): give(command)
            case .quit: exit = ControlCommand.Exit.ok
            }
        }
    }

    private func give(_ command: String) {
        guard commanding.isUp else { return }
        self.command = command
        failures = []
        show(StyledText(command + " …", .faint))
        commanding.send(command)
    }

    private func hear(_ line: ReplyStream.Line) {
        switch line {
        case .event: break
        case .data(let text):
            guard let line = ReplyLine(text: text), let result = line["result"], result != "ok"
            else { return }
            failures.append("\(line.name) " + (line["reason"] ?? result))
        case .end(.ok): end(StyledText(command + ": done", .good))
        case .end(.error(_, let message)):
            let words = failures.isEmpty ? message : failures.joined(separator: "; ")
            end(StyledText("\(command): \(words)", .alarm))
        }
    }

    private func end(_ answer: StyledText) {
        show(answer)
        ask()
    }

    private func show(_ answer: StyledText) {
        self.answer = answer
        forget?.set(at: loop.now + Self.answerTime)
        draw()
    }

    // MARK: Drawing

    private func draw() {
        let size = terminal.size
        let height = terminal.isScreen && !once ? size.rows : Int.max
        let lines = screen(size.columns, height)
        if !terminal.draw(lines) { exit = ControlCommand.Exit.ok }
    }

    private func screen(_ width: Int, _ height: Int) -> [StyledText] {
        guard let status else {
            return [StyledText("geotagd is not there; waiting", .alarm).cut(width)]
        }
        if keys.showsHelp { return WatchKeys.help.map { StyledText($0).cut(width) } }
        let hasKeys = terminal.hasKeys && !once
        let answer = keys.asked(status, at: loop.now) ?? answer
        let line = hasKeys ? keys.line(status) : nil
        if big {
            return BigScreen(
                status: status, width: width, height: min(height, 1000),
                time: Self.time(seconds: false), answer: answer, keys: line
            ).lines
        }
        let screen = WatchScreen(
            status: status, width: width, height: height, rates: rates.hertz, units: units,
            time: Self.time(seconds: true), chosen: keys.chosen, answer: answer, keys: line)
        return once ? screen.table : screen.lines
    }

    /// The time of day here, `14:05:09`.
    private static func time(seconds: Bool) -> String {
        var now = Glibc.time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return two(parts.tm_hour) + ":" + two(parts.tm_min)
            + (seconds ? ":" + two(parts.tm_sec) : "")
    }
}
