import Clock
import ControlClient
import LineProtocol
import Reactor

/// One request and its answer.
final class AskRun {
    /// How long an answer may take, unless the command line says otherwise.
    static let patience = TimeSpan.seconds(30)

    private let options: ControlOptions
    private let line: String
    private let form: AnswerForm
    private let terminal = Terminal()
    private let loop: EventLoop
    private let connection: ControlConnection
    private var outcome: Result<ReplyEnd, ControlFault>?
    private var answer: AnswerText

    init(_ options: ControlOptions, _ line: String) throws(ControlFault) {
        self.options = options
        form = options.form ?? (terminal.isScreen ? .people : .plain)
        let verb = line.split(separator: " ").first.map(String.init) ?? ""
        // The table is made from the JSON status.
        self.line = form == .people && line == "status" ? "status json" : line
        answer = AnswerText(
            verb: line == "status json" ? "" : verb, width: terminal.size.columns,
            units: options.units ?? .standard)
        do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
        connection = try ControlConnection(to: options.socket, on: loop)
    }

    /// - Returns: the exit status.
    func run() throws(ControlFault) -> Int32 {
        let patience = options.timeout ?? Self.patience(for: line)
        let timer = Timer(on: loop) { [unowned self] _ in
            end(.failure(.silent(seconds: Int(patience.seconds))))
        }
        timer.set(at: loop.now + patience)
        connection.heard = { [unowned self] heard in receive(heard) }
        connection.closed = { [unowned self] in end(.failure(.gone)) }
        if form == .people { say(answer.before) }
        connection.send(line)
        while outcome == nil { loop.turn(until: .never) }
        connection.close()
        switch outcome {
        case .failure(let fault): throw fault
        case .success(.error(let code, let message)):
            if form == .json { say(code, message) }
            ControlCommand.complain("\(code.rawValue): \(message)")
            return ControlCommand.Exit.error
        case .success(.ok), nil:
            if form == .json, !isStatus { ControlCommand.say("{\"ok\":true}\n") }
            if form == .people { say(answer.end()) }
            return ControlCommand.Exit.ok
        }
    }

    /// How long a timed start may wait for its instant (contract 3.9).
    private static let timedStart = TimeSpan.seconds(60)

    /// How long to wait for the answer to `line`: `pair` itself says how long it may take, and a
    /// timed start waits for its instant.
    static func patience(for line: String) -> TimeSpan {
        switch Request.read(line.utf8)?.action {
        case .success(.fleet(.pair(let window), _))?: return window + patience
        case .success(.fleet(.timedStart, _))?: return timedStart + patience
        default: return patience
        }
    }

    private var isStatus: Bool { line == "status json" }

    private func receive(_ heard: ReplyStream.Line) {
        switch heard {
        case .event: break
        case .end(let end): self.end(.success(end))
        case .data(let text):
            switch form {
            case .people: say(answer.add(text))
            case .plain: ControlCommand.say(text + "\n")
            case .json:
                let value = ReplyLine(text: text)?.json(kindKey: "kind")
                let object = value ?? .object([.init("text", .text(text))])
                ControlCommand.say((isStatus ? text : object.line) + "\n")
            }
        }
    }

    private func say(_ lines: [StyledText]) {
        for line in lines {
            ControlCommand.say(line.rendered(colours: terminal.hasColours) + "\n")
        }
    }

    private func say(_ code: ErrorCode, _ message: String) {
        let value = JSONValue.object([
            .init("ok", .flag(false)), .init("code", .text(code.rawValue)),
            .init("message", .text(message)),
        ])
        ControlCommand.say(value.line + "\n")
    }

    private func end(_ outcome: Result<ReplyEnd, ControlFault>) {
        if self.outcome == nil { self.outcome = outcome }
    }
}
