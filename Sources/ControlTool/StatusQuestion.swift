import Clock
import ControlClient
import LineProtocol
import Reactor

/// Sends one request and waits for its answer, for programs that work step by step.
enum StatusQuestion {
    /// How long an answer may take.
    static let patience = TimeSpan.seconds(3)

    /// The daemon's `status json`; nil where nobody answers.
    static func status(_ socket: String) -> JSONValue? {
        guard case .success(let answer)? = ask("status json", socket, patience: patience) else {
            return nil
        }
        return answer.lines.first.flatMap { JSONValue($0) }
    }

    /// An answer: its data lines, and its end.
    struct Answer {
        var lines: [String] = []
        var end = ReplyEnd.ok
    }

    /// Asks, and waits for the end of the answer.
    ///
    /// - Parameter heard: gets each data line as it comes.
    static func ask(
        _ line: String, _ socket: String, patience: TimeSpan, heard: (String) -> Void = { _ in }
    ) -> Result<Answer, ControlFault>? {
        do throws(ControlFault) {
            let loop: EventLoop
            do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
            let connection = try ControlConnection(to: socket, on: loop)
            var answer = Answer()
            var fresh: [String] = []
            var isOver = false
            var isLost = false
            connection.heard = { line in
                switch line {
                case .event: break
                case .data(let text):
                    answer.lines.append(text)
                    fresh.append(text)
                case .end(let end):
                    answer.end = end
                    isOver = true
                }
            }
            connection.closed = {
                isLost = true
                isOver = true
            }
            let timer = Timer(on: loop) { _ in
                isLost = true
                isOver = true
            }
            timer.set(at: loop.now + patience)
            connection.send(line)
            while !isOver {
                loop.turn(until: .never)
                for text in fresh { heard(text) }
                fresh = []
            }
            connection.close()
            return isLost ? .failure(.silent(seconds: Int(patience.seconds))) : .success(answer)
        } catch { return .failure(error) }
    }
}
