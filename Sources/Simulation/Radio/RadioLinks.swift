import Clock
import OsmoProtocol
import RadioPort

/// Connects, links and their ends.
extension SimulatedRadio {
    func links(of adapter: Int) -> Int {
        peripherals.count { $0.link?.adapter == adapter }
    }

    mutating func connect(_ link: LinkID, at now: Instant) {
        guard let (peripheral, adapter) = find(link) else { return }
        let soon = now + .milliseconds(5)
        func end(_ outcome: ConnectOutcome) -> AirTask { .emit(.connectEnded(link, outcome)) }
        guard adapters[adapter].isUsable else { return eventQueue.add(end(.notReady), at: soon) }
        guard peripherals[peripheral].isKnown(adapter, at: now) else {
            return eventQueue.add(end(.unknownDevice), at: soon)
        }
        if adapters[adapter].connecting != nil {
            overlappingConnects += 1
            return eventQueue.add(end(.inProgress), at: soon)
        }
        guard peripherals[peripheral].attempt == nil else {
            return eventQueue.add(end(.inProgress), at: soon)
        }
        if let held = peripherals[peripheral].link, held.isLeftBehind, held.adapter == adapter {
            return adopt(peripheral, adapter, at: now)
        }
        guard links(of: adapter) < adapters[adapter].maxLinks else {
            return eventQueue.add(end(.adapterFull), at: now + .milliseconds(100))
        }
        if let held = peripherals[peripheral].link, held.adapter == adapter {
            // The old link is still ending, and aborts the new attempt.
            return eventQueue.add(end(held.phase == .closing ? .aborted : .inProgress), at: soon)
        }
        adapters[adapter].connecting = peripheral
        peripherals[peripheral].generation += 1
        peripherals[peripheral].attempt = SimulatedPeripheral.Attempt(
            adapter: adapter, isMeeting: false)
        eventQueue.add(
            .giveUp(peripheral: peripheral, generation: peripherals[peripheral].generation),
            at: now + .seconds(42))
        expectMeeting(peripheral, adapter, at: now)
    }

    mutating func expectMeeting(_ peripheral: Int, _ adapter: Int, at now: Instant) {
        guard isHearable(peripheral) else { return }
        guard !peripherals[peripheral].isDeaf else {
            eventQueue.add(
                .giveUp(peripheral: peripheral, generation: peripherals[peripheral].generation),
                at: now + Self.kernelTimeout)
            return
        }
        peripherals[peripheral].attempt?.isMeeting = true
        // Scanning slows connecting down.
        let slow = adapters[adapter].isDiscovering ? span(0...9000) : .zero
        eventQueue.add(
            .meet(peripheral: peripheral, generation: peripherals[peripheral].generation),
            at: now + span(150...900) + slow)
    }

    mutating func meet(_ peripheral: Int, _ generation: Int, at now: Instant) {
        guard peripherals[peripheral].generation == generation,
            let attempt = peripherals[peripheral].attempt
        else { return }
        guard isHearable(peripheral), !peripherals[peripheral].isDeaf else {
            peripherals[peripheral].attempt?.isMeeting = false
            return
        }
        if chance(peripherals[peripheral].refusedPercent) {
            refuse(peripheral, attempt.adapter, at: now)
            return
        }
        if chance(faultProfile.abortedPercent) {
            peripherals[peripheral].mishaps += 1
            endAttempt(peripheral, generation, .aborted)
            return
        }
        establish(peripheral, attempt.adapter, at: now)
        let time = now + span(250...900)
        if chance(faultProfile.setupHangsPercent) {
            peripherals[peripheral].mishaps += 1
        } else {
            eventQueue.add(.setUp(peripheral: peripheral, generation: generation), at: time)
        }
    }

    private mutating func establish(_ peripheral: Int, _ adapter: Int, at now: Instant) {
        peripherals[peripheral].attempt = nil
        adapters[adapter].connecting = nil
        peripherals[peripheral].link = SimulatedPeripheral.Link(adapter: adapter, phase: .settingUp)
        events.append(.connectEnded(linkID(peripheral, adapter), .ok))
        give(.linkUp, to: peripheral, at: now)
        peripherals[peripheral].advertising = .off
    }

    /// 0x3E: sometimes Connect fails, sometimes it succeeds and the link goes at once, and now and
    /// then bluetoothd does not survive that.
    private mutating func refuse(_ peripheral: Int, _ adapter: Int, at now: Instant) {
        if chance(faultProfile.crashPercent) {
            establish(peripheral, adapter, at: now)
            crashBlueZ(for: span(1000...6000), at: now)
        } else if chance(50) {
            establish(peripheral, adapter, at: now)
            give(.linkDown, to: peripheral, at: now)
            lose(peripheral, after: .milliseconds(180), at: now)
        } else {
            endAttempt(peripheral, peripherals[peripheral].generation, .aborted)
        }
    }

    /// The attempt came to nothing: the kernel ends it, and bluetoothd may die of that.
    mutating func giveUp(_ peripheral: Int, _ generation: Int, at now: Instant) {
        let isDue =
            peripherals[peripheral].generation == generation
            && peripherals[peripheral].attempt != nil
        let isFatal = isDue && isHearable(peripheral) && faultProfile.isGivingUpFatal
        endAttempt(peripheral, generation, .aborted)
        if isFatal { crashBlueZ(for: span(1000...6000), at: now) }
    }

    mutating func endAttempt(_ peripheral: Int, _ generation: Int, _ outcome: ConnectOutcome) {
        guard peripherals[peripheral].generation == generation,
            let attempt = peripherals[peripheral].attempt
        else { return }
        peripherals[peripheral].attempt = nil
        peripherals[peripheral].generation += 1
        if adapters[attempt.adapter].connecting == peripheral {
            adapters[attempt.adapter].connecting = nil
        }
        events.append(.connectEnded(linkID(peripheral, attempt.adapter), outcome))
    }

    mutating func setUp(_ peripheral: Int, _ generation: Int, at now: Instant) {
        guard peripherals[peripheral].generation == generation,
            let link = peripherals[peripheral].link,
            link.phase == .settingUp
        else { return }
        let id = linkID(peripheral, link.adapter)
        if chance(faultProfile.setupFailedPercent) {
            peripherals[peripheral].mishaps += 1
            events.append(.setupFailed(id, .noCharacteristics))
            return
        }
        give(.mtu(500), to: peripheral, at: now)
        peripherals[peripheral].link?.phase = .open
        let path: LinkParameters.WritePath = chance(faultProfile.callPercent) ? .call : .descriptor
        peripherals[peripheral].path = path
        events.append(.linkOpen(id, LinkParameters(mtu: 500, path: path)))
        give(.subscribed, to: peripheral, at: now)
    }

    mutating func disconnect(_ link: LinkID, at now: Instant) {
        guard let (peripheral, adapter) = find(link) else { return }
        if let attempt = peripherals[peripheral].attempt, attempt.adapter == adapter {
            peripherals[peripheral].attempt?.isMeeting = true
            eventQueue.add(
                .cancelled(peripheral: peripheral, generation: peripherals[peripheral].generation),
                at: now + span(20...400))
            return
        }
        guard let held = peripherals[peripheral].link, held.adapter == adapter,
            held.phase != .closing
        else { return }
        // A camera notices by itself that nothing gets through.
        give(.linkDown, to: peripheral, at: now)
        let isReached =
            peripherals[peripheral].stalledUntil == nil && peripherals[peripheral].isInRange
        lose(peripheral, after: isReached ? span(200...2000) : Self.supervisionTimeout, at: now)
    }

    mutating func remove(_ link: LinkID, at now: Instant) {
        guard let (peripheral, adapter) = find(link) else { return }
        peripherals[peripheral].trusted &= ~(1 << UInt64(adapter))
        disconnect(link, at: now)
        peripherals[peripheral].knownUntil[adapter] = now
    }

    /// The link is gone at once; bluetoothd tells so after `delay`.
    mutating func lose(_ peripheral: Int, after delay: TimeSpan, at now: Instant) {
        guard let link = peripherals[peripheral].link, link.phase != .closing else { return }
        peripherals[peripheral].link?.phase = .closing
        peripherals[peripheral].heldNotifications = []
        peripherals[peripheral].heldWrites = []
        peripherals[peripheral].stalledUntil = nil
        noteStalls()
        releaseHeld(on: link.adapter, at: now)
        eventQueue.add(
            .closed(peripheral: peripheral, generation: peripherals[peripheral].generation),
            at: now + delay)
    }

    mutating func tellClosed(_ peripheral: Int, _ generation: Int) {
        guard peripherals[peripheral].generation == generation,
            let link = peripherals[peripheral].link
        else {
            return
        }
        peripherals[peripheral].link = nil
        peripherals[peripheral].generation += 1
        events.append(.linkClosed(linkID(peripheral, link.adapter)))
    }
}

/// Links on which nothing moves.
extension SimulatedRadio {
    /// A stalled link holds the frames that are written to it, and sixteen such frames use up all
    /// buffers of the adapter.
    func isHeld(_ peripheral: Int) -> Bool {
        if peripherals[peripheral].stalledUntil != nil { return true }
        guard let adapter = peripherals[peripheral].link?.adapter else { return false }
        return isBlocked(adapter)
    }

    func isBlocked(_ adapter: Int) -> Bool {
        guard hasStall else { return false }
        var held = 0
        for peripheral in peripherals.indices
        where peripherals[peripheral].stalledUntil != nil
            && peripherals[peripheral].link?.adapter == adapter
        {
            held += peripherals[peripheral].heldWrites.count
        }
        return held >= Self.buffers
    }

    /// To be called where a stall begins or ends.
    mutating func noteStalls() {
        hasStall = peripherals.indices.contains { peripherals[$0].stalledUntil != nil }
    }

    mutating func endStall(_ peripheral: Int, at now: Instant) {
        guard let until = peripherals[peripheral].stalledUntil, until <= now else { return }
        peripherals[peripheral].stalledUntil = nil
        noteStalls()
        guard let link = peripherals[peripheral].link else { return }
        flush(peripheral, at: now)
        releaseHeld(on: link.adapter, at: now)
    }

    /// Sends the frames of links that were held up only because the adapter had no buffer left.
    private mutating func releaseHeld(on adapter: Int, at now: Instant) {
        guard !isBlocked(adapter) else { return }
        for peripheral in peripherals.indices
        where peripherals[peripheral].link?.adapter == adapter
            && peripherals[peripheral].stalledUntil == nil
        {
            flush(peripheral, at: now)
        }
    }

    private mutating func flush(_ peripheral: Int, at now: Instant) {
        let writes = peripherals[peripheral].heldWrites
        let notifications = peripherals[peripheral].heldNotifications
        guard !writes.isEmpty || !notifications.isEmpty else { return }
        peripherals[peripheral].heldWrites = []
        peripherals[peripheral].heldNotifications = []
        guard let link = peripherals[peripheral].link, link.phase == .open else { return }
        for bytes in notifications {
            events.append(.notification(linkID(peripheral, link.adapter), bytes))
        }
        // Frames that were written before the camera fell asleep are dropped: they are no
        // violation.
        for bytes in writes where peripherals[peripheral].camera.power == .on {
            give(.write(bytes), to: peripheral, at: now)
        }
    }
}
