import Clock
import OsmoProtocol

/// What a ready camera does when it is told to (protocol 3).
extension SimulatedCamera {
    mutating func obey(_ frame: Frame, at now: Instant) {
        // The handshake is the only command of a camera's that a controller answers.
        guard !frame.type.isResponse else { return violated(.unknownCommand) }
        switch frame.opcode {
        case .gpsPush:
            guard let push = frame.read(GPSPush.self) else { return violated(.malformed) }
            receivePush(push, at: now)
        case .version: answerVersion(frame, at: now)
        case .key:
            guard let report = frame.read(KeyReport.self) else { return violated(.malformed) }
            finish(frame, press(report, at: now), at: now)
        case .restart: restart(frame, at: now)
        case .power: changePower(frame, at: now)
        case .record:
            guard let control = frame.read(RecordControl.self) else { return violated(.malformed) }
            finish(frame, record(control.starts, at: now), at: now)
        case .modeSwitch:
            guard let command = frame.read(ModeSwitch.self) else { return violated(.malformed) }
            finish(frame, switchMode(to: command.mode, at: now), at: now)
        case .subscription:
            guard let wanted = frame.read(StatusSubscription.self) else {
                return violated(.malformed)
            }
            subscribe(wanted, frame, at: now)
        default:
            violated(.unknownCommand)
        }
    }

    mutating func receivePush(_ push: GPSPush, at now: Instant) {
        if let fault = pushes.record(push, at: now) { violated(fault) }
        note(.push(push))
    }

    private mutating func finish(_ frame: Frame, _ code: ReturnCode, at now: Instant) {
        note(.command(frame.opcode, code))
        reply(code, to: frame, at: now)
        isVisiting = false
    }

    private mutating func answerVersion(_ frame: Frame, at now: Instant) {
        note(.command(.version, nil))
        guard behaviour.answersVersion else { return }
        let reply = VersionReply(product: "DJI-ACTION4", sdk: "SDK-v1.1 DEBUG AC203-03.04.80.15")
        schedule(answer: Frame(reply, sequence: frame.sequence), at: answerTime(at: now))
    }

    private mutating func restart(_ frame: Frame, at now: Instant) {
        note(.command(.restart, nil))
        guard behaviour.restarts else { return }
        let reply = RestartReply(deviceID: model.deviceID, code: .success)
        schedule(answer: Frame(reply, sequence: frame.sequence), at: answerTime(at: now))
        eventQueue.add(.shutDown(backAfterSeconds: 5), at: now + .milliseconds(300))
    }

    private mutating func changePower(_ frame: Frame, at now: Instant) {
        guard let wanted = frame.read(PowerMode.self) else { return violated(.malformed) }
        note(.command(.power, .success))
        let isTold = reply(.success, to: frame, at: now)
        if wanted == .sleep { fallAsleep(isTold: isTold, at: now) }
    }

    private mutating func subscribe(
        _ wanted: StatusSubscription, _ frame: Frame, at now: Instant
    ) {
        note(.command(.subscription, nil))
        link?.subscription = wanted.mode
        statusDue = nil
        if behaviour.answersSubscription { reply(.success, to: frame, at: now) }
        guard wanted.mode != .off, !behaviour.withholdsStatus else { return }
        let first = now + .milliseconds(60)
        if wanted.mode == .once {
            eventQueue.add(.notify(statusFrame(at: now).encoded), at: first)
        } else {
            statusDue = first
        }
        if behaviour.greetsWithText { eventQueue.add(.text, at: first + .milliseconds(20)) }
    }
}

/// Recording, pictures and modes.
extension SimulatedCamera {
    /// Starts or stops a recording as 1D03 commands.
    private mutating func record(_ starts: Bool, at now: Instant) -> ReturnCode {
        if starts, !body.isRecording, let refusal = body.recordRefusal { return refusal }
        guard !behaviour.ignoresRecord, starts != body.isRecording else { return .success }
        eventQueue.add(.record(starts), at: now + behaviour.recordDelay)
        return .success
    }

    /// Switches the mode as 1D04 commands.
    private mutating func switchMode(to mode: CameraMode, at now: Instant) -> ReturnCode {
        guard body.modes.contains(mode), !body.isRecording else { return .failed }
        if model == .osmo360, mode.isPanoramic != body.isPanoramic {
            return behaviour.crossLens == .refused ? .failed : .success
        }
        guard !behaviour.ignoresMode else { return .success }
        eventQueue.add(.switchMode(mode), at: now + behaviour.modeDelay)
        return .success
    }

    /// Does what the key does that 0011 reports.
    private mutating func press(_ report: KeyReport, at now: Instant) -> ReturnCode {
        guard report.mode == 1 else { return report.mode == 0 ? .success : .parseError }
        switch (report.key, report.value) {
        case (.record, 0): return shoot(at: now)
        case (.record, 1):
            // The answer may get lost; then only the status says that the camera sleeps.
            fallAsleep(isTold: false, at: now)
            return .success
        case (.quickSwitch, 0): return quickSwitch(at: now)
        case (.snapshot, 0): return snapshot(at: now)
        default: return .failed
        }
    }

    /// The shutter: a picture in photo modes, else recording on or off.
    mutating func shoot(at now: Instant) -> ReturnCode {
        if body.mode.takesPhotos { return expose(sleepsAfter: false, at: now) }
        if !body.isRecording, let refusal = body.recordRefusal { return refusal }
        guard !behaviour.ignoresRecord else { return .success }
        eventQueue.add(.record(!body.isRecording), at: now + behaviour.recordDelay)
        return .success
    }

    private mutating func expose(sleepsAfter: Bool, at now: Instant) -> ReturnCode {
        guard !body.isExposing, body.remainingPhotos > 0,
            body.cardMegabytes > CameraBody.fullCard
        else { return .failed }
        body.isExposing = true
        body.photosTaken += 1
        body.remainingPhotos -= 1
        body.cardMegabytes -= min(body.cardMegabytes, 10)
        note(.photo)
        stateChanged(at: now)
        eventQueue.add(.endExposure(sleeps: sleepsAfter), at: now + .milliseconds(700))
        return .success
    }

    private mutating func snapshot(at now: Instant) -> ReturnCode {
        guard !body.isRecording else { return .failed }
        return expose(sleepsAfter: isVisiting, at: now)
    }

    /// Selects the next mode of the quick list, or its first; the camera switches to it after two
    /// seconds.
    private mutating func quickSwitch(at now: Instant) -> ReturnCode {
        if body.isRecording {
            guard model != .osmo360 else { return .failed }
            body.highlights += 1
            return .success
        }
        let list = body.quickList
        let index = body.nextMode.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        body.nextMode = list[index % list.count]
        eventQueue.removeAll { $0 == .settleQuickSwitch }
        eventQueue.add(.settleQuickSwitch, at: now + .seconds(2))
        stateChanged(at: now)
        return .success
    }

    mutating func setRecording(_ on: Bool, at now: Instant) {
        guard on != body.isRecording else { return }
        if on {
            guard power == .on, body.recordRefusal == nil else { return }
            body.recordingSince = now
        } else {
            body.cardMegabytes = body.cardMegabytes(at: now, rate: behaviour.cardRate)
            body.recordingSince = nil
        }
        note(.recording(on))
        stateChanged(at: now)
    }

    mutating func setMode(_ mode: CameraMode, at now: Instant) {
        body.nextMode = nil
        guard power == .on, !body.isRecording else { return }
        let changed = mode != body.mode
        body.mode = mode
        stateChanged(at: now)
        guard changed else { return }
        note(.mode(mode))
        if link?.subscription == .periodicAndOnChange {
            eventQueue.add(.text, at: now + .milliseconds(20))
        }
    }
}
