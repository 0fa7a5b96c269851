import Clock
import Glibc
import LineProtocol
import Reactor

/// The live table: looked at once a second, drawn again at each change, keys become commands.
///
/// Looking has a connection of its own, since a command's answer may take seconds.
final class WatchRun {
    /// Between two looks.
    static let interval = TimeSpan.seconds(1)

    private let once: Bool
    private let loop: EventLoop
    private let terminal = Terminal()
    private let statusLink: DaemonLink
    private let commanding: DaemonLink
    private var signals: Signals?
    private var keys: Watch?
    private var timer: Timer?
    private var status: JSONValue?
    private var rates: [String: Double] = [:]
    private var before: [String: (pushed: Int, instant: Instant)] = [:]
    private var isAsked = false
    /// What became of the last command, and whether it went well.
    private var remark = StyledText()
    private var command = ""
    private var exit: Int32?

    init(_ options: ControlOptions, once: Bool) throws(ControlFault) {
        self.once = once
        do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
        statusLink = try DaemonLink(to: options.socket, on: loop)
        commanding = try DaemonLink(to: options.socket, on: loop)
        do throws(SystemError) {
            signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH], on: loop) {
                [unowned self] signal, _ in
                if signal == SIGWINCH { draw() } else { exit = ControlCommand.Exit.ok }
            }
            if terminal.hasKeys, !once {
                keys = try loop.watch(STDIN_FILENO, for: .readable) { [unowned self] _, _ in
                    readKeys()
                }
            }
        } catch { throw .system(error) }
        timer = Timer(on: loop) { [unowned self] now in
            ask()
            timer?.set(at: now + Self.interval)
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
        keys?.cancel()
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
            measure()
        case .end:
            isAsked = false
            draw()
            if once { exit = ControlCommand.Exit.ok }
        case .event: break
        }
    }

    /// Pushes a second of each camera, from this look and the one before.
    private func measure() {
        guard case .list(let cameras)? = status?["cameras"] else { return }
        var seen: [String: (pushed: Int, instant: Instant)] = [:]
        rates = [:]
        for camera in cameras {
            guard let name = camera["name"]?.word,
                let pushed = camera["pushed"]?.word.flatMap({ Int($0) })
            else { continue }
            seen[name] = (pushed, loop.now)
            if let last = before[name], pushed >= last.pushed, loop.now > last.instant {
                rates[name] = Double(pushed - last.pushed) / (loop.now - last.instant).seconds
            }
        }
        before = seen
    }

    // MARK: Keys

    private func readKeys() {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else {
            keys?.cancel()
            return
        }
        for key in buffer[..<count] {
            switch key {
            case UInt8(ascii: "r"): give("record toggle")
            case UInt8(ascii: "p"): give("photo")
            case UInt8(ascii: "s"): give("sleep")
            case UInt8(ascii: "w"): give("wake")
            case UInt8(ascii: "q"): exit = ControlCommand.Exit.ok
            default: break
            }
        }
    }

    private func give(_ command: String) {
        guard commanding.isUp else { return }
        self.command = command
        remark = StyledText(command + " …", .faint)
        commanding.send(command)
        draw()
    }

    private func hear(_ line: ReplyStream.Line) {
        guard case .end(let end) = line else { return }
        switch end {
        case .ok: remark = StyledText(command + ": ok", .good)
        case .error(let code, let message):
            remark = StyledText("\(command): \(code.rawValue): \(message)", .alarm)
        }
        draw()
        ask()
    }

    // MARK: Drawing

    private func draw() {
        if !terminal.draw(screen(terminal.size.columns)) { exit = ControlCommand.Exit.ok }
    }

    private func screen(_ width: Int) -> [StyledText] {
        guard let status else {
            return [StyledText("geotagd is not there; waiting", .alarm).cut(width)]
        }
        var lines = WatchTable(status: status, width: width, rates: rates).lines
        if terminal.hasKeys, !once {
            let help = "r record  p photo  s sleep  w wake  q quit"
            lines += [StyledText(), remark.cut(width), StyledText(help, .faint).cut(width)]
        }
        return lines
    }
}
