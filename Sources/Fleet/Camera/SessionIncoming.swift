package import Clock
import LineProtocol
import OsmoProtocol

/// What the camera says.
extension CameraSession {
    /// A notification came: whatever it is, the link moves.
    mutating func notified(_ bytes: [UInt8], at now: Instant) {
        switch state {
        case .closed, .closing: return
        case .handshake, .confirm, .identifying, .subscribing, .ready, .asleep: break
        }
        credit.earn(at: now)
        if case .ready(var watching) = state {
            watching.heard = true
            watching.queries = 0
            state = .ready(watching)
        }
        for frame in decoder.receive(bytes, at: now.nanoseconds) { receive(frame, at: now) }
        noteResumed(at: now)
    }

    /// Says so where a paused stream goes on.
    private mutating func noteResumed(at now: Instant) {
        guard let since = credit.withheldSince, credit.covers(rate: rate) else { return }
        outbox.append(
            .notice(
                .push,
                [
                    Field("state", "resumed"),
                    Field("paused_ms", "\((now - since).nanoseconds / 1_000_000)"),
                    Field("withheld", "\(credit.withheld)"),
                ]))
        credit.resume()
    }

    /// One whole frame.
    private mutating func receive(_ frame: Frame, at now: Instant) {
        if case .asleep = state {
            if let status = frame.read(CameraStatus.self) { heardAsleep(status, at: now) }
            return
        }
        if let run, run.isAnswered(by: frame) {
            answered(frame, at: now)
        } else if let status = frame.read(CameraStatus.self) {
            receive(status, at: now)
        } else if let receipt = frame.read(ConnectionResponse.self) {
            receive(receipt, sequence: frame.sequence, at: now)
        } else if let request = frame.read(ConnectionRequest.self) {
            receive(request, sequence: frame.sequence, at: now)
        } else if let reply = frame.read(VersionReply.self) {
            receive(reply, sequence: frame.sequence, at: now)
        } else if let text = frame.read(StatusText.self) {
            live.update(text)
        } else {
            lateAnswerCame(frame, at: now)
        }
    }

    /// The answer to a version query of our own.
    private mutating func receive(_ reply: VersionReply, sequence: UInt16, at now: Instant) {
        // An answer that comes late still proves what was sent before its query.
        guard credit.prove(sequence) else { return }
        hasAnswered = true
        if case .ready = state {
            hasProven = true
            unansweredLinks = 0
        }
        credit.needsProof = needsProof
        if reply.result == 0 { version = reply }
        if case .identifying = state { subscribeFirst(at: now) }
    }

    /// A status push.
    private mutating func receive(_ status: CameraStatus, at now: Instant) {
        switch state {
        // Before its consent a camera tells us nothing that counts.
        case .closed, .closing, .handshake, .confirm, .asleep: return
        case .identifying, .subscribing, .ready: break
        }
        let first = live.status == nil
        let recordSeconds = live.recordSeconds(at: now)
        let wasPanoramic = watch.mode?.isPanoramic
        live.update(status, at: now)
        if case .subscribing = state { becomeReady(at: now) }
        // The other lens group has other modes.
        if model == .osmo360, let wasPanoramic, wasPanoramic != status.mode.isPanoramic {
            refusedModes = []
        }
        watch.observe(status, &outbox)
        trouble.observe(status, at: now, &outbox)
        observeRecording(status, first: first, recordSeconds: recordSeconds, at: now)
        if let run { conclude(run.shown(by: status), at: now) }
        settle(status, at: now)
        if status.isAsleep { fallAsleep(at: now) }
    }

    /// Says so when a recording started or ended, whoever did it.
    ///
    /// - Parameters:
    ///   - first: whether this is the link's first status.
    ///   - recordSeconds: as counted before this status.
    private mutating func observeRecording(
        _ status: CameraStatus, first: Bool, recordSeconds: Int?, at now: Instant
    ) {
        let before = recorded ?? false
        recorded = status.isRecording
        guard status.isRecording != before else { return }
        guard before else {
            // A command from before this recording is not what will end it.
            recordingTouched = nil
            var fields = [Field("state", "started"), Field("record_s", "\(status.recordTime)")]
            if first { fields.append(Field("seen", "connect")) }
            outbox.append(.notice(.record, fields))
            return
        }
        stopped(stopCause(first: first, at: now), recordSeconds: recordSeconds)
    }

    /// A recording is over.
    mutating func stopped(_ cause: StopCause, recordSeconds: Int?) {
        recorded = false
        var fields = [Field("state", "stopped"), Field("cause", cause.rawValue)]
        if let recordSeconds { fields.append(Field("record_s", "\(recordSeconds)")) }
        outbox.append(.notice(.record, fields))
        outbox.append(.recordingStopped(cause))
    }

    private func stopCause(first: Bool, at now: Instant) -> StopCause {
        if let recordingTouched, now - recordingTouched <= SessionTiming.commandEffect {
            return .command
        }
        if first { return .unseen }
        if watch.card == .full { return .card }
        if live.status?.isOverheated == true { return .hot }
        return .camera
    }
}

/// Asleep behind a standing link.
extension CameraSession {
    /// The camera sleeps: silence from here on.
    mutating func fallAsleep(at now: Instant) {
        failRun(.notReady, "the camera fell asleep", at: now)
        if recorded == true {
            stopped(stopCause(first: false, at: now), recordSeconds: live.recordSeconds(at: now))
        }
        resends.clear()
        lateAnswer = nil
        availability = .asleep(since: now)
        wakeWindowOver = false
        state = .asleep(Sleeping(since: now, awakeStatuses: 0))
    }

    /// A few late frames are normal. A camera that goes on saying it is awake is: its old link takes
    /// no commands, a new one will.
    private mutating func heardAsleep(_ status: CameraStatus, at now: Instant) {
        guard case .asleep(var sleeping) = state, let powerMode = status.powerMode else { return }
        if status.isAsleep || now - sleeping.since < SessionTiming.lateStatus {
            sleeping.awakeStatuses = 0
        } else if powerMode == PowerMode.normal.rawValue {
            sleeping.awakeStatuses += 1
        }
        state = .asleep(sleeping)
        guard sleeping.awakeStatuses >= SessionTiming.awakeStatuses else { return }
        availability = .available
        close(.awake, at: now)
    }

    /// How long waking by broadcast still works; nil while awake, 0 when it is too late.
    package func wakeWindow(at now: Instant) -> TimeSpan? {
        guard case .asleep(let since) = availability else { return nil }
        return max(.zero, since + SessionTiming.wakeWindow - now)
    }
}
