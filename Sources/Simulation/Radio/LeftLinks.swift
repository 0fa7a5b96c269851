import Clock
import OsmoProtocol
import RadioPort

/// Links that a run before this one left behind when it was killed: bluetoothd holds them, their
/// cameras do not advertise, and have no signal strength.
extension SimulatedRadio {
    /// Puts such a link there; before `start`.
    mutating func leaveLink(of peripheral: Int, on adapter: Int, at now: Instant) {
        guard peripherals[peripheral].link == nil, adapters[adapter].isUsable,
            links(of: adapter) < adapters[adapter].maxLinks
        else { return }
        peripherals[peripheral].generation += 1
        peripherals[peripheral].link = SimulatedPeripheral.Link(
            adapter: adapter, phase: .open, isLeftBehind: true)
        give(.linkUp, to: peripheral, at: now)
        give(.mtu(500), to: peripheral, at: now)
        peripherals[peripheral].advertising = .off
    }

    /// bluetoothd knows their devices, as connected ones.
    mutating func reportLeftLinks() {
        for peripheral in peripherals.indices {
            guard let link = peripherals[peripheral].link, link.isLeftBehind else { continue }
            events.append(
                .sighting(
                    Sighting(
                        link: linkID(peripheral, link.adapter),
                        advertisement: peripherals[peripheral].advertisement,
                        name: peripherals[peripheral].camera.name, connected: true)))
        }
    }

    /// A Connect to such a camera goes on with the link that stands.
    mutating func adopt(_ peripheral: Int, _ adapter: Int, at now: Instant) {
        peripherals[peripheral].generation += 1
        peripherals[peripheral].link = SimulatedPeripheral.Link(adapter: adapter, phase: .settingUp)
        events.append(.connectEnded(linkID(peripheral, adapter), .ok))
        eventQueue.add(
            .setUp(peripheral: peripheral, generation: peripherals[peripheral].generation),
            at: now + span(50...300))
    }
}
