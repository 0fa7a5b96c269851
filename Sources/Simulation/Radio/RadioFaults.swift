package import Clock
import RadioPort

/// What goes wrong from outside.
extension SimulatedRadio {
    /// The camera leaves or comes back.
    package mutating func setRange(_ station: Int, _ isInRange: Bool, at now: Instant) {
        guard stations[station].isInRange != isInRange else { return }
        stations[station].isInRange = isInRange
        guard !isInRange else {
            if stations[station].advertising == .on { advertise(.on, station, at: now) }
            if stations[station].stalledUntil == .never {
                stations[station].stalledUntil = now
                endStall(station, at: now)
            }
            return
        }
        guard let link = stations[station].link, link.phase != .closing else { return }
        stations[station].stalledUntil = .never
        hasStall = true
        agenda.add(
            .supervision(station: station, generation: stations[station].generation),
            at: now + Self.supervisionTimeout)
    }

    /// Nothing gets through on the link until `end`.
    package mutating func stall(_ station: Int, until end: Instant, at now: Instant) {
        guard stations[station].isOpen, stations[station].isInRange else { return }
        stations[station].stalledUntil = end
        hasStall = true
        agenda.add(.endStall(station: station), at: end)
    }

    /// The link ends as if the camera had hung up.
    package mutating func dropLink(_ station: Int, at now: Instant) {
        guard let link = stations[station].link, link.phase != .closing else { return }
        give(.linkDown, to: station, at: now)
        lose(station, after: .milliseconds(20), at: now)
    }

    package mutating func setDeaf(_ station: Int, _ isDeaf: Bool, at now: Instant) {
        stations[station].isDeaf = isDeaf
        if !isDeaf, let attempt = stations[station].attempt, !attempt.isMeeting {
            expectMeeting(station, attempt.adapter, at: now)
        }
    }

    package mutating func setRefusing(_ station: Int, percent: Int) {
        stations[station].refusedPercent = percent
    }

    /// bluetoothd dies, and comes back after `span`.
    package mutating func crashBlueZ(for span: TimeSpan, at now: Instant) {
        guard isAvailable else { return }
        isAvailable = false
        epoch += 1
        for adapter in adapters.indices {
            adapters[adapter].isDiscovering = false
            endLinks(of: adapter, telling: false, at: now)
        }
        events.append(.available(false))
        agenda.add(.blueZReturns(epoch: epoch), at: now + span)
    }

    mutating func blueZReturns(_ epoch: Int, at now: Instant) {
        guard epoch == self.epoch, !isAvailable else { return }
        isAvailable = true
        events.append(.available(true))
        for adapter in adapters.indices where adapters[adapter].isPresent {
            events.append(.adapter(adapters[adapter].state))
            tellKnown(of: adapter)
        }
        // Untrusted devices did not survive.
        for station in stations.indices {
            for adapter in adapters.indices { stations[station].knownUntil[adapter] = now }
        }
    }

    /// bluetoothd knows the devices that it keeps, heard or not.
    private mutating func tellKnown(of adapter: Int) {
        for station in stations.indices
        where stations[station].trusted & (1 << UInt64(adapter)) != 0 {
            events.append(
                .sighting(
                    Sighting(
                        link: linkID(station, adapter),
                        advertisement: stations[station].advertisement,
                        name: stations[station].camera.name)))
        }
    }

    /// The adapter is pulled out, and plugged in again after `span` under another name.
    package mutating func unplug(_ adapter: Int, for span: TimeSpan, at now: Instant) {
        guard adapters[adapter].isPresent else { return }
        adapters[adapter].isPresent = false
        adapters[adapter].isDiscovering = false
        // Their ends are told or not.
        endLinks(of: adapter, telling: isAvailable && chance(50), at: now)
        if isAvailable { events.append(.adapterGone(adapters[adapter].address)) }
        agenda.add(.adapterReturns(adapter: adapter), at: now + span)
    }

    mutating func adapterReturns(_ adapter: Int) {
        adapters[adapter].isPresent = true
        adapters[adapter].isPowered = chance(50)
        adapters[adapter].number = (adapters.map(\.number).max() ?? 0) + 1
        guard isAvailable else { return }
        events.append(.adapter(adapters[adapter].state))
        tellKnown(of: adapter)
    }

    /// The adapter is turned on or off.
    package mutating func powered(_ adapter: Int, _ on: Bool, at now: Instant) {
        guard adapters[adapter].isPresent, adapters[adapter].isPowered != on,
            !(on && adapters[adapter].isBlocked)
        else { return }
        adapters[adapter].isPowered = on
        if !on {
            adapters[adapter].isDiscovering = false
            endLinks(of: adapter, telling: isAvailable, at: now)
        }
        if isAvailable { events.append(.adapter(adapters[adapter].state)) }
    }

    /// rfkill holds the adapter until `span` is over.
    package mutating func block(_ adapter: Int, for span: TimeSpan, at now: Instant) {
        guard adapters[adapter].isPresent, !adapters[adapter].isBlocked else { return }
        adapters[adapter].isBlocked = true
        powered(adapter, false, at: now)
        agenda.add(.unblock(adapter: adapter), at: now + span)
    }

    private mutating func endLinks(of adapter: Int, telling: Bool, at now: Instant) {
        adapters[adapter].connecting = nil
        for station in stations.indices {
            if stations[station].attempt?.adapter == adapter {
                stations[station].attempt = nil
                stations[station].generation += 1
                if telling {
                    events.append(.connectEnded(linkID(station, adapter), .notReady))
                }
            }
            guard stations[station].link?.adapter == adapter else { continue }
            if stations[station].link?.phase != .closing { give(.linkDown, to: station, at: now) }
            stations[station].link = nil
            stations[station].generation += 1
            stations[station].heldWrites = []
            stations[station].heldNotifications = []
            stations[station].stalledUntil = nil
            noteStalls()
            if telling { events.append(.linkClosed(linkID(station, adapter))) }
        }
    }
}
