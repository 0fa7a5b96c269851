package import Clock
import Navigation
internal import OsmoProtocol

/// What `status` shows.
extension Rig {
    /// The rig at `now`.
    package func status(at now: Instant) -> RigStatus {
        let known = cameras.map(\.address)
        let strangers = strangers.members.filter { !known.contains($0.address) }
        return RigStatus(
            gps: gpsStatus(at: now), push: pushStatus(at: now),
            cameras: cameras.map { summary($0, at: now) }
                + strangers.map { summary($0, at: now) },
            adapters: queue.adapters.summary(at: now) { queue.occupied($0) }, auto: autoStatus)
    }

    /// UTC at an instant, by the receivers; nil before their time is trusted.
    package func utc(at now: Instant) -> UnixTime? { pushes.source.utc(at: now) }

    private func gpsStatus(at now: Instant) -> GPSStatus {
        let fix = pushes.source.fix
        return GPSStatus(
            state: pushes.source.state, fix: fix, device: pushes.source.device,
            rateHertz: pushes.source.rateHertz, age: fix.map { now - $0.arrival },
            timeTrusted: pushes.source.timeTrusted,
            velocityDerived: pushes.source.isVelocityDerived)
    }

    private func pushStatus(at now: Instant) -> PushStatus {
        PushStatus(
            rateHertz: pushes.schedule.rateHertz(at: now), targetHertz: Double(pace),
            sent: cameras.reduce(pushes.retiredPushes) { $0 + $1.session.pushed },
            dropped: cameras.reduce(pushes.retiredDrops) { $0 + $1.session.dropped },
            void: cameras.reduce(pushes.retiredVoids) { $0 + $1.session.voids })
    }

    private func summary(_ camera: RigCamera, at now: Instant) -> CameraSummary {
        let candidate = queue[camera.address]
        var summary = CameraSummary(
            name: camera.entry.name, address: camera.address, state: camera.state,
            stateSince: camera.stateSince)
        camera.session.describe(&summary, at: now)
        summary.state = camera.state
        summary.stateSince = camera.stateSince
        summary.number = camera.pairing ? nil : camera.entry.number
        summary.adapter = camera.adapter ?? camera.entry.adapter
        summary.model = summary.model ?? camera.session.model ?? camera.advertised
        summary.rssi = camera.rssi
        summary.optional = camera.entry.optional
        summary.lastError = camera.lastError?.words
        summary.lastErrorInstant = camera.lastError?.instant
        summary.error = camera.complaint(candidate, queue.adapters) ?? summary.error
        return summary
    }

    private func summary(_ stranger: Strangers.Stranger, at now: Instant) -> CameraSummary {
        let state: CameraState =
            stranger.refusedUntil != nil
            ? .refused : (stranger.model == nil ? .unsupported : .listed)
        var summary = CameraSummary(
            name: Strangers.listName(stranger), address: stranger.address, state: state,
            stateSince: stranger.since)
        summary.adapter = stranger.adapter
        summary.model = stranger.model
        summary.rssi = stranger.rssi
        if case .unsupported(let kind) = stranger.advertisement {
            summary.error = "\(kind) does not speak this protocol"
        }
        return summary
    }
}
