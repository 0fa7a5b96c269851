package import Clock
package import Fleet
import OsmoProtocol
package import RadioPort

/// What the fleet asks for.
extension SimulatedRadio {
    /// Takes one request. What comes of it is told by `advance`.
    package mutating func handle(_ request: RadioRequest, at now: Instant) {
        guard isAvailable else { return }
        switch request {
        case .powerOn(let adapter):
            guard let index = present(adapter), !adapters[index].isBlocked,
                !adapters[index].isPowered
            else { return }
            agenda.add(.adapterPowered(adapter: index), at: now + .milliseconds(300))
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
            guard let (station, adapter) = find(link) else { return }
            stations[station].trusted |= 1 << UInt64(adapter)
        case .remove(let link): remove(link, at: now)
        case .write(let link, let frame): write(frame, to: link, at: now)
        case .wake(let link): wake(link, at: now)
        }
    }

    /// One frame for many links.
    package mutating func push(_ push: Push, at now: Instant) {
        guard let frame = try? Frame(datagram: push.frame), let content = frame.read(GPSPush.self)
        else {
            for link in push.links { write(push.frame, to: link, at: now) }
            return
        }
        for link in push.links {
            guard let station = index(of: link.camera), isWritable(station, link),
                manners.droppedPercent == 0, stations[station].path == .descriptor,
                !isHeld(station)
            else {
                write(push.frame, to: link, at: now)
                continue
            }
            let outputs = stations[station].camera.receive(content, at: now)
            if !outputs.isEmpty { carryOut(outputs, of: station, at: now) }
        }
    }

    private func present(_ address: BluetoothAddress) -> Int? {
        adapter(address).flatMap { adapters[$0].isPresent ? $0 : nil }
    }

    func find(_ link: LinkID) -> (station: Int, adapter: Int)? {
        guard let station = index(of: link.camera), let adapter = present(link.adapter) else {
            return nil
        }
        return (station, adapter)
    }

    private func isWritable(_ station: Int, _ link: LinkID) -> Bool {
        guard isAvailable, let held = stations[station].link else { return false }
        return held.phase == .open && adapters[held.adapter].address == link.adapter
    }

    private mutating func write(_ frame: [UInt8], to link: LinkID, at now: Instant) {
        guard let station = index(of: link.camera), isWritable(station, link) else { return }
        if isBusy(station, at: now) {
            events.append(.frameDropped(link, frame: frame))
        } else if isHeld(station) {
            // An acquired descriptor gives no back-pressure: bluetoothd queues without bound.
            stations[station].heldWrites.append(frame)
        } else {
            give(.write(frame), to: station, at: now)
        }
    }

    /// One WriteValue at a time; and a buffer that is full stays so for a while.
    private mutating func isBusy(_ station: Int, at now: Instant) -> Bool {
        if now < stations[station].busyUntil { return true }
        if chance(manners.droppedPercent) {
            stations[station].busyUntil = now + span(5...50)
            return true
        }
        if stations[station].path == .call { stations[station].busyUntil = now + .milliseconds(3) }
        return false
    }

    private mutating func wake(_ link: LinkID, at now: Instant) {
        guard let (station, adapter) = find(link), adapters[adapter].isUsable else {
            events.append(.wakeEnded(link, .failed("the adapter is not usable")))
            return
        }
        guard !chance(manners.wakeFailsPercent) else {
            let refusal = RadioEvent.wakeEnded(link, .failed("the controller is busy"))
            return agenda.add(.emit(refusal), at: now + .milliseconds(50))
        }
        agenda.add(.wakeHeard(station: station), at: now + .milliseconds(400))
        agenda.add(.emit(.wakeEnded(link, .sent)), at: now + .seconds(2))
    }

    mutating func chance(_ percent: Int) -> Bool {
        percent > 0 && Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func span(_ milliseconds: ClosedRange<Int>) -> TimeSpan {
        .milliseconds(Int.random(in: milliseconds, using: &random))
    }
}

/// What is heard.
extension SimulatedRadio {
    private mutating func discover(_ address: BluetoothAddress, at now: Instant) {
        guard let adapter = present(address), adapters[adapter].isUsable,
            !adapters[adapter].isDiscovering
        else { return }
        adapters[adapter].isDiscovering = true
        events.append(.adapter(adapters[adapter].state))
        for station in stations.indices { expectSighting(station, adapter, at: now) }
    }

    mutating func advertise(_ how: Advertising, _ station: Int, at now: Instant) {
        stations[station].advertising = how
        guard how == .on else { return }
        for adapter in adapters.indices { expectSighting(station, adapter, at: now) }
        guard let attempt = stations[station].attempt, !attempt.isMeeting else { return }
        expectMeeting(station, attempt.adapter, at: now)
    }

    func isHearable(_ station: Int) -> Bool {
        stations[station].isInRange && stations[station].advertising == .on
    }

    private mutating func expectSighting(_ station: Int, _ adapter: Int, at now: Instant) {
        let bit: UInt64 = 1 << UInt64(adapter)
        guard adapters[adapter].isDiscovering, stations[station].sighting & bit == 0 else { return }
        stations[station].sighting |= bit
        agenda.add(.sighting(station: station, adapter: adapter), at: now + span(50...800))
    }

    mutating func sight(_ station: Int, _ adapter: Int, at now: Instant) {
        let bit: UInt64 = 1 << UInt64(adapter)
        guard adapters[adapter].isDiscovering, isAvailable, isHearable(station) else {
            stations[station].sighting &= ~bit
            return
        }
        stations[station].knownUntil[adapter] = now + Self.temporary
        events.append(
            .sighting(
                Sighting(
                    link: linkID(station, adapter),
                    advertisement: stations[station].advertisement,
                    name: stations[station].camera.name,
                    rssi: stations[station].rssi - 7 * adapter)))
        agenda.add(.sighting(station: station, adapter: adapter), at: now + .seconds(1))
    }
}
