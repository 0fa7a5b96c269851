internal import Clock
internal import LineProtocol
internal import Navigation
internal import OsmoProtocol
internal import RadioPort
internal import TrackFormat

/// What is pushed and when: positions of the receivers, the schedule, and one encoded frame a tick
/// for all cameras (decisions 6 to 10).
package struct PushFanOut: Sendable {
    /// Epochs whose cameras are still counted: one is open while the next has begun.
    static let epochBound = 8

    var source: PositionSource
    var schedule: PushSchedule
    /// How positions are carried and which zone their time is told in.
    var carrying: Carrying
    var timeField: RigSettings.TimeField
    /// This machine's time zone, as last said.
    var zone = LocalZone.utc
    /// When source or schedule are due; valid after `refresh`.
    private(set) var deadline = Instant.zero
    /// The source's part of it.
    private(set) var sourceDeadline = Instant.never
    /// Of cameras that are not with us any more.
    private(set) var retiredPushes = 0
    private(set) var retiredDrops = 0
    private(set) var retiredVoids = 0

    /// Counts GPS frames over all cameras, so that one encoded frame serves them all.
    private var sequence: UInt16 = 0
    private var buffer: [UInt8] = []
    /// The links of the last push: mostly those of the next one.
    private(set) var links: [LinkID] = []
    private var lastVoid: Instant?
    private var epochs: [(sequence: Int, cameras: Int)] = []

    init(settings: RigSettings) {
        source = PositionSource(device: settings.device, buildDate: settings.buildDate)
        schedule = PushSchedule(rate: settings.rate)
        carrying = settings.motion == .hold ? .hold : .extrapolate
        timeField = settings.timeField
    }

    /// - Parameter sourceToo: something happened to the source.
    mutating func refresh(sourceToo: Bool) {
        if sourceToo { sourceDeadline = source.nextDeadline ?? .never }
        deadline = min(sourceDeadline, schedule.nextDeadline ?? .never)
    }

    /// The frame that tells where the rig is at `now`; nil where that is not known.
    mutating func position(at now: Instant) -> (push: GPSPush, position: CarriedPosition)? {
        guard let carried = source.position(at: now, carrying: carrying),
            let push = GPSPush(carried, field: timeField, zone: zone)
        else { return nil }
        return (push, carried)
    }

    /// The frame that takes the last position back.
    ///
    /// - Parameter time: the time it tells, where known.
    mutating func void(at time: UnixTime?, _ now: Instant) -> GPSPush {
        lastVoid = now
        return GPSPush(voidAt: time, field: timeField, zone: zone)
    }

    /// Whether a void is due although the schedule meant a position that then was none.
    func mayVoid(at now: Instant) -> Bool {
        lastVoid.map { now - $0 >= PushSchedule.voidInterval } ?? true
    }

    /// The whole frame, with the next number of the fleet-wide sequence.
    mutating func encode(_ push: GPSPush) -> [UInt8] {
        sequence &+= 1
        push.encode(sequence: sequence, into: &buffer)
        return buffer
    }

    /// Keeps `links` as they are where nothing changed, so that a tick allocates no list.
    mutating func gather(_ index: Int, _ link: LinkID) {
        if index < links.count, links[index] == link { return }
        links.removeSubrange(min(index, links.count)...)
        links.append(link)
    }

    /// `gather` is over after so many links.
    mutating func gathered(_ count: Int) {
        if links.count > count { links.removeSubrange(count...) }
    }

    // MARK: Epochs

    /// So many more cameras took a push of that epoch; less than none: that many took none after all.
    mutating func count(_ change: Int, of sequence: Int) {
        if let index = epochs.firstIndex(where: { $0.sequence == sequence }) {
            epochs[index].cameras += change
            return
        }
        if epochs.count == Self.epochBound { epochs.removeFirst() }
        epochs.append((sequence, change))
    }

    /// Cameras that took a push of that epoch.
    func cameras(of sequence: Int) -> Int {
        epochs.first { $0.sequence == sequence }?.cameras ?? 0
    }

    /// A camera goes; what it took stays counted.
    mutating func retire(_ session: CameraSession) {
        retiredPushes += session.pushed
        retiredDrops += session.dropped
        retiredVoids += session.voids
    }
}

extension Rig {
    /// What gpsd says.
    mutating func receive(_ input: ReceiverInput, at now: Instant) {
        carryOut(pushes.source.handle(input, at: now), at: now)
        pushes.refresh(sourceToo: true)
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
                pushes.schedule.fixArrived(fix.arrival, interval: pushes.source.epochInterval)
            case .lost(let loss):
                pushes.schedule.lost(at: now, gone: loss == .gone)
            case .epochClosed(let fix, let sequence):
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
            guard let link = cameras[index].link, cameras[index].session.offer(kind, at: now)
            else { continue }
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
