package import Clock
package import OsmoProtocol
package import RadioPort

/// The radio adapters, known by address: which may be used, for how many links, and which is best.
///
/// An adapter that goes stays remembered for its link cap: bluetoothd's crash removes all of them,
/// and it is then that the cap counts.
package struct AdapterSet: Sendable {
    /// Adapters remembered at once; further ones are not used.
    package static let bound = 16
    /// A crash of bluetoothd this soon after a Connect that succeeded is laid to that Connect.
    package static let crashWindow = TimeSpan.seconds(1)
    /// Every controller holds so many links: a crash with no more says nothing about its limit.
    package static let minLimit = 3
    /// How long the first cap lasts; each further one twice as long, up to `maxCapDuration`.
    package static let firstCap = TimeSpan.seconds(60)
    /// The longest that a cap lasts.
    package static let maxCapDuration = TimeSpan.seconds(3840)
    /// How long an adapter that said it was full is believed to hold no more links.
    package static let fullSpan = TimeSpan.seconds(60)
    /// Cameras that failed in turn on an adapter, with no success between, after which others are
    /// preferred to it, and for how long after the last.
    package static let failingBound = 3
    /// Failures count together when they lie this close.
    package static let failingSpan = TimeSpan.seconds(60)
    /// Connects given up in a row after which an adapter without links is turned off and on.
    package static let unansweredBound = 6
    /// Between requests to turn an adapter on: doubling from the first to the last.
    package static let firstPowerPause = TimeSpan.seconds(5)
    /// The longest pause between attempts to turn an adapter on.
    package static let maxPowerPause = TimeSpan.seconds(60)

    /// What befell an adapter, for a notice.
    package enum News: Equatable, Sendable {
        case appeared, gone, on, off, blocked
        /// The controller takes no more links.
        case full(links: Int)
        /// bluetoothd died right behind a Connect: no more links than this for that long.
        case capped(links: Int, span: TimeSpan)
    }

    /// One adapter.
    package struct Adapter: Sendable {
        /// As BlueZ last told it.
        package var state: AdapterState
        /// Whether BlueZ shows it now.
        package var present: Bool
        /// When a Connect last succeeded on it.
        var lastConnect: Instant?
        /// So many links stood at once, all of them usable: it can hold them.
        var proven = AdapterSet.minLimit
        /// How many links there were each time that bluetoothd died right after a Connect; all
        /// above `proven`.
        var suspects: Set<Int> = []
        var cap: Cap?
        var full: Cap?
        /// Failures in a row, each of another camera than the one before, and the last one.
        var failures = 0
        var lastFailure: (camera: BluetoothAddress, instant: Instant)?
        /// Connects in a row, to whichever camera, that were given up.
        var unanswered = 0
        var nextPower = Instant.zero
        var powerPause = AdapterSet.firstPowerPause
    }

    /// No more links than `links` until `until`.
    package struct Cap: Equatable, Sendable {
        /// The most links at once.
        package var links: Int
        /// When the cap ends.
        package var until: Instant
        /// How long it lasts; doubled at each that follows.
        package var span: TimeSpan
    }

    /// The ones that may be used; empty for all.
    package var allowed: [BluetoothAddress]
    /// In order of appearance.
    package private(set) var members: [Adapter] = []

    /// No adapter has appeared yet.
    package init(allowed: [BluetoothAddress] = []) { self.allowed = allowed }

    /// - Returns: what is new about it; nil when nothing is, or when there are too many.
    package mutating func update(_ state: AdapterState, at now: Instant) -> News? {
        guard let index = index(of: state.address) else { return add(state, at: now) }
        let before = members[index]
        members[index].state = state
        members[index].present = true
        if !before.present {
            members[index].nextPower = Self.firstPower(state, at: now)
            members[index].powerPause = Self.firstPowerPause
            return state.blocked ? .blocked : .appeared
        }
        if state.blocked != before.state.blocked {
            members[index].nextPower = Self.firstPower(state, at: now)
            return state.blocked ? .blocked : (state.powered ? .on : .off)
        }
        guard state.powered != before.state.powered else { return nil }
        if state.powered {
            members[index].powerPause = Self.firstPowerPause
        } else {
            // Somebody turned it off a moment ago and may be at something: not at once.
            members[index].nextPower = now + members[index].powerPause
        }
        return state.powered ? .on : .off
    }

    private mutating func add(_ state: AdapterState, at now: Instant) -> News? {
        if members.count == Self.bound {
            guard let gone = members.firstIndex(where: { !$0.present }) else { return nil }
            members.remove(at: gone)
        }
        members.append(
            Adapter(state: state, present: true, nextPower: Self.firstPower(state, at: now)))
        return state.blocked ? .blocked : .appeared
    }

    /// - Returns: whether it was there.
    package mutating func remove(_ address: BluetoothAddress) -> Bool {
        guard let index = index(of: address), members[index].present else { return false }
        members[index].present = false
        members[index].full = nil
        return true
    }

    /// bluetoothd or the bus is gone, and every adapter with it.
    ///
    /// A controller that is full crashes it at the same number of links each time, links that are
    /// lost while they are made crash it at any (Tests/Lab, `refused-links`): only the second crash
    /// with a number that never stood is laid to the controller.
    ///
    /// - Parameters:
    ///   - connecting: adapters with a Connect out. Their kernel may begin none any more until they
    ///     were off, which then shows in two unanswered Connects.
    ///   - linked: how many links stood on an adapter, the last to come up included.
    /// - Returns: the adapters that are capped for it.
    package mutating func crashed(
        at now: Instant, connecting: [BluetoothAddress] = [], linked: (BluetoothAddress) -> Int
    ) -> [(BluetoothAddress, News)] {
        var news: [(BluetoothAddress, News)] = []
        for index in members.indices where members[index].present {
            members[index].present = false
            members[index].full = nil
            let address = members[index].state.address
            if connecting.contains(address) {
                members[index].unanswered = max(
                    members[index].unanswered, Self.unansweredBound - 2)
            }
            guard let connect = members[index].lastConnect, now - connect <= Self.crashWindow else {
                continue
            }
            members[index].lastConnect = nil
            let count = linked(address)
            guard count > members[index].proven else { continue }
            guard !members[index].suspects.insert(count).inserted else { continue }
            let links = count - 1
            var span = Self.firstCap
            if let cap = members[index].cap, now - cap.until <= cap.span {
                span = min(cap.span * 2, Self.maxCapDuration)
            }
            members[index].cap = Cap(links: links, until: now + span, span: span)
            news.append((address, .capped(links: links, span: span)))
        }
        return news
    }

    /// A Connect succeeded on it.
    package mutating func connected(_ address: BluetoothAddress, at now: Instant) {
        guard let index = index(of: address) else { return }
        members[index].lastConnect = now
        members[index].failures = 0
        members[index].unanswered = 0
    }

    /// Its newest link is usable, and so many are.
    package mutating func proved(_ address: BluetoothAddress, links: Int) {
        guard let index = index(of: address) else { return }
        guard links > members[index].proven else { return }
        members[index].proven = links
        members[index].suspects = members[index].suspects.filter { $0 > links }
    }

    /// A camera could not be connected on it, though it was heard there.
    package mutating func failed(
        _ address: BluetoothAddress, camera: BluetoothAddress, at now: Instant
    ) {
        guard let index = index(of: address) else { return }
        if members[index].failures == 0 || members[index].lastFailure?.camera != camera {
            members[index].failures = min(members[index].failures + 1, Self.failingBound)
        }
        members[index].lastFailure = (camera, now)
    }

    /// A Connect on it was given up without an answer.
    ///
    /// - Returns: whether so many were, with no success between, that the adapter itself may be at
    ///   fault: a kernel whose bluetoothd crashed in the middle of a Connect has been seen to begin
    ///   none any more until the adapter was off (Tests/Lab, `refused-links`).
    package mutating func wentUnanswered(_ address: BluetoothAddress) -> Bool {
        guard let index = index(of: address) else { return false }
        members[index].unanswered += 1
        guard members[index].unanswered >= Self.unansweredBound else { return false }
        members[index].unanswered = 0
        return true
    }

    /// Whether several cameras failed on it in turn: it may be the adapter's fault.
    private func isFailing(_ adapter: Adapter, at now: Instant) -> Bool {
        guard adapter.failures >= Self.failingBound, let last = adapter.lastFailure else {
            return false
        }
        return now - last.instant <= Self.failingSpan
    }

    /// It refused a link for want of room while it held `links`.
    package mutating func becameFull(
        _ address: BluetoothAddress, links: Int, at now: Instant
    ) -> News? {
        guard let index = index(of: address) else { return nil }
        let before = members[index].full
        members[index].full = Cap(links: links, until: now + Self.fullSpan, span: Self.fullSpan)
        return before?.links == links ? nil : .full(links: links)
    }

    /// Whether this adapter has ever appeared.
    package func contains(_ address: BluetoothAddress) -> Bool { index(of: address) != nil }

    /// Present, allowed, on and not blocked.
    package func usable(_ address: BluetoothAddress) -> Bool {
        guard let index = index(of: address) else { return false }
        return usable(members[index])
    }

    /// Whether a Connect may go out there now.
    package func usable(_ adapter: Adapter) -> Bool {
        adapter.present && adapter.state.powered && !adapter.state.blocked
            && isAllowed(adapter.state.address)
    }

    /// Whether the configuration lets us use it.
    package func isAllowed(_ address: BluetoothAddress) -> Bool {
        allowed.isEmpty || allowed.contains(address)
    }

    /// Links that it may hold now; nil for as many as it takes.
    package func limit(_ address: BluetoothAddress, at now: Instant) -> Int? {
        guard let index = index(of: address) else { return nil }
        let limits = [members[index].cap, members[index].full]
            .compactMap { $0 }.filter { $0.until > now }
        return limits.map(\.links).min()
    }

    /// The adapter for a camera: one that works, of those the one with fewest links, of those the
    /// one that hears it best.
    ///
    /// - Parameters:
    ///   - candidates: adapters that hear the camera, with its signal in dBm where known.
    ///   - pinned: the only one that will do, if any.
    ///   - linked: how many links an adapter holds; nil where none may be begun now.
    package func choose(
        among candidates: [(adapter: BluetoothAddress, rssi: Int?)], pinned: BluetoothAddress?,
        at now: Instant, linked: (BluetoothAddress) -> Int?
    ) -> BluetoothAddress? {
        var best: (adapter: BluetoothAddress, rank: (Int, Int, Int))?
        for candidate in candidates where pinned == nil || pinned == candidate.adapter {
            guard let index = index(of: candidate.adapter), usable(members[index]),
                let links = linked(candidate.adapter)
            else { continue }
            if let limit = limit(candidate.adapter, at: now), links >= limit { continue }
            let failing = isFailing(members[index], at: now) ? 1 : 0
            let rank = (failing, links, -(candidate.rssi ?? -1000))
            if let best, best.rank <= rank { continue }
            best = (candidate.adapter, rank)
        }
        return best?.adapter
    }

    /// The adapters to turn on now. Only a person can unblock one, but BlueZ before 5.67 does not say
    /// when that is done: once a minute is asked whether it works by now.
    package mutating func powerRequests(at now: Instant) -> [BluetoothAddress] {
        var requests: [BluetoothAddress] = []
        for index in members.indices where wantsPower(members[index]) {
            guard members[index].nextPower <= now else { continue }
            requests.append(members[index].state.address)
            guard !members[index].state.blocked else {
                members[index].nextPower = now + Self.maxPowerPause
                continue
            }
            members[index].nextPower = now + members[index].powerPause
            members[index].powerPause = min(
                members[index].powerPause * 2, Self.maxPowerPause)
        }
        return requests
    }

    private func wantsPower(_ adapter: Adapter) -> Bool {
        adapter.present && !adapter.state.powered && isAllowed(adapter.state.address)
    }

    private static func firstPower(_ state: AdapterState, at now: Instant) -> Instant {
        state.blocked ? now + maxPowerPause : now
    }

    /// When a cap or the word "full" ends, or an adapter has to be turned on.
    package func nextDeadline(after now: Instant) -> Instant {
        var next = Instant.never
        for adapter in members where adapter.present {
            if wantsPower(adapter) { next = min(next, adapter.nextPower) }
            for cap in [adapter.cap, adapter.full] {
                if let cap, cap.until > now { next = min(next, cap.until) }
            }
        }
        return next
    }

    /// For `status`.
    package func summary(at now: Instant, linked: (BluetoothAddress) -> Int) -> [AdapterSummary] {
        members.filter(\.present).map { adapter in
            let address = adapter.state.address
            let links = linked(address)
            var summary = AdapterSummary(
                address: address, name: adapter.state.name, usable: usable(adapter), links: links,
                error: complaint(adapter, links: links, at: now))
            summary.allowed = isAllowed(address)
            summary.powered = adapter.state.powered
            summary.blocked = adapter.state.blocked
            return summary
        }
    }

    private func complaint(_ adapter: Adapter, links: Int, at now: Instant) -> String? {
        if !isAllowed(adapter.state.address) { return "not among the configured adapters" }
        if adapter.state.blocked { return "blocked by rfkill: rfkill unblock bluetooth" }
        if !adapter.state.powered { return "turned off" }
        if let full = adapter.full, full.until > now, links >= full.links {
            return "full with \(full.links) links"
        }
        if let cap = adapter.cap, cap.until > now {
            return "held to \(cap.links) links since bluetoothd crashed"
        }
        if isFailing(adapter, at: now) { return "connections fail on it" }
        return nil
    }

    private func index(of address: BluetoothAddress) -> Int? {
        members.firstIndex { $0.state.address == address }
    }
}
