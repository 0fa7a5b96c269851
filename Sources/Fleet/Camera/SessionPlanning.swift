import Clock
import LineProtocol
import OsmoProtocol

/// What a command means to this camera in its present state.
extension CameraSession {
    /// A command before its first frame.
    private enum Plan {
        /// Answered without a frame.
        case done(CameraOutcome)
        case steps([CommandStep])

        static func failed(_ error: ErrorCode, _ words: String) -> Plan {
            .done(.failed(error, words))
        }
    }

    /// A command came.
    ///
    /// - Parameter isTrusted: what the status shows already is not sent.
    mutating func start(
        _ ticket: Ticket, _ command: CameraCommand, at now: Instant,
        trusting isTrusted: Bool = true
    ) {
        if case .record = command, let unsettled, now < unsettled.until, case .ready = state,
            run == nil, waiting == nil
        {
            waiting = (ticket, command)
            return
        }
        switch plan(command, at: now, trusting: isTrusted) {
        case .done(let outcome): outbox.append(.commandDone(ticket, outcome))
        case .steps(let steps):
            let first = CommandRun(
                ticket: ticket, command: command, steps: steps,
                sequence: sequence(for: steps[0]), at: now)
            run = first
            sendStep(at: now)
        }
    }

    private func plan(
        _ command: CameraCommand, at now: Instant, trusting isTrusted: Bool
    ) -> Plan {
        if let words = prepareToClose { return .failed(.notReady, words) }
        if case .asleep = state, command == .sleep || command == .forcedSleep {
            return .done(CameraOutcome(fields: [Field("state", "asleep")]))
        }
        if let words = unready(at: now) { return .failed(.notReady, words) }
        if let run {
            return .failed(.busy, "\(run.command.verb) is still under way")
        }
        if waiting != nil { return .failed(.busy, "record is still under way") }
        switch command {
        case .record(let action):
            return planRecord(
                action, status: live.fresh(at: now), trusting: isTrusted)
        case .photo: return planPhoto(status: live.fresh(at: now))
        case .mode(let name):
            guard let mode = CameraMode(name: name) else {
                return .failed(.badArgument, "there is no mode \(name)")
            }
            let status = live.fresh(at: now)
            let meant = inGroup(mode, at: now)
            return refusal(of: meant, status: status) ?? planMode(meant, status: status)
        case .modeCode(let code):
            return planMode(CameraMode(rawValue: code), status: live.fresh(at: now))
        case .key(let key): return .steps([.key(Self.code(of: key))])
        case .sleep where isRecording == true:
            return .failed(.busy, "recording: `record stop` first, or `sleep force`")
        case .sleep, .forcedSleep: return .steps([.sleep])
        case .restart: return .steps([.restart])
        case .version: return .steps([.version])
        case .raw(let frame): return planRaw(frame)
        }
    }

    private func planRecord(
        _ action: FleetCommand.Record, status: CameraStatus?, trusting isTrusted: Bool
    ) -> Plan {
        let starts: Bool
        switch action {
        case .start: starts = true
        case .stop: starts = false
        case .toggle:
            guard let status else { return .failed(.notReady, Self.unknownMode) }
            starts = !status.isRecording
        }
        let step = CommandStep.record(starts: starts)
        guard let status else { return .steps([step]) }
        // Its status shows it already: nothing to do, which is no error. A camera that fills its
        // pre-record buffer shows neither, and is told in any case.
        if isTrusted, step.isShown(by: status, answered: false) {
            return .done(CameraOutcome(fields: [Field("recording", starts ? "yes" : "no")]))
        }
        guard starts, status.mode.takesPhotos else { return .steps([step]) }
        // 1D03 is for video modes: in photo modes cameras disagree on what it does.
        let video = status.mode.isPanoramic ? CameraMode.panoVideo : .video
        return .steps([.mode(video), step])
    }

    private func planPhoto(status: CameraStatus?) -> Plan {
        // In a video mode the same key would start a recording.
        guard let status else { return .failed(.notReady, Self.unknownMode) }
        if status.isRecording { return .failed(.busy, "recording") }
        guard status.mode.takesPhotos else {
            return .failed(.unsupported, "in mode \(status.mode): `mode photo` first")
        }
        if status.activity == 3 { return .failed(.busy, "taking a photo") }
        return .steps([.key(.record)])
    }

    private func planMode(_ mode: CameraMode, status: CameraStatus?) -> Plan {
        guard let status else { return .steps([.mode(mode)]) }
        if status.mode == mode {
            return .done(CameraOutcome(fields: [Field("mode", "\(mode)")]))
        }
        // It would end the recording, or be refused and taken for a mode that it does not have.
        if status.isRecording { return .failed(.busy, "recording: `record stop` first") }
        return .steps([.mode(mode)])
    }

    /// A mode asked for by name that a camera of this model, or its lens group, does not have.
    private func refusal(of mode: CameraMode, status: CameraStatus?) -> Plan? {
        guard let model, let status, status.mode != mode,
            !model.offeredModes(from: status.mode).contains(mode)
        else { return nil }
        let words = lensGroup(of: mode) ?? "\(model) has no mode \(mode): `modes` lists them"
        return .failed(.unsupported, words)
    }

    private func planRaw(_ bytes: [UInt8]) -> Plan {
        do throws(FrameError) {
            let frame = try Frame(datagram: bytes)
            return .steps([.raw(frame: bytes, sequence: frame.sequence, opcode: frame.opcode)])
        } catch {
            return .failed(.badArgument, "not one whole frame: \(error)")
        }
    }

    /// Why a command cannot be taken now; nil when it can.
    private func unready(at now: Instant) -> String? {
        switch state {
        case .ready: return nil
        case .handshake, .identifying, .subscribing: return "still connecting"
        case .confirm(let handshake):
            return "waiting for a tap on the camera, code \(handshake.code)"
        case .asleep, .closed, .closing: break
        }
        switch availability {
        case .available: return state == .closing ? "reconnecting" : "not connected"
        case .asleep:
            return wakeWindow(at: now) == .zero
                ? "asleep for over 30 minutes: wake it by hand" : "asleep: `wake` first"
        case .refused: return "refused on the camera: `reconnect` asks again"
        case .unconfirmed: return "nobody confirmed on the camera: `reconnect` asks again"
        }
    }

    private static let unknownMode = "its status is not known"

    private static func code(of key: FleetCommand.Key) -> KeyReport.Key {
        switch key {
        case .record: .record
        case .qs: .quickSwitch
        case .snapshot: .snapshot
        }
    }

    /// The mode that a name means: an Osmo 360 in its panoramic group cannot leave it by command.
    private func inGroup(_ mode: CameraMode, at now: Instant) -> CameraMode {
        guard model == .osmo360, live.fresh(at: now)?.mode.isPanoramic == true else { return mode }
        return mode.panoramicCounterpart ?? mode
    }

    private mutating func sequence(for step: CommandStep) -> UInt16 {
        if case .raw(_, let sequence, _) = step { return sequence }
        return nextSequence()
    }
}
