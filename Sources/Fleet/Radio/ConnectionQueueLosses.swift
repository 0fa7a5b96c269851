import Clock
import OsmoProtocol
import RadioPort

/// What is left when bluetoothd or an adapter goes, and what is learnt from it.
extension ConnectionQueue {
    /// bluetoothd or the bus is gone.
    mutating func lostBlueZ(at now: Instant, _ effects: inout LinkEffects) {
        let counts = adapters.members.map { ($0.state.address, linked($0.state.address)) }
        let busy = counts.map(\.0).filter { self.busy($0) }
        if candidates.contains(where: { killedBlueZ($0, at: now) }) { isCautious = true }
        let capped = adapters.crashed(at: now, connecting: busy) { address in
            counts.first { $0.0 == address }?.1 ?? 0
        }
        // One of these may be what bluetoothd died of: not again at once.
        for index in candidates.indices where candidates[index].phase.settingUp {
            candidates[index].error = "bluetoothd ended while it was connected"
            wait(index, at: now)
        }
        for (address, _) in counts {
            if let cap = capped.first(where: { $0.0 == address }) {
                effects.news.append(.adapter(address, cap.1))
            }
            lost(address, at: now, &effects)
        }
    }

    /// Whether it is likely that bluetoothd died just now of a Connect to that camera that the kernel
    /// gave up: the answer comes shortly before, or is never sent.
    private func killedBlueZ(_ candidate: Candidate, at now: Instant) -> Bool {
        if case .connecting(_, let since) = candidate.phase {
            return now - since >= Self.kernelTimeout
        }
        return candidate.givenUp.map { now - $0 <= Self.crashWindow } ?? false
    }

    /// The adapter is gone: its links, its Connects and what was heard through it are too.
    mutating func lost(
        _ adapter: BluetoothAddress, at now: Instant, _ effects: inout LinkEffects
    ) {
        discovery.lost(adapter, at: now)
        reserved.removeAll { $0 == adapter }
        for index in candidates.indices {
            candidates[index].sightings.removeAll { $0.adapter == adapter }
            guard let link = candidates[index].phase.link, link.adapter == adapter else { continue }
            let phase = candidates[index].phase
            candidates[index].phase = .idle
            candidates[index].lastAdapter = adapter
            candidates[index].lastEnd = now
            switch phase {
            case .open, .closing: effects.news.append(.closed(link))
            case .opening, .connecting, .cancelling:
                effects.news.append(.failed(link, .connect(.notReady)))
            case .idle: break
            }
        }
    }
}
