import Clock
import ControlClient
import Glibc
import LineProtocol
import Reactor

/// Prints events until it is stopped, across restarts of the daemon.
final class EventsRun {
    private let options: ControlOptions
    private let loop: EventLoop
    private let link: DaemonLink
    private var programs: EventPrograms?
    private var signals: Signals?
    private var status: Int32?

    init(_ options: ControlOptions, program: String?) throws(ControlFault) {
        self.options = options
        do throws(SystemError) {
            loop = try EventLoop()
            if let program {
                programs = EventPrograms(program, on: loop)
            }
        } catch { throw .system(error) }
        link = try DaemonLink(to: options.socket, on: loop)
        do throws(SystemError) {
            signals = try Signals([SIGINT, SIGTERM, SIGCHLD], on: loop) {
                [unowned self] signal, _ in handle(signal)
            }
        } catch { throw .system(error) }
    }

    /// - Returns: the exit status.
    func run() throws(ControlFault) -> Int32 {
        link.heard = { [unowned self] line in
            switch line {
            case .event(let text): tell(text)
            case .end(.error(_, let message)): ControlCommand.complain(message)
            case .end(.ok), .data: break
            }
        }
        link.lost = { ControlCommand.complain("geotagd went; waiting for it") }
        link.connected = { [unowned self] in
            ControlCommand.complain("geotagd is back")
            link.send("events on")
        }
        link.send("events on")
        while status == nil { loop.turn(until: .never) }
        return status ?? ControlCommand.Exit.ok
    }

    private func handle(_ signal: Int32) {
        if signal == SIGCHLD { programs?.reap() } else { status = ControlCommand.Exit.ok }
    }

    private func tell(_ text: String) {
        let line = ReplyLine(text: text)
        var isHeard = true
        if options.json, let line {
            isHeard = ControlCommand.say(line.json(kindKey: "event").line + "\n")
        } else if programs == nil {
            isHeard = ControlCommand.say(text + "\n")
        }
        if !isHeard { status = ControlCommand.Exit.ok }
        if let line { programs?.run(for: line) }
    }
}
