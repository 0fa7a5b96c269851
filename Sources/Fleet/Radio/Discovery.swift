package import Clock
package import OsmoProtocol
package import RadioPort

/// When each adapter looks for cameras.
///
/// Looking costs the links of the same adapter air (the kernel scans at full duty), and it hinders a
/// Connect. Per adapter:
///
/// | situation | looks |
/// | --- | --- |
/// | a Connect or the set-up of a link is under way | not |
/// | no link, and a camera is absent or wanted for pairing | all the time |
/// | links, and a camera is sought: lost or asked for a moment ago, or wanted for pairing | 2 s in 4 |
/// | otherwise | 4 s in 20 |
///
/// Adapters with links take turns, so that two of them between them look all the time while a camera
/// is sought.
///
/// After 60 s in which nothing at all was heard a look is started anew, since scans stall silently
/// (field note D16), and after 8 s where BlueZ says that there is no scan; after ten such restarts
/// the adapter is turned off and on, once.
package struct Discovery: Sendable {
    /// How looks beside links follow each other.
    package struct Pace: Equatable, Sendable {
        /// How long one lasts.
        package var look: TimeSpan
        /// From its start to that of the next on the same adapter.
        package var period: TimeSpan

        /// Nobody is expected back in this moment.
        package static let calm = Pace(look: .seconds(4), period: .seconds(20))
        /// A camera is sought.
        package static let eager = Pace(look: .seconds(2), period: .seconds(4))
    }

    /// Silence from everybody after which a continuous look is started anew.
    package static let silence = TimeSpan.seconds(60)
    /// The same where BlueZ says that there is no scan although one was asked for; by itself it
    /// pauses for 5 s at most.
    package static let refusal = TimeSpan.seconds(8)
    /// Restarts without hearing anybody after which the adapter is turned off and on.
    package static let restartsBeforePowerCycle = 10
    /// A look out of turn begins at the earliest this long after the last one ended.
    package static let rest = TimeSpan.seconds(4)

    /// What the fleet wants of one adapter.
    package struct Demand: Equatable, Sendable {
        package var usable: Bool
        package var settingUp: Bool
        package var links: Int
        /// A camera could be found there.
        package var absent: Bool
        /// One of them is expected back any moment.
        package var sought: Bool
        /// Adapters that look for the same beside their links, this one included.
        package var sharers: Int

        /// The adapter has nothing to lose by looking, and somebody to find.
        var isFree: Bool { links == 0 && absent }

        var pace: Pace { sought ? .eager : .calm }
    }

    private struct Ear: Sendable {
        var adapter: BluetoothAddress
        /// Since when it looks; nil while it does not.
        var since: Instant?
        /// When the look ends, or the next begins.
        var turn = Instant.zero
        /// When the last look began.
        var began: Instant?
        /// When the last look ended.
        var ended: Instant?
        /// The next look is out of turn, whatever the others do.
        var soon = false
        /// Looked in all, without the look under way.
        var listened = TimeSpan.zero
        /// When anybody was last heard, or a look was started anew for silence.
        var heard = Instant.zero
        /// Since when BlueZ denies that it scans.
        var doubted: Instant?
        var restarts = 0
        var cycled = false
        /// What is left of a look that a Connect cut short.
        var left: TimeSpan?

        /// When a look in which nobody is heard is started anew.
        var patience: Instant {
            min(heard + Discovery.silence, doubted.map { $0 + Discovery.refusal } ?? .never)
        }
    }

    private var ears: [Ear] = []

    package init() {}

    /// Whether the adapter looks.
    package func looking(_ adapter: BluetoothAddress) -> Bool {
        ears.contains { $0.adapter == adapter && $0.since != nil }
    }

    /// How long the adapter has looked in all: what a camera's silence is measured against.
    package func listened(_ adapter: BluetoothAddress, at now: Instant) -> TimeSpan {
        guard let ear = ears.first(where: { $0.adapter == adapter }) else { return .zero }
        return ear.since.map { ear.listened + (now - $0) } ?? ear.listened
    }

    /// Somebody was heard there.
    package mutating func heard(_ adapter: BluetoothAddress, at now: Instant) {
        guard let index = ears.firstIndex(where: { $0.adapter == adapter }) else { return }
        ears[index].heard = now
        ears[index].doubted = nil
        ears[index].restarts = 0
        ears[index].cycled = false
    }

    /// BlueZ says whether the adapter scans. That it does not may be the end of the look before; where
    /// nothing better follows the look is started anew.
    package mutating func told(_ adapter: BluetoothAddress, scans: Bool, at now: Instant) {
        guard let index = ears.firstIndex(where: { $0.adapter == adapter }),
            ears[index].since != nil
        else { return }
        ears[index].doubted = scans ? nil : ears[index].doubted ?? now
    }

    /// An attempt failed, or BlueZ forgot a camera: look once, out of turn.
    package mutating func lookSoon(at now: Instant) {
        for index in ears.indices where ears[index].since == nil {
            let earliest = (ears[index].ended ?? .zero) + Self.rest
            ears[index].turn = min(ears[index].turn, max(now, earliest))
            ears[index].soon = true
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
        let pace = demand.pace
        if ears[index].since == nil {
            if let left = ears[index].left {
                return [begin(index, for: min(left, pace.look), at: now)]
            }
            guard demand.isFree || start(index, demand) <= now else { return [] }
            return [begin(index, for: pace.look, at: now)]
        }
        if demand.isFree { return restartIfSilent(index, at: now) }
        guard ears[index].turn <= now else { return [] }
        endLook(index, at: now)
        ears[index].turn = now + (pace.period - pace.look)
        return [.stopDiscovery(adapter: adapter)]
    }

    /// When `step` has something to do for that adapter.
    package func nextDeadline(_ adapter: BluetoothAddress, _ demand: Demand) -> Instant {
        guard demand.usable, !demand.settingUp,
            let index = ears.firstIndex(where: { $0.adapter == adapter })
        else { return .never }
        let ear = ears[index]
        if ear.since != nil { return demand.isFree ? ear.patience : ear.turn }
        return demand.isFree ? ear.ended ?? ear.turn : start(index, demand)
    }

    /// When the next look beside links begins.
    private func start(_ index: Int, _ demand: Demand) -> Instant {
        let pace = demand.pace
        var start = ears[index].turn
        if demand.sought, let ended = ears[index].ended {
            start = min(start, ended + (pace.period - pace.look))
        }
        guard demand.sharers > 1, !ears[index].soon else { return start }
        let share = pace.period * (1 / Double(demand.sharers))
        for other in ears.indices where other != index {
            if let began = ears[other].began { start = max(start, began + share) }
        }
        return start
    }

    private mutating func begin(_ index: Int, for span: TimeSpan, at now: Instant) -> RadioRequest {
        ears[index].since = now
        ears[index].began = now
        ears[index].turn = now + span
        ears[index].heard = now
        ears[index].doubted = nil
        ears[index].left = nil
        ears[index].soon = false
        return .startDiscovery(adapter: ears[index].adapter)
    }

    private mutating func endLook(_ index: Int, at now: Instant) {
        guard let since = ears[index].since else { return }
        ears[index].listened = ears[index].listened + (now - since)
        ears[index].since = nil
        ears[index].ended = now
    }

    private mutating func restartIfSilent(_ index: Int, at now: Instant) -> [RadioRequest] {
        guard ears[index].patience <= now else { return [] }
        let adapter = ears[index].adapter
        ears[index].heard = now
        ears[index].doubted = nil
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
