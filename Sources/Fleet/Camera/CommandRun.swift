import Clock
import LineProtocol
import OsmoProtocol

/// A command under way: the step that is out and those behind it.
///
/// | stage | happens | then |
/// | --- | --- | --- |
/// | answer | answer 0, status not needed | next step, or done |
/// | answer | answer 0, status needed | status, for 3 s |
/// | answer | another return code, first try | refused |
/// | answer | another return code, a later try | status, for 3 s, then refused: an earlier try may have worked |
/// | answer | another return code right after a mode switch | answer, so that it is tried again |
/// | answer | deadline, tries left | answer, sent again under the same sequence number |
/// | answer | deadline, none left | timeout |
/// | either | a status that shows it | next step, or done |
/// | status | deadline | timeout, or refused |
struct CommandRun: Equatable, Sendable {
    /// What is waited for.
    enum Stage: Equatable, Sendable {
        case answer(until: Instant)
        case status(until: Instant)
    }

    /// What an event made of the command.
    enum Verdict: Equatable, Sendable {
        case goesOn
        /// The step worked.
        case stepDone
        case refused(ReturnCode)
        /// No answer to any try, or no status that shows it.
        case timeout
        /// Send the step again.
        case again
    }

    let ticket: Ticket
    let command: CameraCommand
    /// The step that is out, then the rest; never empty.
    private(set) var steps: [CommandStep]
    /// Of all tries of the step that is out.
    private(set) var sequence: UInt16
    private(set) var stage: Stage
    /// Times the step was sent.
    private(set) var tries = 1
    /// When the step was first sent.
    private(set) var sent: Instant
    /// When it was last sent.
    private(set) var lastSent: Instant
    /// When the camera's answer 0 came.
    private(set) var acknowledged: Instant?
    /// A return code other than 0 that is not the last word.
    private var refusal: ReturnCode?
    /// The step follows a mode switch that was only just confirmed: a refusal may be haste.
    private var isHasty = false
    /// Whether the present try has gone out.
    private var isOut = false

    /// The first step goes out now.
    init(
        ticket: Ticket, command: CameraCommand, steps: [CommandStep], sequence: UInt16,
        at now: Instant
    ) {
        precondition(!steps.isEmpty, "a command that sends nothing is answered at once")
        self.ticket = ticket
        self.command = command
        self.steps = steps
        self.sequence = sequence
        sent = now
        lastSent = now
        stage = .answer(until: now + steps[0].patience)
    }

    /// The step that is out.
    var step: CommandStep { steps[0] }

    /// When `expired` has to be called.
    var deadline: Instant {
        switch stage {
        case .answer(let until), .status(let until): until
        }
    }

    /// Whether a response answers the step that is out.
    func isAnswered(by frame: Frame) -> Bool {
        frame.type.isResponse && frame.opcode == step.opcode && frame.sequence == sequence
    }

    /// The camera answered.
    ///
    /// - Parameter code: nil where the answer cannot be read, which still is an answer.
    mutating func answered(_ code: ReturnCode?, at now: Instant) -> Verdict {
        guard case .answer = stage else { return .goesOn }
        if let code, code != .success {
            refusal = code
            if isHasty, tries < step.tries { return .goesOn }
            guard tries > 1, step.needsStatus else { return .refused(code) }
            stage = .status(until: now + SessionTiming.confirmation)
            return .goesOn
        }
        acknowledged = now
        guard step.needsStatus else { return .stepDone }
        stage = .status(until: now + SessionTiming.confirmation)
        return .goesOn
    }

    /// A status push came, or is known and recent.
    func shown(by status: CameraStatus) -> Verdict {
        step.isShown(by: status, answered: acknowledged != nil) ? .stepDone : .goesOn
    }

    /// The deadline has come.
    func expired() -> Verdict {
        switch stage {
        case .answer where tries < step.tries: .again
        case .answer, .status: refusal.map { .refused($0) } ?? .timeout
        }
    }

    /// The step goes out once more, under the same sequence number so that a late answer counts.
    mutating func sendAgain(at now: Instant) {
        tries += 1
        isOut = false
        lastSent = now
        stage = .answer(until: now + step.patience)
    }

    /// The try goes out, perhaps later than it began: it had to wait, or the link did not take it.
    ///
    /// - Returns: whether it goes out for the first time.
    mutating func goesOut(at now: Instant) -> Bool {
        if tries == 1 { sent = now }
        lastSent = now
        defer { isOut = true }
        return !isOut
    }

    /// The next step goes out.
    ///
    /// - Returns: whether there is one.
    mutating func advance(sequence: UInt16, at now: Instant) -> Bool {
        guard steps.count > 1 else { return false }
        if case .mode = steps.removeFirst() { isHasty = true }
        self.sequence = sequence
        tries = 1
        isOut = false
        sent = now
        lastSent = now
        acknowledged = nil
        refusal = nil
        stage = .answer(until: now + step.patience)
        return true
    }

    /// From the try that was answered to the answer.
    var roundTrip: TimeSpan? { acknowledged.map { $0 - lastSent } }
}
