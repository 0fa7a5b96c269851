import Fleet
import Navigation
import OsmoProtocol

/// What the world keeps in mind of one camera.
struct CameraWatch: Sendable {
    /// The last position that was handed to its present link.
    var last: Instant?
    /// Until then its stream may pause.
    var disturbedUntil = Instant.zero
    /// Since when nothing stands between it and being ready.
    var couldSince: Instant?
    var wasReady = false
    /// The owner took it from the rig by command.
    var isHeld = false
    /// Nobody will allow it.
    var isHopeless = false
}

/// The rules that hold after every event.
extension World {
    /// From when a camera could be ready until it has to be: the longest back-off, a look, and the
    /// others' turns before it.
    static let readyBound = Span.seconds(150)

    mutating func disturb(_ camera: Int, for span: Span) {
        watches[camera].disturbedUntil = max(watches[camera].disturbedUntil, now + span)
    }

    mutating func disturbAll(for span: Span) {
        for camera in watches.indices { disturb(camera, for: span) }
    }

    /// A position goes out: it is where the rig is, and not older than it may be.
    mutating func judge(_ position: PushedPosition) throws(Breach) {
        let bound = Span.milliseconds(2_550)
        guard now - lastPlace <= bound + receiver.latency + receiver.jitter else {
            throw Breach(.stale, at: now, "no fix for \((now - lastPlace).seconds) s")
        }
        guard position.age <= bound + receiver.latency + receiver.jitter else {
            throw Breach(.stale, at: now, "carried \(position.age.seconds) s")
        }
        guard isCarried, let good = goodSince, now - good > .seconds(5) else { return }
        let truth = receiver.truth(at: now)
        let metres = Course.distance(
            position.fix.latitudeDegrees - receiver.offsetDegrees, position.fix.longitudeDegrees,
            truth)
        report.worstMetres = max(report.worstMetres, metres)
        if metres > 15 {
            throw Breach(.place, at: now, "\(metres) m from the truth, \(receiver.rate) Hz")
        }
    }

    /// Since when fixes are as they should be and come as the rig expects them.
    var goodSince: Instant? { receiver.goodSince.map { max($0, unsettledUntil) } }

    /// A camera whose status gets lost spends its credit before it shows a sign of life.
    func isUneven(_ camera: Int) -> Bool {
        radio.stations[camera].camera.behaviour.statusLostPercent > 0
    }

    /// A position was handed to a camera: not too long after the one before.
    mutating func judgeGap(_ camera: Int) throws(Breach) {
        defer { watches[camera].last = now }
        guard let last = watches[camera].last, watches[camera].disturbedUntil < last,
            let good = goodSince, good < last, !isUneven(camera)
        else { return }
        let gap = now - last
        if gap > rules.longestGap {
            throw Breach(.gap, at: now, "\(gap.milliseconds) ms, camera \(camera)")
        }
    }

    /// Once a second: who could be ready and is not, whose stream stopped, what has no end.
    mutating func audit() throws(Breach) {
        if let breach = book.overdue(at: now) { throw breach }
        for camera in watches.indices {
            let station = radio.stations[camera]
            if !station.isOpen || station.camera.power != .on { watches[camera].last = nil }
            try auditStream(camera)
            try auditReadiness(camera, station)
        }
    }

    private func auditStream(_ camera: Int) throws(Breach) {
        guard let last = watches[camera].last, watches[camera].disturbedUntil < last,
            let good = goodSince, good < last, !isEnding, !isUneven(camera)
        else { return }
        if now - last > rules.longestGap {
            throw Breach(
                .gap, at: now, "nothing for \((now - last).milliseconds) ms, camera \(camera)")
        }
    }

    private mutating func auditReadiness(_ camera: Int, _ station: Station) throws(Breach) {
        let isReady = station.camera.isReady && station.isOpen
        if isReady, !watches[camera].wasReady {
            // A stream begins; its first pushes wait for the subscription.
            disturb(camera, for: .seconds(1))
            if let since = watches[camera].couldSince {
                report.slowestReady = max(report.slowestReady, now - since)
            }
        }
        watches[camera].wasReady = isReady
        guard !isReady, !isEnding, couldBeReady(camera, station) else {
            watches[camera].couldSince = nil
            return
        }
        let since = watches[camera].couldSince ?? now
        watches[camera].couldSince = since
        if now - since > Self.readyBound {
            throw Breach(.unready, at: now, "camera \(camera) for \((now - since).seconds) s")
        }
    }

    private func couldBeReady(_ camera: Int, _ station: Station) -> Bool {
        guard radio.isAvailable, station.camera.power == .on, station.isInRange, !station.isDeaf,
            station.refusedPercent == 0, station.stalledUntil == nil,
            !watches[camera].isHeld, !watches[camera].isHopeless,
            !station.camera.behaviour.mute
        else { return false }
        return radio.adapters.indices.contains { adapter in
            radio.adapters[adapter].isUsable
                && (station.link?.adapter == adapter
                    || radio.links(of: adapter) < radio.adapters[adapter].maximumLinks)
        }
    }

    /// The orderly end is over.
    func judgeEnd() throws(Breach) {
        for camera in watches.indices where watches[camera].disturbedUntil < now {
            let station = radio.stations[camera]
            guard station.camera.power == .on, station.camera.pushes.lastInstant != nil,
                watches[camera].wasReady, !station.camera.pushes.isVoid
            else { continue }
            throw Breach(.ending, at: now, "camera \(camera) is left with a position")
        }
    }
}
