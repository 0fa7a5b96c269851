package import Clock
package import OsmoProtocol
package import RadioPort

/// When each adapter scans for cameras.
///
/// Scanning costs the links of the same adapter air (the kernel scans at full duty), and it hinders a
/// Connect. Per adapter:
///
/// | situation | scans |
/// | --- | --- |
/// | a Connect or the set-up of a link is under way | not |
/// | no link, and a camera is absent or wanted for pairing | all the time |
/// | links, and a camera is expected: lost or asked for a moment ago, or wanted for pairing | 2 s in 4 |
/// | otherwise | 4 s in 20 |
///
/// Adapters with links take turns, so that two of them between them scan all the time while a
/// camera is expected.
///
/// After 60 s in which nothing at all was heard a scan is started anew, since scans stall silently
/// (field note D16), and after 8 s where BlueZ says that there is no scan; after ten such restarts
/// the adapter is turned off and on, once.
package struct Discovery: Sendable {
    /// How scans beside links follow each other.
    package struct Pace: Equatable, Sendable {
        /// How long one lasts.
        package var duration: TimeSpan
        /// From its start to that of the next on the same adapter.
        package var period: TimeSpan

        /// Nobody is expected back in this moment.
        package static let calm = Pace(duration: .seconds(4), period: .seconds(20))
        /// A camera is expected back any moment.
        package static let eager = Pace(duration: .seconds(2), period: .seconds(4))
    }

    /// Silence from everybody after which a continuous scan is started anew.
    package static let silence = TimeSpan.seconds(60)
    /// The same where BlueZ says that there is no scan although one was asked for; by itself it
    /// pauses for 5 s at most.
    package static let refusal = TimeSpan.seconds(8)
    /// Restarts without hearing anybody after which the adapter is turned off and on.
    package static let restartsBeforePowerCycle = 10
    /// A scan out of turn begins at the earliest this long after the last one ended.
    package static let rest = TimeSpan.seconds(4)

    /// What the fleet wants of one adapter.
    package struct Demand: Equatable, Sendable {
        /// Whether the adapter may be used at all.
        package var usable: Bool
        /// Whether a link is being set up there, which a scan would slow down.
        package var settingUp: Bool
        /// Links that it holds.
        package var links: Int
        /// A camera could be found there.
        package var absent: Bool
        /// One of them is expected back any moment.
        package var expected: Bool
        /// Adapters that scan for the same beside their links, this one included.
        package var sharers: Int

        /// The adapter has nothing to lose by scanning, and somebody to find.
        var isFree: Bool { links == 0 && absent }

        var pace: Pace { expected ? .eager : .calm }
    }

    private struct ScanState: Sendable {
        var adapter: BluetoothAddress
        /// Since when it scans; nil while it does not.
        var since: Instant?
        /// When the scan ends, or the next begins.
        var turn = Instant.zero
        /// When the last scan began.
        var began: Instant?
        /// When the last scan ended.
        var ended: Instant?
        /// The next scan is out of turn, whatever the others do.
        var isOutOfTurn = false
        /// Scanned in all, without the scan under way.
        var scannedDuration = TimeSpan.zero
        /// When anybody was last heard, or a scan was started anew for silence.
        var heard = Instant.zero
        /// Since when BlueZ denies that it scans.
        var doubted: Instant?
        var restarts = 0
        var cycled = false
        /// What is left of a scan that a Connect cut short.
        var left: TimeSpan?

        /// When a scan in which nobody is heard is started anew.
        var restartDeadline: Instant {
            min(heard + Discovery.silence, doubted.map { $0 + Discovery.refusal } ?? .never)
        }
    }

    private var states: [ScanState] = []

    /// Nobody scans.
    package init() {}

    /// Whether the adapter scans.
    package func isScanning(_ adapter: BluetoothAddress) -> Bool {
        states.contains { $0.adapter == adapter && $0.since != nil }
    }

    /// How long the adapter has scanned in all: what a camera's silence is measured against.
    package func scannedDuration(_ adapter: BluetoothAddress, at now: Instant) -> TimeSpan {
        guard let state = states.first(where: { $0.adapter == adapter }) else { return .zero }
        return state.since.map { state.scannedDuration + (now - $0) } ?? state.scannedDuration
    }

    /// Somebody was heard there.
    package mutating func heard(_ adapter: BluetoothAddress, at now: Instant) {
        guard let index = states.firstIndex(where: { $0.adapter == adapter }) else { return }
        states[index].heard = now
        states[index].doubted = nil
        states[index].restarts = 0
        states[index].cycled = false
    }

    /// BlueZ says whether the adapter scans. That it does not may be the end of the scan before; where
    /// nothing better follows the scan is started anew.
    package mutating func reported(_ adapter: BluetoothAddress, scans: Bool, at now: Instant) {
        guard let index = states.firstIndex(where: { $0.adapter == adapter }),
            states[index].since != nil
        else { return }
        states[index].doubted = scans ? nil : states[index].doubted ?? now
    }

    /// An attempt failed, or BlueZ forgot a camera: one scan out of turn.
    package mutating func scanSoon(at now: Instant) {
        for index in states.indices where states[index].since == nil {
            let earliest = (states[index].ended ?? .zero) + Self.rest
            states[index].turn = min(states[index].turn, max(now, earliest))
            states[index].isOutOfTurn = true
        }
    }

    /// The adapter is gone or off: whatever it did, it does no more.
    package mutating func lost(_ adapter: BluetoothAddress, at now: Instant) {
        guard let index = states.firstIndex(where: { $0.adapter == adapter }) else { return }
        endScan(index, at: now)
        states[index].turn = now
        states[index].left = nil
    }

    /// Starts and stops scans.
    ///
    /// - Parameter keep: the adapter scans on although a Connect is under way, since BlueZ forgets
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
            guard states[index].since != nil, !keep else { return [] }
            states[index].left = max(.seconds(1), states[index].turn - now)
            endScan(index, at: now)
            return [.stopDiscovery(adapter: adapter)]
        }
        let pace = demand.pace
        if states[index].since == nil {
            if let left = states[index].left {
                return [begin(index, for: min(left, pace.duration), at: now)]
            }
            guard demand.isFree || start(index, demand) <= now else { return [] }
            return [begin(index, for: pace.duration, at: now)]
        }
        if demand.isFree { return restartIfSilent(index, at: now) }
        guard states[index].turn <= now else { return [] }
        endScan(index, at: now)
        states[index].turn = now + (pace.period - pace.duration)
        return [.stopDiscovery(adapter: adapter)]
    }

    /// When `step` has something to do for that adapter.
    package func nextDeadline(_ adapter: BluetoothAddress, _ demand: Demand) -> Instant {
        guard demand.usable, !demand.settingUp,
            let index = states.firstIndex(where: { $0.adapter == adapter })
        else { return .never }
        let state = states[index]
        if state.since != nil { return demand.isFree ? state.restartDeadline : state.turn }
        return demand.isFree ? state.ended ?? state.turn : start(index, demand)
    }

    /// When the next scan beside links begins.
    private func start(_ index: Int, _ demand: Demand) -> Instant {
        let pace = demand.pace
        var start = states[index].turn
        if demand.expected, let ended = states[index].ended {
            start = min(start, ended + (pace.period - pace.duration))
        }
        guard demand.sharers > 1, !states[index].isOutOfTurn else { return start }
        let share = pace.period * (1 / Double(demand.sharers))
        for other in states.indices where other != index {
            if let began = states[other].began { start = max(start, began + share) }
        }
        return start
    }

    private mutating func begin(_ index: Int, for span: TimeSpan, at now: Instant) -> RadioRequest {
        states[index].since = now
        states[index].began = now
        states[index].turn = now + span
        states[index].heard = now
        states[index].doubted = nil
        states[index].left = nil
        states[index].isOutOfTurn = false
        return .startDiscovery(adapter: states[index].adapter)
    }

    private mutating func endScan(_ index: Int, at now: Instant) {
        guard let since = states[index].since else { return }
        states[index].scannedDuration = states[index].scannedDuration + (now - since)
        states[index].since = nil
        states[index].ended = now
    }

    private mutating func restartIfSilent(_ index: Int, at now: Instant) -> [RadioRequest] {
        guard states[index].restartDeadline <= now else { return [] }
        let adapter = states[index].adapter
        states[index].heard = now
        states[index].doubted = nil
        if states[index].restarts >= Self.restartsBeforePowerCycle, !states[index].cycled {
            states[index].cycled = true
            return [.powerOff(adapter: adapter)]
        }
        states[index].restarts = min(states[index].restarts + 1, Self.restartsBeforePowerCycle)
        return [.stopDiscovery(adapter: adapter), .startDiscovery(adapter: adapter)]
    }

    private mutating func place(of adapter: BluetoothAddress, at now: Instant) -> Int {
        if let index = states.firstIndex(where: { $0.adapter == adapter }) { return index }
        if states.count == AdapterSet.bound { states.removeFirst() }
        states.append(ScanState(adapter: adapter, turn: now, heard: now))
        return states.count - 1
    }
}
