package import Clock
package import LineProtocol
package import Reactor

/// A connection that is made again whenever the daemon comes back.
///
/// Either all requests go by `send`, and `heard` gets what comes back, or all go by `ask`.
package final class DaemonLink {
    /// The time between two tries to connect.
    package static let retryInterval = TimeSpan.seconds(1)
    /// Questions that may wait for their answers at once.
    package static let maxQuestions = 16

    /// Data lines and end of an answer.
    package struct Answer: Equatable, Sendable {
        /// Without their line ends.
        package var lines: [String] = []
        /// `OK` or `ERR`.
        package var end = ReplyEnd.ok

        /// An answer that has come whole.
        package init(lines: [String] = [], end: ReplyEnd = .ok) {
            self.lines = lines
            self.end = end
        }
    }

    /// Called for each line that comes and answers nothing that was asked by `ask`.
    package var heard: (ReplyStream.Line) -> Void = { _ in }
    /// Called after each connection that was made, but one that `init` made.
    package var connected: () -> Void = {}
    /// Called when the connection is lost.
    package var lost: () -> Void = {}

    private let path: String
    private let loop: EventLoop
    private var connection: ControlConnection?
    private var retry: Timer?
    private var deadline: Timer?
    private var questions: [Question] = []

    private struct Question {
        var answer = Answer()
        let patience: TimeSpan
        let deadline: Instant
        let then: (Result<Answer, ControlFault>) -> Void
    }

    /// - Throws: where no daemon answers at first.
    package init(to path: String, on loop: EventLoop) throws(ControlFault) {
        self.path = path
        self.loop = loop
        makeTimers()
        adopt(try ControlConnection(to: path, on: loop))
    }

    /// A link that waits for the daemon from the start: `connected` tells when it is there.
    package init(waitingFor path: String, on loop: EventLoop) {
        self.path = path
        self.loop = loop
        makeTimers()
        retry?.set(at: loop.now)
    }

    private func makeTimers() {
        retry = Timer(on: loop) { [unowned self] _ in reconnect() }
        deadline = Timer(on: loop) { [unowned self] now in giveUp(at: now) }
    }

    /// Whether the daemon is connected.
    package var isUp: Bool { connection != nil }

    /// Sends a request; drops it where there is no connection.
    package func send(_ line: String) { connection?.send(line) }

    /// Sends a request and hands over its whole answer, or why there is none. The daemon answers a
    /// connection's requests in order; one that outlasts `patience` ends the connection, since
    /// those behind it would wait too.
    ///
    /// - Returns: false where nothing was sent: no connection, or too many questions wait.
    @discardableResult
    package func ask(
        _ line: String, patience: TimeSpan = .seconds(5),
        then: @escaping (Result<Answer, ControlFault>) -> Void
    ) -> Bool {
        guard let connection, questions.count < Self.maxQuestions else { return false }
        questions.append(
            Question(patience: patience, deadline: loop.now + patience, then: then))
        connection.send(line)
        watchDeadlines()
        return true
    }

    private func watchDeadlines() {
        guard let first = questions.map(\.deadline).min() else {
            deadline?.cancel()
            return
        }
        deadline?.set(at: first)
    }

    private func giveUp(at now: Instant) {
        guard let late = questions.first(where: { $0.deadline <= now }) else {
            return watchDeadlines()
        }
        connection?.close()
        lose(.silent(seconds: Int(late.patience.seconds)))
    }

    private func adopt(_ new: ControlConnection) {
        connection = new
        new.heard = { [unowned self] line in receive(line) }
        new.closed = { [unowned self] in lose(.gone) }
    }

    private func receive(_ line: ReplyStream.Line) {
        guard !questions.isEmpty else { return heard(line) }
        switch line {
        case .event: heard(line)
        case .data(let text): questions[0].answer.lines.append(text)
        case .end(let end):
            var question = questions.removeFirst()
            question.answer.end = end
            watchDeadlines()
            question.then(.success(question.answer))
        }
    }

    private func lose(_ fault: ControlFault) {
        connection = nil
        retry?.set(at: loop.now + Self.retryInterval)
        let unanswered = questions
        questions = []
        watchDeadlines()
        lost()
        for question in unanswered { question.then(.failure(fault)) }
    }

    private func reconnect() {
        do throws(ControlFault) {
            adopt(try ControlConnection(to: path, on: loop))
            connected()
        } catch { retry?.set(at: loop.now + Self.retryInterval) }
    }
}
