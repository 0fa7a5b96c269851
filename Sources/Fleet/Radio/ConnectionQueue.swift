package import Clock
package import OsmoProtocol
package import RadioPort

/// Who is connected next, on which adapter, and what is done when it does not work.
///
/// One Connect at a time per adapter, held for Connect alone; only cameras that are heard are tried;
/// of those that wait the one whose last turn is longest ago goes first, and a failure makes its
/// camera wait longer each time, so that an absent or deaf camera cannot starve the others.
package struct ConnectionQueue: Sendable {
    /// Cameras at once: the roster's 99, and one being paired.
    package static let bound = 100
    /// Our own limit for a Connect, then Disconnect (field notes D1, D14). On a busy adapter, or to a
    /// camera at the edge of its range, a link takes seconds.
    package static let connectDeadline = TimeSpan.seconds(15)
    /// The same while another camera waits for the adapter. The kernel gives up by itself 4 s after
    /// the first advertisement that it answers: later than this, it has not heard one for 2 s.
    package static let contestedDeadline = TimeSpan.seconds(6)
    /// The same once bluetoothd is known to die where the kernel gives up, and all links with it, as
    /// was seen with 5.66 on Linux 6.1.192 (Tests/Lab).
    package static let cautiousDeadline = TimeSpan.milliseconds(3500)
    /// A Connect that fails or that bluetoothd dies of after so long was given up by the kernel.
    package static let kernelTimeout = TimeSpan.seconds(3)
    /// Between such a failure and the death of bluetoothd.
    package static let crashWindow = TimeSpan.seconds(1)
    /// A link that is back this soon after we ended it was made by bluetoothd itself.
    package static let selfConnectWindow = TimeSpan.seconds(3)
    /// For so long after it was lost or asked for, a camera is scanned for eagerly.
    package static let seeking = TimeSpan.seconds(60)
    /// From Connect's success to a usable link (field note D5).
    package static let setupDeadline = TimeSpan.seconds(15)
    /// For how long having heard a camera makes it worth a Connect: BlueZ forgets after 30 s.
    package static let sightingLife = TimeSpan.seconds(25)
    /// A camera not heard in this much scanning was gone: heard again, it is tried at once.
    package static let silence = Discovery.Pace.calm.duration
    /// The least wait for a camera that keeps failing and keeps coming back.
    package static let comebackPause = TimeSpan.seconds(5)
    /// Aborted Connects that are repeated at once (field note D3), and the breath between them.
    package static let quickRetries = 3
    /// Between attempts that are repeated at once.
    package static let quickPause = TimeSpan.milliseconds(250)
    /// `inProgress` in a row after which the device is removed (field note D2).
    package static let staleBound = 5
    /// `unknownDevice` in a row after which discovery is kept on until BlueZ has taken the Connect
    /// (field note D7): that long, and no longer, since the kernel sees each camera but once in the
    /// ten seconds of a scan, and does not connect until it sees it (Tests/Lab, `refused-links`).
    package static let unknownBound = 2
    /// How long BlueZ may take to refuse a Connect; after that it is under way.
    package static let acceptance = TimeSpan.milliseconds(500)
    /// Failed set-ups in a row after which the device is removed (field notes D5, D9).
    package static let setupBound = 2
    /// Failed set-ups in a row after which an adapter without links is turned off and on.
    package static let powerCycleBound = 6
    /// Until Disconnect is sent again for want of an end, and how often.
    package static let disconnectPause = TimeSpan.seconds(10)
    /// How often Disconnect is sent before the link counts as gone.
    package static let disconnectTries = 2

    /// The adapters, and what holds each back.
    package var adapters: AdapterSet
    /// Who scans, and why.
    package var discovery = Discovery()
    /// The cameras that are to be connected or are.
    package var candidates: [Candidate] = []
    /// A pair window is open: scan for strangers too.
    package var pairing = false
    /// Every supported camera in range is welcome: scan for ever.
    package var admitsAny = false
    /// An orderly end: nothing new begins.
    package var ending = false
    /// Failed connections in a row after which a camera is left alone; 0 for never.
    private var retries: Int
    var generator: SeededGenerator
    /// Adapters that broadcast a wake call: no Connect begins there meanwhile.
    package var reserved: [BluetoothAddress] = []
    /// Whether bluetoothd died in this run because of a Connect that the kernel had given up.
    package internal(set) var isCautious = false
    /// When `step` is due; valid after each `step`.
    package private(set) var deadline = Instant.zero
    private var turns: UInt64 = 0

    /// No cameras yet.
    package init(adapters: [BluetoothAddress], retries: Int, generator: SeededGenerator) {
        self.adapters = AdapterSet(allowed: adapters)
        self.retries = retries
        self.generator = generator
    }

    // MARK: The roster's side

    /// Wants a link to that camera from now on; one by way of another adapter than `pinned` is ended
    /// when the queue steps.
    ///
    /// - Returns: false when there are too many.
    package mutating func admit(
        _ address: BluetoothAddress, pinned: BluetoothAddress?, trusted: Bool, at now: Instant
    ) -> Bool {
        if let index = index(of: address) {
            candidates[index].pinned = pinned
            candidates[index].trusted = trusted
            candidates[index].wanted = true
            candidates[index].leaving = false
            return true
        }
        guard candidates.count < Self.bound else { return false }
        var candidate = Candidate(
            address: address, pinned: pinned, trusted: trusted, retries: retries)
        candidate.expected = now
        candidates.append(candidate)
        return true
    }

    /// It is expected back any moment: scanned for eagerly for a while.
    package mutating func expect(_ address: BluetoothAddress, at now: Instant) {
        guard let index = index(of: address) else { return }
        candidates[index].expected = now
    }

    /// Ends its link and forgets the camera, in BlueZ too where `removing`.
    package mutating func release(
        _ address: BluetoothAddress, removing: Bool, at now: Instant
    ) -> [RadioRequest] {
        guard let index = index(of: address) else { return [] }
        candidates[index].wanted = false
        candidates[index].leaving = true
        candidates[index].refresh = removing
        return end(index, at: now)
    }

    /// Wants no link for now, or wants one again.
    package mutating func want(
        _ wanted: Bool, _ address: BluetoothAddress, at now: Instant
    ) -> [RadioRequest] {
        guard let index = index(of: address), candidates[index].wanted != wanted else { return [] }
        candidates[index].wanted = wanted
        candidates[index].expected = now
        return wanted ? [] : end(index, at: now)
    }

    /// Only these adapters may be used from now on; empty for all.
    package mutating func allow(
        _ allowed: [BluetoothAddress], at now: Instant
    ) -> [RadioRequest] {
        adapters.allowed = allowed
        var requests: [RadioRequest] = []
        for index in candidates.indices {
            guard let link = candidates[index].phase.link, !adapters.isAllowed(link.adapter)
            else { continue }
            requests += end(index, at: now)
        }
        for adapter in adapters.members.map(\.state.address)
        where !adapters.isAllowed(adapter) && discovery.isScanning(adapter) {
            discovery.lost(adapter, at: now)
            requests.append(.stopDiscovery(adapter: adapter))
        }
        return requests
    }

    /// Ends its link; it is connected again when its turn comes.
    package mutating func close(_ address: BluetoothAddress, at now: Instant) -> [RadioRequest] {
        guard let index = index(of: address) else { return [] }
        return end(index, at: now)
    }

    /// A person asks for it, or a link that had been good is lost: failures are forgotten, and it is
    /// scanned for eagerly.
    package mutating func clear(_ address: BluetoothAddress, at now: Instant) {
        guard let index = index(of: address) else { return }
        candidates[index].clear()
        candidates[index].expected = now
    }

    /// Sets how many failures in a row are allowed, for cameras that are already known as well.
    package mutating func setRetries(_ retries: Int) {
        self.retries = retries
        for index in candidates.indices { candidates[index].backoff.retries = retries }
    }

    /// Its link was useless although it stood: it counts as a failure.
    package mutating func recordFailure(
        _ address: BluetoothAddress, _ words: String, at now: Instant
    ) {
        guard let index = index(of: address) else { return }
        candidates[index].error = words
        wait(index, at: now)
    }

    /// BlueZ should keep it from now on.
    package mutating func trust(_ address: BluetoothAddress) -> [RadioRequest] {
        guard let index = index(of: address) else { return [] }
        candidates[index].trusted = true
        return candidates[index].phase.link.map { [.trust($0)] } ?? []
    }

    /// The candidate with this address; nil without one.
    package subscript(address: BluetoothAddress) -> Candidate? {
        index(of: address).map { candidates[$0] }
    }

    func index(of address: BluetoothAddress) -> Int? {
        candidates.firstIndex { $0.address == address }
    }

    // MARK: What stands where

    /// Links on an adapter, also those being set up or taken down.
    package func linked(_ adapter: BluetoothAddress) -> Int {
        candidates.count { $0.phase.linked && $0.phase.link?.adapter == adapter }
    }

    /// Links that stand or are being made, for `status`.
    package func occupied(_ adapter: BluetoothAddress) -> Int {
        candidates.count { $0.phase.link?.adapter == adapter }
    }

    func busy(_ adapter: BluetoothAddress) -> Bool {
        candidates.contains { $0.phase.holdsSlot && $0.phase.link?.adapter == adapter }
    }

    // MARK: Time

    /// Does what is due: deadlines, turns, scans, power.
    package mutating func step(at now: Instant) -> LinkEffects {
        var effects = LinkEffects()
        for index in candidates.indices where deadline(of: index, at: now) <= now {
            expire(index, at: now, &effects)
        }
        for index in candidates.indices where candidates[index].isMisplaced {
            effects.requests += end(index, at: now)
        }
        settleAll(&effects)
        if !ending {
            effects.requests += adapters.powerRequests(at: now).map { .powerOn(adapter: $0) }
            var begun: [LinkID] = []
            while let link = beginNext(at: now) { begun.append(link) }
            for (adapter, demand) in demands(at: now) {
                effects.requests += discovery.step(
                    adapter, demand, keep: scansOn(adapter, at: now), at: now)
            }
            effects.requests += begun.map { .connect($0) }
        }
        deadline = nextDeadline(after: now)
        return effects
    }

    /// Stops scanning, for an orderly end. Links are ended one by one.
    package mutating func finish(at now: Instant) -> [RadioRequest] {
        ending = true
        return adapters.members.map(\.state.address).filter { discovery.isScanning($0) }.map {
            discovery.lost($0, at: now)
            return .stopDiscovery(adapter: $0)
        }
    }

    /// Of those that an adapter is free for: the one whose last turn is longest ago, those that did
    /// not fail last before those that did, since a deaf one holds the slot for seconds.
    private mutating func beginNext(at now: Instant) -> LinkID? {
        var best: (index: Int, adapter: BluetoothAddress)?
        for (index, candidate) in candidates.enumerated() where candidate.eligible(at: now) {
            if let best, candidates[best.index].rank <= candidate.rank { continue }
            guard let adapter = adapter(for: candidate, at: now) else { continue }
            best = (index, adapter)
        }
        guard let best else { return nil }
        turns += 1
        let link = LinkID(camera: candidates[best.index].address, adapter: best.adapter)
        candidates[best.index].lastTurn = turns
        candidates[best.index].phase = .connecting(link, since: now)
        return link
    }

    /// When a link's phase is over by itself.
    private func deadline(of index: Int, at now: Instant) -> Instant {
        guard case .connecting(let link, let since) = candidates[index].phase else {
            return candidates[index].phase.deadline
        }
        if isCautious { return since + Self.cautiousDeadline }
        let isContested = candidates.contains { other in
            other.eligible(at: now)
                && other.usableSightings(at: now).contains { $0.adapter == link.adapter }
        }
        return since + (isContested ? Self.contestedDeadline : Self.connectDeadline)
    }

    /// The best free adapter; the one that failed it last only where there is no other.
    private func adapter(for candidate: Candidate, at now: Instant) -> BluetoothAddress? {
        let usableSightings = candidate.usableSightings(at: now)
        let free = { (adapter: BluetoothAddress) -> Int? in
            busy(adapter) || reserved.contains(adapter) ? nil : linked(adapter)
        }
        let others = usableSightings.filter { $0.adapter != candidate.avoidedAdapter }
        return adapters.choose(among: others, pinned: candidate.pinned, at: now, linked: free)
            ?? adapters.choose(
                among: usableSightings, pinned: candidate.pinned, at: now, linked: free)
    }

    /// Whether a Connect under way there needs discovery on (field notes D7, D8).
    private func scansOn(_ adapter: BluetoothAddress, at now: Instant) -> Bool {
        candidates.contains { $0.phase.link?.adapter == adapter && now < accepted($0) }
    }

    /// When a Connect that needs discovery on needs it no more.
    private func accepted(_ candidate: Candidate) -> Instant {
        guard candidate.unknown >= Self.unknownBound,
            case .connecting(_, let since) = candidate.phase
        else { return .zero }
        return since + Self.acceptance
    }

    /// What is wanted of each adapter's scanning.
    private func demands(at now: Instant) -> [(BluetoothAddress, Discovery.Demand)] {
        var demands = adapters.members.map { adapter in
            (adapter.state.address, demand(adapter.state.address, at: now))
        }
        for index in demands.indices {
            let own = demands[index].1
            demands[index].1.sharers = demands.count {
                $0.1.usable && !$0.1.isFree && $0.1.expected == own.expected
            }
        }
        return demands
    }

    private func demand(_ adapter: BluetoothAddress, at now: Instant) -> Discovery.Demand {
        var demand = Discovery.Demand(
            usable: adapters.usable(adapter), settingUp: reserved.contains(adapter), links: 0,
            absent: admitsAny || pairing, expected: pairing, sharers: 1)
        for candidate in candidates {
            if let link = candidate.phase.link {
                guard link.adapter == adapter else { continue }
                if candidate.phase.settingUp { demand.settingUp = true }
                if candidate.phase.linked { demand.links += 1 }
            } else if candidate.wanted, !candidate.backoff.exhausted,
                candidate.pinned == nil || candidate.pinned == adapter
            {
                demand.absent = true
                if now - candidate.expected < Self.seeking { demand.expected = true }
            }
        }
        return demand
    }

    private func nextDeadline(after now: Instant) -> Instant {
        var next = Instant.never
        for (index, candidate) in candidates.enumerated() {
            next = min(next, deadline(of: index, at: now))
            if accepted(candidate) > now { next = min(next, accepted(candidate)) }
            if candidate.notBefore > now, candidate.wanted, candidate.phase == .idle,
                !candidate.backoff.exhausted,
                !candidate.usableSightings(at: candidate.notBefore).isEmpty
            {
                next = min(next, candidate.notBefore)
            }
        }
        guard !ending else { return next }
        next = min(next, adapters.nextDeadline(after: now))
        for (adapter, demand) in demands(at: now) {
            next = min(next, discovery.nextDeadline(adapter, demand))
        }
        return next
    }
}

/// What the queue wants done and what it has to tell, each in order.
package struct LinkEffects: Sendable {
    /// For the radio, in their order.
    package var requests: [RadioRequest] = []
    /// For the rig, in their order.
    package var news: [LinkNews] = []

    /// Nothing to do.
    package init() {}
}

/// What became of links and adapters.
package enum LinkNews: Equatable, Sendable {
    case opened(LinkID, LinkParameters)
    /// A link that was open is down.
    case closed(LinkID)
    /// An attempt came to nothing.
    case failed(LinkID, LinkFailure)
    case adapter(BluetoothAddress, AdapterSet.News)
}
