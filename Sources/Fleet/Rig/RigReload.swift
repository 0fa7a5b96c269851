package import Clock
import LineProtocol
import Navigation
internal import OsmoProtocol
import RadioPort

/// Taking over a changed configuration while cameras stream.
extension Rig {
    /// Takes over what can change live.
    ///
    /// - Returns: what is to be done, and the keys that need a restart, as `[section] key`.
    package mutating func apply(
        _ new: RigSettings, at now: Instant
    ) -> (effects: [RigEffect], restart: [String]) {
        var restart: [String] = []
        if new.identity != settings.identity { restart.append("[state] directory") }
        var next = new
        next.identity = settings.identity
        next.seed = settings.seed
        next.buildDate = settings.buildDate
        settings = next
        pushes.schedule.setRate(pace)
        carryOut(pushes.source.listen(to: next.device, at: now), at: now)
        pushes.refresh(sourceToo: true)
        pushes.carrying = next.motion == .hold ? .hold : .extrapolate
        pushes.timeField = next.timeField
        auto.adopt(next.auto)
        queue.admitsAny = next.admission == .any
        queue.setRetries(next.retries)
        for index in cameras.indices {
            cameras[index].session.apply(next)
            keepDeadline(of: index)
        }
        reloadRoster(next.roster, at: now)
        forEachCamera { rig, index in rig.sendOff(index, at: now) }
        effects += queue.allow(next.adapters, at: now).map { .radio($0) }
        queueTouched = true
        statesTouched = true
        return (handle(.wake, at: now), restart)
    }

    /// A link that has to move to another adapter ends by our own doing.
    private mutating func sendOff(_ index: Int, at now: Instant) {
        guard let link = cameras[index].link else { return }
        let allowed = settings.adapters.isEmpty || settings.adapters.contains(link.adapter)
        let pinned = cameras[index].entry.adapter ?? link.adapter
        guard !allowed || pinned != link.adapter else { return }
        cameras[index].dismissed = true
        updateSession(index, .prepareToClose("moves to another adapter"), at: now)
    }

    private mutating func reloadRoster(_ entries: [RosterEntry], at now: Instant) {
        // Cameras are known by address: what lost its section goes, what changed is taken over.
        let kept = cameras.map(\.entry).filter { entry in
            switch entry.source {
            case .configuration: false
            case .paired: true
            case .admitted: settings.admission == .any
            }
        }
        let configured = entries.filter { $0.source == .configuration }
        for entry in cameras.map(\.entry) where entry.source == .configuration {
            guard !configured.contains(where: { $0.address == entry.address }),
                let index = index(of: entry.address)
            else { continue }
            dismiss(index, removing: false, error: .noCamera, words: "left the roster", at: now)
        }
        let pairing = cameras.filter(\.pairing).map(\.address)
        let others = (kept + entries.filter { $0.source == .paired }).filter {
            !pairing.contains($0.address)
        }
        roster = Roster(configured + others)
        for entry in roster.entries {
            guard let index = index(of: entry.address) else {
                enrolReloaded(entry, at: now)
                continue
            }
            if cameras[index].pairing { joinByReload(entry) }
            cameras[index].entry = entry
            cameras[index].pairing = false
            _ = queue.admit(entry.address, pinned: entry.adapter, trusted: true, at: now)
            applyWish(index, at: now)
        }
        // A paired camera whose name or number the configuration now gives to another.
        for address in cameras.map(\.address) where roster[address: address] == nil {
            guard let index = index(of: address), !cameras[index].pairing else { continue }
            dismiss(index, removing: false, error: .noCamera, words: "left the roster", at: now)
        }
        let order = roster.entries.map(\.address)
        let place = { (camera: RigCamera) in order.firstIndex(of: camera.address) ?? order.count }
        settings.roster = roster.entries
        cameras = cameras.sorted { place($0) < place($1) }
    }

    /// The camera that is being paired now has a section of its own: it stays, whatever comes of the
    /// pair window, which still ends with its tap.
    private mutating func joinByReload(_ entry: RosterEntry) {
        strangers.remove(entry.address)
        turnedAway.removeAll { $0 == entry.address }
        effects += queue.trust(entry.address).map { .radio($0) }
    }

    private mutating func enrolReloaded(_ entry: RosterEntry, at now: Instant) {
        roster.remove(entry.address)
        _ = enrol(entry, at: now)
    }
}
