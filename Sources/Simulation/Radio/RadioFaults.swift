package import Clock
import RadioPort

/// What goes wrong from outside.
extension SimulatedRadio {
    /// The camera leaves or comes back.
    package mutating func setRange(_ peripheral: Int, _ isInRange: Bool, at now: Instant) {
        guard peripherals[peripheral].isInRange != isInRange else { return }
        peripherals[peripheral].isInRange = isInRange
        guard !isInRange else {
            if peripherals[peripheral].advertising == .on { advertise(.on, peripheral, at: now) }
            if peripherals[peripheral].stalledUntil == .never {
                peripherals[peripheral].stalledUntil = now
                endStall(peripheral, at: now)
            }
            return
        }
        guard let link = peripherals[peripheral].link, link.phase != .closing else { return }
        peripherals[peripheral].stalledUntil = .never
        peripherals[peripheral].isStalledOneWay = false
        hasStall = true
        eventQueue.add(
            .supervision(peripheral: peripheral, generation: peripherals[peripheral].generation),
            at: now + Self.supervisionTimeout)
    }

    /// Nothing gets through on the link until `end`.
    ///
    /// - Parameter isOneWay: what the camera sends still gets through, since only its receiving
    ///   side hangs.
    package mutating func stall(
        _ peripheral: Int, until end: Instant, isOneWay: Bool = false, at now: Instant
    ) {
        guard peripherals[peripheral].isOpen, peripherals[peripheral].isInRange,
            peripherals[peripheral].stalledUntil == nil
        else { return }
        peripherals[peripheral].stalledUntil = end
        peripherals[peripheral].isStalledOneWay = isOneWay
        hasStall = true
        eventQueue.add(.endStall(peripheral: peripheral), at: end)
    }

    /// The link ends as if the camera had hung up.
    package mutating func dropLink(_ peripheral: Int, at now: Instant) {
        guard let link = peripherals[peripheral].link, link.phase != .closing else { return }
        give(.linkDown, to: peripheral, at: now)
        lose(peripheral, after: .milliseconds(20), at: now)
    }

    /// From now on a deaf camera is heard, but answers no connection request. An attempt that waits
    /// goes on when it hears again.
    package mutating func setDeaf(_ peripheral: Int, _ isDeaf: Bool, at now: Instant) {
        peripherals[peripheral].isDeaf = isDeaf
        if !isDeaf, let attempt = peripherals[peripheral].attempt, !attempt.isMeeting {
            expectMeeting(peripheral, attempt.adapter, at: now)
        }
    }

    /// From now on `percent` of 100 connection attempts end with "failed to be established" (0x3E).
    package mutating func setRefusing(_ peripheral: Int, percent: Int) {
        peripherals[peripheral].refusedPercent = percent
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
        eventQueue.add(.blueZReturns(epoch: epoch), at: now + span)
    }

    mutating func blueZReturns(_ epoch: Int, at now: Instant) {
        guard epoch == self.epoch, !isAvailable else { return }
        isAvailable = true
        events.append(.available(true))
        for adapter in adapters.indices where adapters[adapter].isPresent {
            events.append(.adapter(adapters[adapter].state))
            tellKnown(of: adapter)
        }
        // Devices that are not trusted are forgotten when bluetoothd dies.
        for peripheral in peripherals.indices {
            for adapter in adapters.indices { peripherals[peripheral].knownUntil[adapter] = now }
        }
    }

    /// Reports the devices that bluetoothd keeps, whether they are heard or not.
    private mutating func tellKnown(of adapter: Int) {
        for peripheral in peripherals.indices
        where peripherals[peripheral].trusted & (1 << UInt64(adapter)) != 0 {
            events.append(
                .sighting(
                    Sighting(
                        link: linkID(peripheral, adapter),
                        advertisement: peripherals[peripheral].advertisement,
                        name: peripherals[peripheral].camera.name)))
        }
    }

    /// The adapter is pulled out, and plugged in again after `span` under another name.
    package mutating func unplug(_ adapter: Int, for span: TimeSpan, at now: Instant) {
        guard adapters[adapter].isPresent else { return }
        adapters[adapter].isPresent = false
        adapters[adapter].isDiscovering = false
        // bluetoothd may or may not tell that the links ended.
        endLinks(of: adapter, telling: isAvailable && chance(50), at: now)
        if isAvailable { events.append(.adapterGone(adapters[adapter].address)) }
        eventQueue.add(.adapterReturns(adapter: adapter), at: now + span)
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
        eventQueue.add(.unblock(adapter: adapter), at: now + span)
    }

    private mutating func endLinks(of adapter: Int, telling: Bool, at now: Instant) {
        adapters[adapter].connecting = nil
        for peripheral in peripherals.indices {
            if peripherals[peripheral].attempt?.adapter == adapter {
                peripherals[peripheral].attempt = nil
                peripherals[peripheral].generation += 1
                if telling {
                    events.append(.connectEnded(linkID(peripheral, adapter), .notReady))
                }
            }
            guard peripherals[peripheral].link?.adapter == adapter else { continue }
            if peripherals[peripheral].link?.phase != .closing {
                give(.linkDown, to: peripheral, at: now)
            }
            peripherals[peripheral].link = nil
            peripherals[peripheral].generation += 1
            peripherals[peripheral].heldWrites = []
            peripherals[peripheral].heldNotifications = []
            peripherals[peripheral].stalledUntil = nil
            noteStalls()
            if telling { events.append(.linkClosed(linkID(peripheral, adapter))) }
        }
    }
}
