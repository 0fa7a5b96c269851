import Clock
import OsmoProtocol

/// Writes as they come in, and the handshake before everything else (protocol 3.1).
extension SimulatedCamera {
    mutating func write(_ bytes: [UInt8], at now: Instant) {
        guard let link else { return }
        guard power == .on else {
            sleeperWasAddressed(bytes, at: now)
            return
        }
        guard bytes.count <= link.mtu - GATTProfile.writeOverhead else {
            violated(.overMTU)
            return
        }
        let frame: Frame
        do throws(FrameError) {
            frame = try Frame(datagram: bytes)
        } catch {
            violated(.malformed)
            return
        }
        guard link.isNotifying else {
            violated(.beforeSubscription)
            return
        }
        if frame.opcode == .connection {
            receiveHandshake(frame, at: now)
        } else if link.handshake == .over {
            obey(frame, at: now)
        } else {
            violated(.beforeHandshake)
        }
    }

    mutating func violated(_ violation: Violation) {
        violations[violation, default: 0] += 1
        note(.violation(violation))
    }

    mutating func note(_ note: @autoclosure () -> CameraNote) {
        if narrates { outputs.append(.noted(note())) }
    }

    /// Counts bytes for a sleeping camera as a violation, with two exceptions: the controller may
    /// repeat a sleep command whose answer was lost, and it cannot know that the camera sleeps
    /// before it was told.
    private mutating func sleeperWasAddressed(_ bytes: [UInt8], at now: Instant) {
        if case .off = power { return }
        let isRepeated = (try? Frame(datagram: bytes))?.read(PowerMode.self) == .sleep
        // For 300 ms after it was told, frames that were on their way already may still arrive.
        let isKnown = sleepTold == .zero || now > sleepTold + .milliseconds(300)
        if !isRepeated && isKnown { violated(.whileAsleep) }
    }

    private mutating func receiveHandshake(_ frame: Frame, at now: Instant) {
        if let answer = frame.read(ConnectionResponse.self) {
            receiveStepFour(answer, sequence: frame.sequence)
        } else if let request = frame.read(ConnectionRequest.self) {
            receiveStepOne(request, frame, at: now)
        } else {
            violated(.malformed)
        }
    }

    private mutating func receiveStepOne(
        _ request: ConnectionRequest, _ frame: Frame, at now: Instant
    ) {
        eventQueue.removeAll {
            if case .decide = $0 { true } else { false }
        }
        link?.subscription = .off
        statusDue = nil
        let forced = request.verification.mode == 1
        note(.handshake(code: request.verification.data, forced: forced))

        let code: ReturnCode = behaviour.refusesReceipt ? .failed : .success
        let receipt = Frame(
            ConnectionResponse(deviceID: model.deviceID, code: code), sequence: frame.sequence)
        let first = answerTime(at: now)
        let second = first + .milliseconds(30)
        if behaviour.order != .missing {
            schedule(answer: receipt, at: behaviour.order == .reversed ? second : first)
        }
        guard code == .success else {
            link?.handshake = .awaited
            return
        }
        let isKnown = behaviour.consent == .known || owners.contains(request.identity)
        let asksOwner = forced || !isKnown
        link?.handshake = .asked(request, asksOwner: asksOwner)
        if !asksOwner {
            eventQueue.add(.decide(allowed: true), at: behaviour.order == .normal ? second : first)
            return
        }
        switch behaviour.consent {
        case .known: eventQueue.add(.decide(allowed: true), at: second + .seconds(2))
        case .confirmed(let delay): eventQueue.add(.decide(allowed: true), at: second + delay)
        case .refused(let delay): eventQueue.add(.decide(allowed: false), at: second + delay)
        case .waits: break
        }
    }

    /// Step 3.
    mutating func decide(allowed: Bool) {
        guard case .asked(let request, let asksOwner)? = link?.handshake else { return }
        if allowed, asksOwner, !owners.contains(request.identity) {
            owners.append(request.identity)
        }
        let number = nextSequence()
        let decision = ConnectionRequest(
            deviceID: model.deviceID, address: address,
            verification: allowed ? .allowed : .refused)
        link?.handshake = .decided(sequence: number, allowed: allowed)
        note(.decided(allowed: allowed))
        notify(Frame(decision, sequence: number).encoded)
    }

    private mutating func receiveStepFour(_ answer: ConnectionResponse, sequence: UInt16) {
        guard case .decided(sequence, allowed: true)? = link?.handshake, answer.code == .success
        else {
            violated(.strayAnswer)
            return
        }
        link?.handshake = .over
        handshakes += 1
        cameraNumber = answer.cameraNumber
        note(.authenticated(cameraNumber: answer.cameraNumber))
    }
}

/// Answers and pushes on their way out.
extension SimulatedCamera {
    mutating func nextSequence() -> UInt16 {
        sequence &+= 1
        return sequence
    }

    mutating func notify(_ bytes: [UInt8]) {
        guard let link, link.isNotifying, !behaviour.mute else { return }
        // A notification holds three bytes less than the MTU.
        let room = behaviour.splits ? 20 : max(20, link.mtu - 3)
        guard bytes.count > room else {
            outputs.append(.notify(bytes))
            return
        }
        var start = 0
        while start < bytes.count {
            let end = min(start + room, bytes.count)
            outputs.append(.notify(Array(bytes[start..<end])))
            start = end
        }
    }

    /// When an answer to something received now goes out.
    mutating func answerTime(at now: Instant) -> Instant {
        var time = now + behaviour.answerDelay
        if behaviour.answerJitter > .zero {
            let jitter = behaviour.answerJitter.nanoseconds
            time += TimeSpan(nanoseconds: Int64.random(in: 0...jitter, using: &random))
        }
        if chance(behaviour.latePercent) { time += behaviour.lateDelay }
        return time
    }

    /// - Returns: whether it gets through.
    @discardableResult
    mutating func schedule(answer: Frame, at due: Instant) -> Bool {
        guard !chance(behaviour.lostPercent) else { return false }
        eventQueue.add(.notify(answer.encoded), at: due)
        return !behaviour.mute
    }

    /// - Returns: whether it gets through.
    @discardableResult
    mutating func reply(_ code: ReturnCode, to command: Frame, at now: Instant) -> Bool {
        let hasReserve = command.opcode == .record || command.opcode == .modeSwitch
        let reply = CommandReply(
            code: code, reserved: hasReserve ? [0, 0, 0, 0] : [])
        return schedule(answer: Frame(reply, to: command), at: answerTime(at: now))
    }

    mutating func chance(_ percent: Int) -> Bool {
        percent > 0 && Int.random(in: 0..<100, using: &random) < percent
    }
}
