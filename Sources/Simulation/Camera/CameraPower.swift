package import Clock
import OsmoProtocol

/// Status pushes.
extension SimulatedCamera {
    func statusFrame(at now: Instant) -> Frame {
        let isAsleep = power != .on
        let status = body.status(
            at: now, isAsleep: isAsleep, isOld: behaviour.old, rate: behaviour.cardRate)
        return Frame(
            type: behaviour.asksForAnswers ? .request : .push, sequence: sequence,
            opcode: .status, payload: status.payload)
    }

    mutating func pushStatus(at now: Instant) {
        guard !behaviour.withholdsStatus, !chance(behaviour.statusLostPercent) else { return }
        sequence &+= 1
        notify(statusFrame(at: now).encoded)
    }

    /// Something that the status shows is different.
    mutating func stateChanged(at now: Instant) {
        if power == .on, link?.subscription == .periodicAndOnChange { pushStatus(at: now) }
    }

    /// A notification of DJI's other protocol.
    mutating func makeNoise() {
        notify([0x55, 0x0D, 0x04, 0x33, 0x02, 0xAA, 0x10, 0x00, 0x40, 0x07, 0x45, 0xAA, 0x38])
    }
}

/// Asleep, awake, off.
extension SimulatedCamera {
    mutating func touch(_ hand: Hand, at now: Instant) {
        switch hand {
        case .record: if power == .on { _ = shoot(at: now) }
        case .confirm: if power == .on { decide(allowed: true) }
        case .refuse: if power == .on { decide(allowed: false) }
        case .power:
            switch power {
            case .on: fallAsleep(isTold: false, at: now)
            case .asleep, .off: awaken(byBroadcast: false)
            }
        }
    }

    /// - Parameter isTold: the controller sent the sleep command and gets an answer to it.
    mutating func fallAsleep(isTold: Bool, at now: Instant) {
        setRecording(false, at: now)
        let late = statusFrame(at: now).encoded
        let wasSubscribed = statusDue != nil
        power = .asleep(since: now)
        statusDue = nil
        noiseDue = nil
        pushes.interrupt()
        eventQueue.removeAll { $0 == .text || $0 == .settleQuickSwitch }
        note(.slept)
        sleepTold = isTold ? .zero : .never
        if link != nil, wasSubscribed, !chance(behaviour.statusLostPercent) {
            eventQueue.add(.tellSleep, at: now + .milliseconds(80))
            for index in 0..<behaviour.lateStatuses {
                eventQueue.add(.lateStatus(late), at: now + .milliseconds(200 + 100 * index))
            }
        }
        if link == nil {
            outputs.append(.advertise(.asleep))
        } else if behaviour.sleepDropsLink {
            eventQueue.add(.dropLink, at: now + .seconds(1))
        }
    }

    mutating func wakeHeard(at now: Instant) {
        guard case .asleep(let since) = power, now - since <= behaviour.wakeWindow else { return }
        let isWaking = eventQueue.items.contains {
            if case .awaken = $0 { true } else { false }
        }
        if !isWaking { eventQueue.add(.awaken(byBroadcast: true), at: now + .milliseconds(300)) }
    }

    mutating func awaken(byBroadcast: Bool) {
        guard power != .on else { return }
        power = .on
        isVisiting = byBroadcast
        note(.woke)
        if link != nil {
            endLink()
            outputs.append(.dropLink)
        }
        outputs.append(.advertise(.on))
    }

    mutating func dropLink() {
        guard link != nil else { return }
        endLink()
        outputs.append(.dropLink)
        outputs.append(.advertise(advertising))
    }

    mutating func shutDown(backAfter: TimeSpan?, at now: Instant) {
        setRecording(false, at: now)
        power = .off(until: backAfter.map { now + $0 })
        note(.restarted)
        if link != nil {
            endLink()
            outputs.append(.dropLink)
        }
        outputs.append(.advertise(.off))
        if let backAfter { eventQueue.add(.awaken(byBroadcast: false), at: now + backAfter) }
    }
}

/// Settings for whoever runs the simulation.
extension SimulatedCamera {
    /// Changes what the camera is or how it behaves: `battery` percent, `card` MB, `photos` left,
    /// `temperature` `normal|warm|hot|shutdown`, `mode` name, `lens` `panoramic|single`, or a key
    /// of `Behaviour.set`.
    ///
    /// - Returns: what the camera does on it; nil for a key or a value that is not known.
    package mutating func set(
        _ key: String, to value: String, at now: Instant
    ) -> [CameraOutput]? {
        let before = handle(.timer, at: now)
        switch key {
        case "battery":
            guard let percent = UInt8(value), percent <= 100 else { return nil }
            body.batteryPercent = percent
            if percent == 0 { shutDown(backAfter: nil, at: now) }
        case "card":
            guard let megabytes = Int(value), (0...4_000_000).contains(megabytes) else {
                return nil
            }
            let left = body.cardMegabytes(at: now, rate: behaviour.cardRate)
            body.cardMegabytes += megabytes - left
        case "photos":
            guard let photos = UInt32(value) else { return nil }
            body.remainingPhotos = photos
        case "temperature":
            let words = ["normal", "warm", "hot", "shutdown"]
            guard let index = words.firstIndex(of: value) else { return nil }
            body.temperature = UInt8(index)
            if index >= 2 { setRecording(false, at: now) }
            if index == 3 {
                eventQueue.add(.shutDown(backAfterSeconds: nil), at: now + .seconds(3))
            }
        case "mode":
            guard let mode = CameraMode(name: value), body.modes.contains(mode) else { return nil }
            setMode(mode, at: now)
        case "lens":
            guard model == .osmo360, value == "panoramic" || value == "single" else { return nil }
            body.isPanoramic = value == "panoramic"
            setMode(body.isPanoramic ? .panoVideo : .video, at: now)
        default:
            guard behaviour.set(key, to: value) else { return nil }
        }
        stateChanged(at: now)
        return before + handle(.timer, at: now)
    }

    /// Sets the counts of pushes and violations back to 0.
    package mutating func clearCounters() {
        pushes = PushLog()
        violations = [:]
        handshakes = 0
    }
}
