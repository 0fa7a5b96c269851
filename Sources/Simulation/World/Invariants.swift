import Clock
import Navigation
import OsmoProtocol

/// What the world remembers of one camera, to judge what happens to it.
struct CameraWatch: Sendable {
    /// When the present link was given its last position.
    var last: Instant?
    var link = 0
    /// Until this instant pauses between its pushes are no violation.
    var disturbedUntil = Instant.zero
    /// Since when nothing keeps it from being ready; nil while something does.
    var couldSince: Instant?
    var mishaps = 0
    var wasReady = false
    /// Somebody disconnected it by command.
    var isHeld = false
    /// Its owner will not allow us, so that it never becomes ready.
    var isHopeless = false
    /// Somebody dropped it from the roster.
    var isForgotten = false
    /// Since when its link is stalled while pushes go to it.
    var stalledSince: Instant?
    /// Since when it is connected without being on the roster.
    var orphanSince: Instant?
    /// It was given positions when the orderly end began, so that it must be given a void frame.
    var isOwedVoid = false
}

/// The rules that hold after every event.
extension World {
    /// How long a camera that could be ready may take: the longest back-off, a scan, and the turns
    /// of the cameras before it.
    static let readyBound = TimeSpan.seconds(150)

    mutating func disturb(_ camera: Int, for span: TimeSpan) {
        watches[camera].disturbedUntil = max(watches[camera].disturbedUntil, now + span)
    }

    mutating func disturbAll(for span: TimeSpan) {
        for camera in watches.indices { disturb(camera, for: span) }
    }

    /// Judges a position that is pushed: it must be where the rig is, and not older than allowed.
    mutating func judge(_ position: CarriedPosition) throws(InvariantViolation) {
        let bound = TimeSpan.milliseconds(2_550)
        guard now - lastPlace <= bound + receiver.latency + receiver.jitter else {
            throw InvariantViolation(.stale, at: now, "no fix for \((now - lastPlace).seconds) s")
        }
        let epochs = TimeSpan.seconds(2.5 / Double(receiver.rate))
        let fresh = min(max(epochs, .seconds(1)), .milliseconds(2500))
        // A rate that has just changed, or that losses hide, is not known yet.
        let isKnown = unsettledUntil < now && receiver.lostPercent == 0
        guard position.age <= (isKnown ? fresh : bound) else {
            throw InvariantViolation(.stale, at: now, "carried \(position.age.seconds) s")
        }
        guard isCarried, let good = goodSince, now - good > .seconds(5) else { return }
        let truth = receiver.truth(at: now)
        let metres = Course.distance(
            position.fix.latitudeDegrees - receiver.offsetDegrees, position.fix.longitudeDegrees,
            truth)
        report.worstMetres = max(report.worstMetres, metres)
        if metres > 15 {
            throw InvariantViolation(
                .place, at: now, "\(metres) m from the truth, \(receiver.rate) Hz")
        }
        try judgeHeight(position)
    }

    /// Judges a height: it must follow the climb that the receiver states, however the stated
    /// heights jump (decision 43).
    private func judgeHeight(_ position: CarriedPosition) throws(InvariantViolation) {
        guard mislabelledUntil < now, receiver.fault == nil, let report = receiver.frozen,
            report.mode == 3, let about = receiver.lastFix,
            let pushed = position.fix.heightMetres
        else { return }
        let stated = report.heightMetres + report.climbMetresPerSecond * (now - about).seconds
        // One metre, and what the rig climbs during a latency that nobody knows.
        if (pushed - stated).magnitude > 1.4 {
            throw InvariantViolation(
                .place, at: now, "\(pushed - stated) m above what the receiver states")
        }
    }

    /// Since when fixes are correct and come as the rig expects them; nil while they do not.
    var goodSince: Instant? { receiver.goodSince.map { max($0, unsettledUntil) } }

    /// A camera whose status gets lost spends its credit before it shows a sign of life.
    ///
    /// One whose answers get lost or come late spends it before it proves that pushes arrive.
    func isUneven(_ camera: Int) -> Bool {
        let behaviour = radio.peripherals[camera].camera.behaviour
        return behaviour.statusLostPercent > 0 || behaviour.lostPercent > 0
            || behaviour.latePercent > 0
    }

    /// Judges the time since the position before on the same link.
    mutating func judgeGap(_ camera: Int) throws(InvariantViolation) {
        let link = radio.peripherals[camera].streamNumber
        let isSameLink = watches[camera].link == link
        defer {
            watches[camera].last = now
            watches[camera].link = link
        }
        guard isSameLink, let last = watches[camera].last, watches[camera].disturbedUntil < last,
            let good = goodSince, good < last, !isUneven(camera)
        else { return }
        let gap = now - last
        if gap > rules.maxGap {
            throw InvariantViolation(.gap, at: now, "\(gap.milliseconds) ms, camera \(camera)")
        }
    }

    /// Judges once a second what no event shows: cameras that could be ready and are not, streams
    /// that stopped, commands without an end.
    mutating func audit() throws(InvariantViolation) {
        if let violation = ledger.overdue(at: now) { throw violation }
        for camera in watches.indices {
            // Read in place: a copy of a peripheral would copy its whole camera.
            if !radio.peripherals[camera].isOpen || radio.peripherals[camera].camera.power != .on
                || watches[camera].link != radio.peripherals[camera].streamNumber
            {
                watches[camera].last = nil
            }
            try auditStream(camera)
            try auditLinks(camera)
            try auditReadiness(camera)
        }
    }

    private func auditStream(_ camera: Int) throws(InvariantViolation) {
        guard let last = watches[camera].last, watches[camera].disturbedUntil < last,
            let good = goodSince, good < last, !isEnding, !isUneven(camera)
        else { return }
        if now - last > rules.maxGap {
            throw InvariantViolation(
                .gap, at: now, "nothing for \((now - last).milliseconds) ms, camera \(camera)")
        }
    }

    private mutating func auditReadiness(_ camera: Int) throws(InvariantViolation) {
        let isReady = radio.isReady(camera)
        if isReady, !watches[camera].wasReady {
            // A new stream: the first pushes wait for the subscription.
            disturb(camera, for: .seconds(1))
            if let since = watches[camera].couldSince {
                report.slowestReady = max(report.slowestReady, now - since)
            }
        }
        watches[camera].wasReady = isReady
        let mishaps = radio.peripherals[camera].mishaps
        let isSpoiled = watches[camera].mishaps != mishaps
        watches[camera].mishaps = mishaps
        guard !isReady, !isEnding, !isSpoiled, couldBeReady(camera, radio.peripherals[camera])
        else {
            watches[camera].couldSince = nil
            return
        }
        let since = watches[camera].couldSince ?? now
        watches[camera].couldSince = since
        if now - since > Self.readyBound, isGivenUp(camera) {
            watches[camera].couldSince = nil
        } else if now - since > Self.readyBound {
            throw InvariantViolation(
                .unready, at: now, "camera \(camera) for \((now - since).seconds) s")
        }
    }

    private func couldBeReady(_ camera: Int, _ peripheral: SimulatedPeripheral) -> Bool {
        guard radio.isAvailable, peripheral.camera.power == .on, peripheral.isInRange,
            !peripheral.isDeaf,
            peripheral.refusedPercent == 0, peripheral.stalledUntil == nil,
            !watches[camera].isHeld, !watches[camera].isHopeless, isWelcome(camera),
            !peripheral.camera.behaviour.mute, isAdmitted(peripheral.camera)
        else { return false }
        return radio.adapters.indices.contains { adapter in
            radio.adapters[adapter].isUsable
                && (peripheral.link?.adapter == adapter
                    || radio.links(of: adapter) < radio.adapters[adapter].maxLinks)
        }
    }

    /// Whether its owner has allowed us. Until then the rig asks three times and no more.
    private func isAdmitted(_ camera: SimulatedCamera) -> Bool {
        camera.behaviour.consent == .known || !camera.owners.isEmpty
    }

    /// The orderly end begins: each camera that is given positions must get a void frame.
    mutating func beginEnd() {
        isEnding = true
        endsAt = now
        for camera in watches.indices {
            let peripheral = radio.peripherals[camera]
            watches[camera].isOwedVoid =
                peripheral.isOpen && peripheral.camera.isReady && peripheral.stalledUntil == nil
                && watches[camera].last != nil
                && watches[camera].link == peripheral.streamNumber
                && !peripheral.camera.pushes.isVoid && watches[camera].disturbedUntil < now
                && !isUneven(camera)
        }
    }

    /// Judges the orderly end when it is over.
    func judgeEnd() throws(InvariantViolation) {
        if now - endsAt > .seconds(5) {
            throw InvariantViolation(.ending, at: now, "took \((now - endsAt).seconds) s")
        }
        for camera in watches.indices where watches[camera].isOwedVoid {
            let peripheral = radio.peripherals[camera]
            // Frames that a link did not take are not counted against the rig.
            guard watches[camera].disturbedUntil < endsAt, !peripheral.camera.pushes.isVoid else {
                continue
            }
            throw InvariantViolation(.ending, at: now, "camera \(camera) is left with a position")
        }
    }
}
