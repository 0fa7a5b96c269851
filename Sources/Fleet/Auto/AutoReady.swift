import Clock
import Navigation
internal import OsmoProtocol

/// What a camera that takes commands is told.
extension AutoRules {
    /// The order for a camera that is ready, none is under way; nil for none now.
    mutating func readyOrder(
        _ camera: AutoCamera, _ index: Int, _ actions: inout [AutoAction], at now: Instant
    ) -> AutoOrder? {
        memories[index].owesWake = false
        if isStopDue(camera, index) { return .stop }
        if wishesRecording, !camera.takesPhotos {
            return start(camera, index, &actions, at: now) ? .start : nil
        }
        if camera.takesPhotos, isPhotoDue(camera, index, at: now) { return .photo }
        return isSleepDue(camera, index, at: now) ? .sleep : nil
    }

    /// A stop is sent at rest, or in a place that says so, and with a fix that shows it.
    private func isStopDue(_ camera: AutoCamera, _ index: Int) -> Bool {
        let memory = memories[index]
        guard camera.isRecording == true, !memory.holdsRecording, vehicle.hasFix,
            memory.failedStops < Self.stops
        else { return false }
        switch memory.owesStop {
        case .rest: return !vehicle.isMoving && vehicle.restingSince != nil
        case .place: return inside == .stop || inside == .sleep
        case nil: return false
        }
    }

    /// Whether to start a camera now, by the bound on starting again.
    private mutating func start(
        _ camera: AutoCamera, _ index: Int, _ actions: inout [AutoAction], at now: Instant
    ) -> Bool {
        guard !memories[index].holdsRecording, vehicle.hasFix || !settings.recordNeedsFix else {
            return false
        }
        guard camera.isRecording == false, !camera.cannotRecord else {
            // No event tells that a status has come, or that there is room again.
            if camera.isRecording != true { ask(at: now + Self.retryPause) }
            return false
        }
        memories[index].restarts.removeAll { now - $0 >= Self.restartWindow }
        if memories[index].wasStarted {
            guard memories[index].restarts.count < Self.restarts else {
                ask(at: memories[index].restarts[0] + Self.restartWindow)
                return false
            }
            memories[index].restarts.append(now)
            if memories[index].restarts.count == Self.restarts {
                actions.append(.alarm("restarts", camera.address))
            }
        }
        memories[index].wasStarted = true
        return true
    }

    private mutating func isSleepDue(_ camera: AutoCamera, _ index: Int, at now: Instant) -> Bool {
        guard let readySince = camera.readySince, camera.isRecording == false,
            !camera.isShooting, !memories[index].holdsPower, !vehicle.isMoving,
            let resting = vehicle.restingSince
        else { return false }
        let due: Instant
        switch inside {
        case .nothing: return false
        case .sleep: due = max(resting, readySince + Self.awakeGrace)
        case .record, .stop, nil:
            guard let wait = settings.sleepAfter, !wishesRecording else { return false }
            due = max(max(resting, readySince), memories[index].idleSince) + wait
        }
        if due > now { ask(at: due) }
        return due <= now
    }

    private mutating func isPhotoDue(_ camera: AutoCamera, _ index: Int, at now: Instant) -> Bool {
        guard let interval = settings.photoEvery, vehicle.hasFix, inside == nil || inside == .record
        else { return false }
        switch interval {
        case .metres(let metres):
            let way = vehicle.wayMetres
            let last = memories[index].shotAt ?? way
            memories[index].shotAt = last
            let steps = ((way - last) / Double(metres)).rounded(.down)
            guard steps >= 1, !camera.isShooting else { return false }
            // What could not be shot in time is left out, and the grid stays.
            memories[index].shotAt = last + steps * Double(metres)
            return true
        case .seconds(let seconds):
            guard vehicle.isMoving || inside == .record else { return false }
            if let last = memories[index].shotInstant, now - last < .seconds(seconds) {
                ask(at: last + .seconds(seconds))
                return false
            }
            guard !camera.isShooting else { return false }
            memories[index].shotInstant = now
            return true
        }
    }
}
