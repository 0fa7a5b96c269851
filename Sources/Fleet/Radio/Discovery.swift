package import Navigation
package import OsmoProtocol

/// When each adapter looks for cameras.
///
/// Looking costs the links of the same adapter air (the kernel scans at full duty), and it hinders a
/// Connect. Per adapter:
///
/// | situation | looks |
/// | --- | --- |
/// | a Connect or the set-up of a link is under way | not |
/// | no link, and a camera is absent or wanted for pairing | all the time |
/// | otherwise | 4 s in 20; while pairing 4 s in 8 |
///
/// After 60 s in which nothing at all was heard a look is started anew, since scans stall silently
/// (field note D16); after ten such restarts the adapter is turned off and on, once.
package struct Discovery: Sendable {
    /// How long a look lasts beside links.
    package static let look = Span.seconds(4)
    /// From the start of a look to that of the next.
    package static let period = Span.seconds(20)
    package static let pairingPeriod = Span.seconds(8)
    /// Silence from everybody after which a continuous look is started anew.
    package static let silence = Span.seconds(60)
    /// Restarts without hearing anybody after which the adapter is turned off and on.
    package static let restartsBeforePowerCycle = 10
    /// A look out of turn begins at the earliest this long after the last one ended.
    package static let rest = Span.seconds(4)

    /// What the fleet wants of one adapter.
    package struct Demand: Equatable, Sendable {
        package var usable: Bool
        package var settingUp: Bool
        package var links: Int
        package var absent: Bool
        package var pairing: Bool
    }

    private struct Ear: Sendable {
        var adapter: BluetoothAddress
        /// Since when it looks; nil while it does not.
        var since: Instant?
        /// When the look ends, or the next begins.
        var turn = Instant.zero
        /// When the last look ended.
        var ended: Instant?
        /// Looked in all, without the look under way.
        var listened = Span.zero
        /// When anybody was last heard, or a look was started anew for silence.
        var heard = Instant.zero
        var restarts = 0
        var cycled = false
        /// What is left of a look that a Connect cut short.
        var left: Span?
    }

    private var ears: [Ear] = []

    package init() {}

    /// Whether the adapter looks.
    package func looking(_ adapter: BluetoothAddress) -> Bool {
        ears.contains { $0.adapter == adapter && $0.since != nil }
    }

    /// How long the adapter has looked in all: what a camera's silence is measured against.
    package func listened(_ adapter: BluetoothAddress, at now: Instant) -> Span {
        guard let ear = ears.first(where: { $0.adapter == adapter }) else { return .zero }
        return ear.since.map { ear.listened + (now - $0) } ?? ear.listened
    }

    /// Somebody was heard there.
    package mutating func heard(_ adapter: BluetoothAddress, at now: Instant) {
        guard let index = ears.firstIndex(where: { $0.adapter == adapter }) else { return }
        ears[index].heard = now
        ears[index].restarts = 0
        ears[index].cycled = false
    }

    /// A camera was lost, or BlueZ forgot it: look out of turn.
    package mutating func lookSoon(at now: Instant) {
        for index in ears.indices where ears[index].since == nil {
            let earliest = (ears[index].ended ?? .zero) + Self.rest
            ears[index].turn = min(ears[index].turn, max(now, earliest))
        }
    }

    /// The adapter is gone or off: whatever it did, it does no more.
    package mutating func lost(_ adapter: BluetoothAddress, at now: Instant) {
        guard let index = ears.firstIndex(where: { $0.adapter == adapter }) else { return }
        endLook(index, at: now)
        ears[index].turn = now
        ears[index].left = nil
    }

    /// Starts and stops looks.
    ///
    /// - Parameter keep: the adapter looks on although a Connect is under way, since BlueZ forgets
    ///   the device otherwise (field note D7).
    package mutating func step(
        _ adapter: BluetoothAddress, _ demand: Demand, keep: Bool, at now: Instant
    ) -> [RadioRequest] {
        let index = place(of: adapter, at: now)
        guard demand.usable else {
            lost(adapter, at: now)
            return []
        }
        if demand.settingUp {
            guard ears[index].since != nil, !keep else { return [] }
            ears[index].left = max(.seconds(1), ears[index].turn - now)
            endLook(index, at: now)
            return [.stopDiscovery(adapter: adapter)]
        }
        let continuous = demand.links == 0 && (demand.absent || demand.pairing)
        let period = demand.pairing ? Self.pairingPeriod : Self.period
        if ears[index].since == nil {
            if let left = ears[index].left {
                return [begin(index, for: min(left, Self.look), at: now)]
            }
            if demand.pairing, let ended = ears[index].ended {
                ears[index].turn = min(ears[index].turn, ended + (period - Self.look))
            }
            guard continuous || ears[index].turn <= now else { return [] }
            return [begin(index, for: Self.look, at: now)]
        }
        if continuous { return restartIfSilent(index, at: now) }
        guard ears[index].turn <= now else { return [] }
        endLook(index, at: now)
        ears[index].turn = now + (period - Self.look)
        return [.stopDiscovery(adapter: adapter)]
    }

    /// When `step` has something to do for that adapter.
    package func nextDeadline(_ adapter: BluetoothAddress, _ demand: Demand) -> Instant {
        guard demand.usable, !demand.settingUp,
            let ear = ears.first(where: { $0.adapter == adapter })
        else { return .never }
        let continuous = demand.links == 0 && (demand.absent || demand.pairing)
        if ear.since != nil { return continuous ? ear.heard + Self.silence : ear.turn }
        if demand.pairing, let ended = ear.ended {
            return min(ear.turn, ended + (Self.pairingPeriod - Self.look))
        }
        return continuous ? ear.ended ?? ear.turn : ear.turn
    }

    private mutating func begin(_ index: Int, for span: Span, at now: Instant) -> RadioRequest {
        ears[index].since = now
        ears[index].turn = now + span
        ears[index].heard = now
        ears[index].left = nil
        return .startDiscovery(adapter: ears[index].adapter)
    }

    private mutating func endLook(_ index: Int, at now: Instant) {
        guard let since = ears[index].since else { return }
        ears[index].listened = ears[index].listened + (now - since)
        ears[index].since = nil
        ears[index].ended = now
    }

    private mutating func restartIfSilent(_ index: Int, at now: Instant) -> [RadioRequest] {
        guard now - ears[index].heard >= Self.silence else { return [] }
        let adapter = ears[index].adapter
        ears[index].heard = now
        if ears[index].restarts >= Self.restartsBeforePowerCycle, !ears[index].cycled {
            ears[index].cycled = true
            return [.powerOff(adapter: adapter)]
        }
        ears[index].restarts = min(ears[index].restarts + 1, Self.restartsBeforePowerCycle)
        return [.stopDiscovery(adapter: adapter), .startDiscovery(adapter: adapter)]
    }

    private mutating func place(of adapter: BluetoothAddress, at now: Instant) -> Int {
        if let index = ears.firstIndex(where: { $0.adapter == adapter }) { return index }
        if ears.count == AdapterSet.bound { ears.removeFirst() }
        ears.append(Ear(adapter: adapter, turn: now, heard: now))
        return ears.count - 1
    }
}
