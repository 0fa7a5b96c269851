import Clock
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort
import TrackFormat

/// What the receivers say, and the pushes that follow from it.
extension Rig {
    /// What gpsd says.
    mutating func receive(_ input: ReceiverInput, at now: Instant) {
        carryOut(pushes.source.handle(input, at: now), at: now)
        pushes.refresh(sourceToo: true)
    }

    /// Pushes a second that are aimed at now: fewer while no camera records, where so configured.
    package var pace: Int {
        guard let idleRate = settings.idleRate else { return settings.rate }
        for index in cameras.indices where cameras[index].session.isRecording == true {
            return settings.rate
        }
        return min(idleRate, settings.rate)
    }

    /// Changes the pace where a recording has begun or the last one has ended.
    mutating func keepPace() {
        pushes.schedule.setRate(pace)
        pushes.refresh(sourceToo: false)
    }

    /// Lets time pass for receivers and schedule, and pushes what is due.
    mutating func advancePushes(at now: Instant) {
        let isSourceDue = pushes.sourceDeadline <= now
        if isSourceDue { carryOut(pushes.source.advance(to: now), at: now) }
        switch pushes.schedule.advance(to: now) {
        case .position: pushPosition(at: now)
        case .void: pushVoid(at: now)
        case nil: break
        }
        pushes.refresh(sourceToo: isSourceDue)
    }

    mutating func carryOut(_ events: [PositionEvent], at now: Instant) {
        for event in events {
            switch event {
            case .fix(let fix, _):
                hasFreshFix = true
                pushes.schedule.fixArrived(fix.arrival, interval: pushes.source.epochInterval)
            case .lost(let loss):
                pushes.schedule.lost(at: now, gone: loss == .gone)
                hasFreshFix = false
                auto.lose()
            case .epochClosed(let fix, let sequence):
                // One that came late says where the vehicle was, not what it does.
                if hasFreshFix { auto.see(fix) }
                effects.append(
                    .epoch(
                        ClosedEpoch(
                            fix: fix, sequence: sequence,
                            pushedCameras: pushes.cameras(of: sequence),
                            recording: recordingNames, timeTrusted: pushes.source.timeTrusted)))
            case .state(let state):
                // At the end nobody listens to the receiver any more: the silence is ours.
                guard ending == nil else { break }
                note(.gps, "-", [Field("state", state.rawValue)], at: now)
            case .device(let device):
                note(.gps, "-", [Field("device", device)], at: now)
            case .slow(let interval):
                let seconds = LineText.decimal(interval.seconds, decimals: 1)
                let hint = "positions are void from 2.5 s after each fix to the next"
                note(.gps, "-", [Field("interval_s", seconds), Field("hint", hint)], at: now)
            case .velocityDerived:
                note(.gps, "-", [Field("velocity", "derived")], at: now)
            case .timeTrusted(_, let stepped):
                let fields = [Field("source", "gps"), Field("state", "trusted")]
                note(.clock, "-", fields + (stepped ? [Field("stepped", "yes")] : []), at: now)
            case .timeRevoked:
                note(.clock, "-", [Field("source", "gps"), Field("state", "revoked")], at: now)
            case .timeDoubted(let doubt):
                let fields = [Field("source", "gps"), Field("state", "doubted")]
                note(.clock, "-", fields + [Field("reason", doubt.rawValue)], at: now)
            }
        }
    }

    private var recordingNames: [String] {
        var names: [String] = []
        for index in cameras.indices where cameras[index].session.isRecording == true {
            names.append(cameras[index].entry.name)
        }
        return names
    }

    private mutating func pushPosition(at now: Instant) {
        guard cameras.indices.contains(where: { cameras[$0].readySince != nil }) else { return }
        guard let (push, position) = pushes.position(at: now) else {
            if pushes.mayVoid(at: now) { pushVoid(at: now) }
            return
        }
        guard offer(.position, at: now) else { return }
        pushes.schedule.delivered(at: now)
        var newcomers = 0
        for index in cameras.indices where cameras[index].tookPush {
            if cameras[index].epoch != position.epochSequence {
                cameras[index].epoch = position.epochSequence
                cameras[index].epochPushes = 0
            }
            cameras[index].epochPushes += 1
            if cameras[index].epochPushes == 1 { newcomers += 1 }
        }
        if newcomers > 0 { pushes.count(newcomers, of: position.epochSequence) }
        let frame = pushes.encode(push)
        effects.append(.push(Push(frame: frame, links: pushes.links, position: position)))
    }

    private mutating func pushVoid(at now: Instant) {
        let time = pushes.source.utc(at: now) ?? clock.utc(at: now)
        let push = pushes.void(at: time, now)
        guard offer(ending == nil ? .void : .lastVoid, at: now) else { return }
        let frame = pushes.encode(push)
        effects.append(.push(Push(frame: frame, links: pushes.links, position: nil)))
    }

    /// Asks every camera whether it takes part; `pushes.links` has those that do.
    ///
    /// - Returns: whether anybody does.
    private mutating func offer(_ kind: CameraSession.PushKind, at now: Instant) -> Bool {
        var count = 0
        for index in cameras.indices {
            cameras[index].tookPush = false
            guard let link = cameras[index].link else { continue }
            let takesPart = cameras[index].session.offer(kind, at: now)
            // The first push after a proof begins the wait for the next one.
            if let due = cameras[index].session.nextDeadline, due < cameras[index].deadline {
                keepDeadline(of: index)
            }
            guard takesPart else { continue }
            cameras[index].tookPush = true
            pushes.gather(count, link)
            count += 1
        }
        pushes.gathered(count)
        return count > 0
    }

    /// A link did not take a frame: if that was its only push of an epoch, it took none.
    mutating func untake(_ index: Int, _ frame: [UInt8]) {
        guard frame.count == GPSPush.frameLength, cameras[index].epochPushes > 0 else { return }
        cameras[index].epochPushes -= 1
        if cameras[index].epochPushes == 0 {
            pushes.count(-1, of: cameras[index].epoch)
            cameras[index].epoch = 0
        }
    }
}
