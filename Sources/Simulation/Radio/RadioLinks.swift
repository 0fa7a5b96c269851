import Clock
import OsmoProtocol
import RadioPort

/// Connects, links and their ends.
extension SimulatedRadio {
    func links(of adapter: Int) -> Int {
        stations.count { $0.link?.adapter == adapter }
    }

    mutating func connect(_ link: LinkID, at now: Instant) {
        guard let (station, adapter) = find(link) else { return }
        let soon = now + .milliseconds(5)
        func end(_ outcome: ConnectOutcome) -> AirTask { .emit(.connectEnded(link, outcome)) }
        guard adapters[adapter].isUsable else { return agenda.add(end(.notReady), at: soon) }
        guard stations[station].isKnown(adapter, at: now) else {
            return agenda.add(end(.unknownDevice), at: soon)
        }
        if adapters[adapter].connecting != nil {
            overlappingConnects += 1
            return agenda.add(end(.inProgress), at: soon)
        }
        guard stations[station].attempt == nil else {
            return agenda.add(end(.inProgress), at: soon)
        }
        guard links(of: adapter) < adapters[adapter].maximumLinks else {
            return agenda.add(end(.adapterFull), at: now + .milliseconds(100))
        }
        if let held = stations[station].link, held.adapter == adapter {
            // The old link's end is under way, and takes the new attempt with it.
            return agenda.add(end(held.phase == .closing ? .aborted : .inProgress), at: soon)
        }
        adapters[adapter].connecting = station
        stations[station].generation += 1
        stations[station].attempt = Station.Attempt(adapter: adapter, isMeeting: false)
        agenda.add(
            .giveUp(station: station, generation: stations[station].generation),
            at: now + .seconds(42))
        expectMeeting(station, adapter, at: now)
    }

    mutating func expectMeeting(_ station: Int, _ adapter: Int, at now: Instant) {
        guard isHearable(station) else { return }
        guard !stations[station].isDeaf else {
            agenda.add(
                .giveUp(station: station, generation: stations[station].generation),
                at: now + Self.kernelPatience)
            return
        }
        stations[station].attempt?.isMeeting = true
        // Looking and connecting are in each other's way.
        let slow = adapters[adapter].isDiscovering ? span(0...9000) : .zero
        agenda.add(
            .meet(station: station, generation: stations[station].generation),
            at: now + span(150...900) + slow)
    }

    mutating func meet(_ station: Int, _ generation: Int, at now: Instant) {
        guard stations[station].generation == generation,
            let attempt = stations[station].attempt
        else { return }
        guard isHearable(station), !stations[station].isDeaf else {
            stations[station].attempt?.isMeeting = false
            return
        }
        if chance(stations[station].refusedPercent) {
            refuse(station, attempt.adapter, at: now)
            return
        }
        if chance(manners.abortedPercent) {
            stations[station].mishaps += 1
            endAttempt(station, generation, .aborted)
            return
        }
        establish(station, attempt.adapter, at: now)
        let time = now + span(250...900)
        if chance(manners.setupHangsPercent) {
            stations[station].mishaps += 1
        } else {
            agenda.add(.setUp(station: station, generation: generation), at: time)
        }
    }

    private mutating func establish(_ station: Int, _ adapter: Int, at now: Instant) {
        stations[station].attempt = nil
        adapters[adapter].connecting = nil
        stations[station].link = Station.Link(adapter: adapter, phase: .settingUp)
        events.append(.connectEnded(linkID(station, adapter), .ok))
        give(.linkUp, to: station, at: now)
        stations[station].advertising = .off
    }

    /// 0x3E: sometimes Connect fails, sometimes it succeeds and the link goes at once, and now and
    /// then bluetoothd does not survive that.
    private mutating func refuse(_ station: Int, _ adapter: Int, at now: Instant) {
        if chance(manners.crashPercent) {
            establish(station, adapter, at: now)
            crashBlueZ(for: span(1000...6000), at: now)
        } else if chance(50) {
            establish(station, adapter, at: now)
            give(.linkDown, to: station, at: now)
            lose(station, after: .milliseconds(180), at: now)
        } else {
            endAttempt(station, stations[station].generation, .aborted)
        }
    }

    /// Nothing came of it: the kernel ends it, and bluetoothd may die of that.
    mutating func giveUp(_ station: Int, _ generation: Int, at now: Instant) {
        let isDue = stations[station].generation == generation && stations[station].attempt != nil
        let isFatal = isDue && isHearable(station) && manners.isGivingUpFatal
        endAttempt(station, generation, .aborted)
        if isFatal { crashBlueZ(for: span(1000...6000), at: now) }
    }

    mutating func endAttempt(_ station: Int, _ generation: Int, _ outcome: ConnectOutcome) {
        guard stations[station].generation == generation,
            let attempt = stations[station].attempt
        else { return }
        stations[station].attempt = nil
        stations[station].generation += 1
        if adapters[attempt.adapter].connecting == station {
            adapters[attempt.adapter].connecting = nil
        }
        events.append(.connectEnded(linkID(station, attempt.adapter), outcome))
    }

    mutating func setUp(_ station: Int, _ generation: Int, at now: Instant) {
        guard stations[station].generation == generation, let link = stations[station].link,
            link.phase == .settingUp
        else { return }
        let id = linkID(station, link.adapter)
        if chance(manners.setupFailedPercent) {
            stations[station].mishaps += 1
            events.append(.setupFailed(id, .noCharacteristics))
            return
        }
        give(.mtu(500), to: station, at: now)
        stations[station].link?.phase = .open
        let path: LinkParameters.WritePath = chance(manners.callPercent) ? .call : .descriptor
        stations[station].path = path
        events.append(.linkOpen(id, LinkParameters(mtu: 500, path: path)))
        give(.subscribed, to: station, at: now)
    }

    mutating func disconnect(_ link: LinkID, at now: Instant) {
        guard let (station, adapter) = find(link) else { return }
        if let attempt = stations[station].attempt, attempt.adapter == adapter {
            stations[station].attempt?.isMeeting = true
            agenda.add(
                .cancelled(station: station, generation: stations[station].generation),
                at: now + span(20...400))
            return
        }
        guard let held = stations[station].link, held.adapter == adapter, held.phase != .closing
        else { return }
        // A camera that nothing gets through to notices by itself.
        give(.linkDown, to: station, at: now)
        let isReached = stations[station].stalledUntil == nil && stations[station].isInRange
        lose(station, after: isReached ? span(200...2000) : Self.supervisionTimeout, at: now)
    }

    mutating func remove(_ link: LinkID, at now: Instant) {
        guard let (station, adapter) = find(link) else { return }
        stations[station].trusted &= ~(1 << UInt64(adapter))
        disconnect(link, at: now)
        stations[station].knownUntil[adapter] = now
    }

    /// The link is gone; bluetoothd tells so after a while.
    mutating func lose(_ station: Int, after delay: TimeSpan, at now: Instant) {
        guard let link = stations[station].link, link.phase != .closing else { return }
        stations[station].link?.phase = .closing
        stations[station].heldNotifications = []
        stations[station].heldWrites = []
        stations[station].stalledUntil = nil
        noteStalls()
        releaseHeld(on: link.adapter, at: now)
        agenda.add(
            .closed(station: station, generation: stations[station].generation), at: now + delay)
    }

    mutating func tellClosed(_ station: Int, _ generation: Int) {
        guard stations[station].generation == generation, let link = stations[station].link else {
            return
        }
        stations[station].link = nil
        stations[station].generation += 1
        events.append(.linkClosed(linkID(station, link.adapter)))
    }
}

/// Links on which nothing moves.
extension SimulatedRadio {
    /// A stalled link holds what is written to it, and sixteen such frames hold the whole adapter.
    func isHeld(_ station: Int) -> Bool {
        if stations[station].stalledUntil != nil { return true }
        guard let adapter = stations[station].link?.adapter else { return false }
        return isBlocked(adapter)
    }

    func isBlocked(_ adapter: Int) -> Bool {
        guard hasStall else { return false }
        var held = 0
        for station in stations.indices
        where stations[station].stalledUntil != nil && stations[station].link?.adapter == adapter {
            held += stations[station].heldWrites.count
        }
        return held >= Self.buffers
    }

    /// To be called where a stall begins or ends.
    mutating func noteStalls() {
        hasStall = stations.indices.contains { stations[$0].stalledUntil != nil }
    }

    mutating func endStall(_ station: Int, at now: Instant) {
        guard let until = stations[station].stalledUntil, until <= now else { return }
        stations[station].stalledUntil = nil
        noteStalls()
        guard let link = stations[station].link else { return }
        flush(station, at: now)
        releaseHeld(on: link.adapter, at: now)
    }

    /// Frames of links that only waited for the adapter go out.
    private mutating func releaseHeld(on adapter: Int, at now: Instant) {
        guard !isBlocked(adapter) else { return }
        for station in stations.indices
        where stations[station].link?.adapter == adapter && stations[station].stalledUntil == nil {
            flush(station, at: now)
        }
    }

    private mutating func flush(_ station: Int, at now: Instant) {
        let writes = stations[station].heldWrites
        let notifications = stations[station].heldNotifications
        guard !writes.isEmpty || !notifications.isEmpty else { return }
        stations[station].heldWrites = []
        stations[station].heldNotifications = []
        guard let link = stations[station].link, link.phase == .open else { return }
        for bytes in notifications {
            events.append(.notification(linkID(station, link.adapter), bytes))
        }
        // What was written before the camera slept is not held against the writer.
        for bytes in writes where stations[station].camera.power == .on {
            give(.write(bytes), to: station, at: now)
        }
    }
}
