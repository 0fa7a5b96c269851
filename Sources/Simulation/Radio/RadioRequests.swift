package import Clock
package import Fleet
import OsmoProtocol
package import RadioPort

/// What the fleet asks for.
extension SimulatedRadio {
    /// Begins one request. `advance` returns its outcome.
    package mutating func handle(_ request: RadioRequest, at now: Instant) {
        guard isAvailable else { return }
        switch request {
        case .powerOn(let adapter):
            guard let index = present(adapter), !adapters[index].isBlocked,
                !adapters[index].isPowered
            else { return }
            eventQueue.add(.adapterPowered(adapter: index), at: now + .milliseconds(300))
        case .powerOff(let adapter):
            if let index = present(adapter) { powered(index, false, at: now) }
        case .startDiscovery(let adapter): discover(adapter, at: now)
        case .stopDiscovery(let adapter):
            guard let index = present(adapter), adapters[index].isDiscovering else { return }
            adapters[index].isDiscovering = false
            events.append(.adapter(adapters[index].state))
        case .connect(let link): connect(link, at: now)
        case .disconnect(let link): disconnect(link, at: now)
        case .trust(let link):
            guard let (peripheral, adapter) = find(link) else { return }
            peripherals[peripheral].trusted |= 1 << UInt64(adapter)
        case .remove(let link): remove(link, at: now)
        case .write(let link, let frame): write(frame, to: link, at: now)
        case .wake(let link): wake(link, at: now)
        }
    }

    /// Sends one frame to many links.
    package mutating func push(_ push: Push, at now: Instant) {
        guard let frame = try? Frame(datagram: push.frame), let content = frame.read(GPSPush.self)
        else {
            for link in push.links { write(push.frame, to: link, at: now) }
            return
        }
        for link in push.links {
            guard let peripheral = index(of: link.camera), isWritable(peripheral, link),
                faultProfile.droppedPercent == 0, peripherals[peripheral].path == .descriptor,
                !isHeld(peripheral)
            else {
                write(push.frame, to: link, at: now)
                continue
            }
            let outputs = peripherals[peripheral].camera.receive(content, at: now)
            if !outputs.isEmpty { carryOut(outputs, of: peripheral, at: now) }
        }
    }

    private func present(_ address: BluetoothAddress) -> Int? {
        adapter(address).flatMap { adapters[$0].isPresent ? $0 : nil }
    }

    func find(_ link: LinkID) -> (peripheral: Int, adapter: Int)? {
        guard let peripheral = index(of: link.camera), let adapter = present(link.adapter) else {
            return nil
        }
        return (peripheral, adapter)
    }

    private func isWritable(_ peripheral: Int, _ link: LinkID) -> Bool {
        guard isAvailable, let held = peripherals[peripheral].link else { return false }
        return held.phase == .open && adapters[held.adapter].address == link.adapter
    }

    private mutating func write(_ frame: [UInt8], to link: LinkID, at now: Instant) {
        guard let peripheral = index(of: link.camera), isWritable(peripheral, link) else { return }
        if isBusy(peripheral, at: now) {
            events.append(.frameDropped(link, frame: frame))
        } else if isHeld(peripheral) {
            // An acquired descriptor gives no back-pressure: bluetoothd queues without bound.
            peripherals[peripheral].heldWrites.append(frame)
        } else {
            give(.write(frame), to: peripheral, at: now)
        }
    }

    /// Whether the link takes no frame: only one WriteValue may be under way, and a full buffer
    /// stays full for a while.
    private mutating func isBusy(_ peripheral: Int, at now: Instant) -> Bool {
        if now < peripherals[peripheral].busyUntil { return true }
        if chance(faultProfile.droppedPercent) {
            peripherals[peripheral].busyUntil = now + span(5...50)
            return true
        }
        if peripherals[peripheral].path == .call {
            peripherals[peripheral].busyUntil = now + .milliseconds(3)
        }
        return false
    }

    private mutating func wake(_ link: LinkID, at now: Instant) {
        guard let (peripheral, adapter) = find(link), adapters[adapter].isUsable else {
            events.append(.wakeEnded(link, .failed("the adapter is not usable")))
            return
        }
        guard !chance(faultProfile.wakeFailsPercent) else {
            let refusal = RadioEvent.wakeEnded(link, .failed("the controller is busy"))
            return eventQueue.add(.emit(refusal), at: now + .milliseconds(50))
        }
        eventQueue.add(.wakeHeard(peripheral: peripheral), at: now + .milliseconds(400))
        eventQueue.add(.emit(.wakeEnded(link, .sent)), at: now + .seconds(2))
    }

    mutating func chance(_ percent: Int) -> Bool {
        percent > 0 && Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func span(_ milliseconds: ClosedRange<Int>) -> TimeSpan {
        .milliseconds(Int.random(in: milliseconds, using: &random))
    }
}

/// Advertisements that are heard.
extension SimulatedRadio {
    private mutating func discover(_ address: BluetoothAddress, at now: Instant) {
        guard let adapter = present(address), adapters[adapter].isUsable,
            !adapters[adapter].isDiscovering
        else { return }
        adapters[adapter].isDiscovering = true
        events.append(.adapter(adapters[adapter].state))
        for peripheral in peripherals.indices { expectSighting(peripheral, adapter, at: now) }
    }

    mutating func advertise(_ how: Advertising, _ peripheral: Int, at now: Instant) {
        peripherals[peripheral].advertising = how
        guard how == .on else { return }
        for adapter in adapters.indices { expectSighting(peripheral, adapter, at: now) }
        guard let attempt = peripherals[peripheral].attempt, !attempt.isMeeting else { return }
        expectMeeting(peripheral, attempt.adapter, at: now)
    }

    func isHearable(_ peripheral: Int) -> Bool {
        peripherals[peripheral].isInRange && peripherals[peripheral].advertising == .on
    }

    private mutating func expectSighting(_ peripheral: Int, _ adapter: Int, at now: Instant) {
        let bit: UInt64 = 1 << UInt64(adapter)
        guard adapters[adapter].isDiscovering, peripherals[peripheral].sighting & bit == 0 else {
            return
        }
        peripherals[peripheral].sighting |= bit
        eventQueue.add(
            .sighting(peripheral: peripheral, adapter: adapter), at: now + span(50...800))
    }

    mutating func sight(_ peripheral: Int, _ adapter: Int, at now: Instant) {
        let bit: UInt64 = 1 << UInt64(adapter)
        guard adapters[adapter].isDiscovering, isAvailable, isHearable(peripheral) else {
            peripherals[peripheral].sighting &= ~bit
            return
        }
        peripherals[peripheral].knownUntil[adapter] = now + Self.temporary
        events.append(
            .sighting(
                Sighting(
                    link: linkID(peripheral, adapter),
                    advertisement: peripherals[peripheral].advertisement,
                    name: peripherals[peripheral].camera.name,
                    rssi: peripherals[peripheral].rssi - 7 * adapter)))
        eventQueue.add(.sighting(peripheral: peripheral, adapter: adapter), at: now + .seconds(1))
    }
}
