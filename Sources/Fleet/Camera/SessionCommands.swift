import Clock
import LineProtocol
import OsmoProtocol

/// How one command is sent, acknowledged and confirmed.
extension CameraSession {
    /// The answer to the step that is out came.
    mutating func answered(_ frame: Frame, at now: Instant) {
        guard var current = run else { return }
        switch current.step {
        case .raw:
            finish(
                CameraOutcome(
                    sent: current.sent, acknowledged: now, confirmed: now,
                    fields: [Field("answer", frame.encoded.hexadecimal)]), at: now)
            return
        case .version:
            if let reply = frame.read(VersionReply.self), reply.result == 0 { version = reply }
        case .mode, .record, .key, .sleep, .restart: break
        }
        let before = current.acknowledged
        let verdict = current.answered(frame.returnCode, at: now)
        run = current
        if before == nil, current.acknowledged != nil {
            roundTrip = current.roundTrip
            noteProgress("acknowledged", of: current)
        }
        conclude(verdict, at: now)
        // A camera that fills its pre-record buffer may look as it did before.
        if let run, run.acknowledged != nil, let status = live.fresh(at: now),
            status.isPreRecording
        {
            conclude(run.shown(by: status), at: now)
        }
    }

    /// An answer that nobody waits for any more: a record command was done before it came.
    mutating func lateAnswerCame(_ frame: Frame, at now: Instant) {
        guard let late = lateAnswer, frame.type.isResponse, frame.opcode == .record,
            frame.sequence == late.sequence, now <= late.until
        else { return }
        lateAnswer = nil
        guard frame.returnCode == .success else { return }
        outbox.append(.notice(.record, [Field("state", "acknowledged")]))
    }

    /// The deadline of the command under way has come.
    mutating func runExpired(at now: Instant) {
        guard let current = run else { return }
        if case .raw = current.step {
            finish(
                CameraOutcome(sent: current.sent, fields: [Field("answer", "none")]), at: now)
            return
        }
        let verdict = current.expired()
        // A camera that fell asleep right after its acknowledgement says no more.
        if current.step == .sleep, verdict == .timeout, current.acknowledged != nil,
            now - (credit.lastSign ?? .zero) >= SessionTiming.answer
        {
            finish(
                CameraOutcome(
                    sent: current.sent, acknowledged: current.acknowledged, confirmed: now,
                    fields: [Field("state", "asleep")]), at: now)
            fallAsleep(at: now)
            return
        }
        conclude(verdict, at: now)
    }

    /// Goes on from what an event made of the command.
    mutating func conclude(_ verdict: CommandRun.Verdict, at now: Instant) {
        guard var current = run else { return }
        switch verdict {
        case .goesOn: break
        case .again:
            current.sendAgain(at: now)
            run = current
            sendStep(at: now)
        case .stepDone: stepDone(at: now)
        case .refused(let code): refused(code, at: now)
        case .timeout:
            let words =
                switch current.stage {
                case .answer where current.step.tries == 1: "no answer"
                case .answer: "no answer to \(current.tries) tries"
                case .status: "acknowledged, but its status did not show it"
                }
            failed(.timeout, words, at: now)
        }
    }

    private mutating func stepDone(at now: Instant) {
        guard var current = run else { return }
        let step = current.step
        if case .mode(let mode) = step { refusedModes.removeAll { $0 == mode } }
        if case .record = step, current.acknowledged == nil {
            lateAnswer = (current.sequence, now + SessionTiming.answer)
        }
        if current.steps.count > 1 {
            _ = current.advance(sequence: nextSequence(), at: now)
            run = current
            sendStep(at: now)
            return
        }
        finish(
            CameraOutcome(
                sent: current.sent, acknowledged: current.acknowledged, confirmed: now,
                fields: resultFields(of: step)), at: now)
    }

    private func resultFields(of step: CommandStep) -> [Field] {
        switch step {
        case .mode(let mode): [Field("mode", "\(mode)")]
        case .record(let starts): [Field("recording", starts ? "yes" : "no")]
        case .sleep: [Field("state", "asleep")]
        case .version:
            [Field("product", version?.product ?? ""), Field("firmware", version?.sdk ?? "")]
        case .key, .restart, .raw: []
        }
    }

    private mutating func refused(_ code: ReturnCode, at now: Instant) {
        failed(.refused, "the camera answered: \(code)", at: now)
    }

    /// The step that is out failed.
    private mutating func failed(_ error: ErrorCode, _ words: String, at now: Instant) {
        guard let current = run else { return }
        var outcome = CameraOutcome.failed(error, words)
        if case .mode(let mode) = current.step {
            refusedModes.removeAll { $0 == mode }
            refusedModes.append(mode)
            if let explanation = lensGroup(of: mode) {
                outcome = .failed(.unsupported, "\(explanation) (\(words))")
            }
        }
        outcome.sent = current.sent
        outcome.acknowledged = current.acknowledged
        finish(outcome, at: now)
    }

    /// Why an Osmo 360 cannot get there, where that is the reason.
    func lensGroup(of mode: CameraMode) -> String? {
        guard model == .osmo360, let present = live.status?.mode,
            present.isPanoramic != mode.isPanoramic
        else { return nil }
        return mode.isPanoramic
            ? "\(mode) needs the panoramic lens group: choose it on the camera"
            : "\(mode) needs the single-lens group: choose it on the camera"
    }

    /// The command under way ends with these words.
    mutating func failRun(_ error: ErrorCode, _ words: String, at now: Instant) {
        if let waiting {
            self.waiting = nil
            outbox.append(.commandDone(waiting.ticket, .failed(error, words)))
        }
        guard let current = run else { return }
        var outcome = CameraOutcome.failed(error, words)
        outcome.sent = current.sent
        outcome.acknowledged = current.acknowledged
        finish(outcome, at: now)
    }

    /// Something more urgent comes. What a record frame has set in motion may show only later.
    mutating func interrupt(_ words: String, at now: Instant) {
        if case .record(let starts) = run?.step {
            unsettled = Unsettled(starts: starts, until: now + SessionTiming.confirmation)
        }
        failRun(.notReady, words, at: now)
    }

    /// Goes on with the record command that waited, once the one before it shows or will not.
    ///
    /// A stop that reaches a camera before its recording has begun is taken for done, and the
    /// recording begins all the same.
    mutating func settle(_ status: CameraStatus?, at now: Instant) {
        guard let unsettled else { return }
        let isOver = unsettled.until <= now
        guard isOver || status.map({ $0.isRecording == unsettled.starts }) ?? false else { return }
        self.unsettled = nil
        guard let waiting else { return }
        self.waiting = nil
        start(waiting.ticket, waiting.command, at: now, trusting: !isOver)
    }

    /// The link went while a command was under way: it is never sent again.
    mutating func endRunWithLink(at now: Instant) {
        unsettled = nil
        guard let current = run else {
            return failRun(.notReady, "the link was lost before it was sent", at: now)
        }
        switch current.step {
        // What was asked for has happened, as far as a link can tell.
        case .restart:
            finish(
                CameraOutcome(
                    sent: current.sent, acknowledged: current.acknowledged, confirmed: now),
                at: now)
        case .sleep where current.acknowledged != nil:
            finish(
                CameraOutcome(
                    sent: current.sent, acknowledged: current.acknowledged, confirmed: now,
                    fields: resultFields(of: .sleep)), at: now)
            fallAsleep(at: now)
        case .mode, .record, .key, .sleep, .version, .raw:
            failRun(.notReady, "the link was lost before it was confirmed", at: now)
        }
    }

    private mutating func finish(_ outcome: CameraOutcome, at now: Instant) {
        guard let current = run else { return }
        run = nil
        outbox.append(.commandDone(current.ticket, outcome))
    }

    /// Sends the step that is out, for the first time or again. Where so many frames are out that
    /// one more could fill the adapter, it waits as one that the link did not take.
    mutating func sendStep(at now: Instant) {
        guard let current = run else { return }
        let bytes = current.step.bytes(deviceID: deviceID, sequence: current.sequence)
        guard credit.coversCommand else {
            resends.dropped(bytes, at: now)
            return
        }
        if current.step.mayEndRecording { recordingTouched = now }
        if current.step == .restart { restarted = now }
        send(bytes)
        if run?.goesOut(at: now) == true { noteProgress("sent", of: current) }
    }

    /// Puts the instants of record and photo into the events.
    private mutating func noteProgress(_ progress: String, of current: CommandRun) {
        var fields = [Field("state", progress)]
        let kind: Notice.Kind
        switch current.step {
        case .record(let starts):
            kind = .record
            fields.append(Field("action", starts ? "start" : "stop"))
        case .key(.record) where current.command == .photo: kind = .photo
        case .key, .mode, .sleep, .restart, .version, .raw: return
        }
        if current.tries > 1 { fields.append(Field("try", "\(current.tries)")) }
        outbox.append(.notice(kind, fields))
    }
}
