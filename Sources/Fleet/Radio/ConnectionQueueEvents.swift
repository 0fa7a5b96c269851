package import Clock
internal import OsmoProtocol
package import RadioPort

extension ConnectionQueue {
    /// Notes what the radio says. The caller has to call `step` afterwards.
    ///
    /// Notifications, dropped frames and wake broadcasts are ignored.
    package mutating func handle(_ event: RadioEvent, at now: Instant) -> LinkEffects {
        var effects = LinkEffects()
        switch event {
        case .available(let available):
            if !available { lostBlueZ(at: now, &effects) }
        case .adapter(let state):
            let news = adapters.update(state, at: now)
            if let news { effects.news.append(.adapter(state.address, news)) }
            discovery.reported(state.address, scans: state.discovering, at: now)
            if !state.powered || state.blocked { lost(state.address, at: now, &effects) }
        case .adapterGone(let address):
            guard adapters.remove(address) else { break }
            effects.news.append(.adapter(address, .gone))
            lost(address, at: now, &effects)
        case .sighting(let sighting):
            hear(sighting, at: now, &effects)
        case .connectEnded(let link, let outcome):
            connectEnded(link, outcome, at: now, &effects)
        case .linkOpen(let link, let parameters):
            opened(link, parameters, at: now, &effects)
        case .setupFailed(let link, let failure):
            guard let index = index(of: link.camera),
                case .opening(link, _) = candidates[index].phase
            else {
                effects.requests.append(.disconnect(link))
                break
            }
            setupFailed(index, link, .setup(failure), at: now, &effects)
        case .linkClosed(let link):
            closed(link, at: now, &effects)
        case .notification, .frameDropped, .wakeEnded, .adapterIgnored:
            break
        }
        return effects
    }

    // MARK: Sightings

    /// A camera that is none of ours was heard: the adapter is not deaf.
    package mutating func heardStranger(_ sighting: Sighting, at now: Instant) {
        if sighting.rssi != nil { discovery.heard(sighting.link.adapter, at: now) }
    }

    private mutating func hear(
        _ sighting: Sighting, at now: Instant, _ effects: inout LinkEffects
    ) {
        let adapter = sighting.link.adapter
        guard adapters.contains(adapter) else { return }
        if sighting.rssi != nil { discovery.heard(adapter, at: now) }
        guard let index = index(of: sighting.link.camera) else { return }
        guard sighting.rssi != nil || sighting.connected else {
            // What BlueZ merely remembers is not there.
            candidates[index].linkLeft(adapter)
            return
        }
        if sighting.connected, cameBackByItself(candidates[index], at: now) {
            effects.requests.append(.remove(sighting.link))
            return
        }
        let record = Candidate.SightingRecord(
            adapter: adapter, rssi: sighting.rssi, instant: now,
            scannedDuration: discovery.scannedDuration(adapter, at: now),
            connected: sighting.connected, valid: true)
        if let place = candidates[index].sightings.firstIndex(where: { $0.adapter == adapter }) {
            let before = candidates[index].sightings[place]
            candidates[index].sightings[place] = record
            if record.scannedDuration - before.scannedDuration < Self.silence { return }
        } else {
            candidates[index].sightings.append(record)
        }
        let comeback = candidates[index].lastEnd.map { $0 + Self.comebackPause } ?? now
        candidates[index].notBefore = min(candidates[index].notBefore, comeback)
    }

    /// Whether a link that we ended a moment ago, and want no more, came back by itself: bluetoothd
    /// connects cameras with a HID service again (Tests/Lab, `action-5-pro`), until it forgets them.
    private func cameBackByItself(_ candidate: Candidate, at now: Instant) -> Bool {
        guard !candidate.wanted, candidate.phase == .idle, let ended = candidate.lastEnd else {
            return false
        }
        return now - ended <= Self.selfConnectWindow
    }

    // MARK: Attempts

    private mutating func connectEnded(
        _ link: LinkID, _ outcome: ConnectOutcome, at now: Instant, _ effects: inout LinkEffects
    ) {
        let index = index(of: link.camera)
        let phase = index.map { candidates[$0].phase } ?? .idle
        guard let index, phase.link == link else {
            // Nobody's attempt, or one that was given up with its adapter.
            if outcome == .ok { effects.requests.append(.disconnect(link)) }
            return
        }
        if outcome == .ok { adapters.connected(link.adapter, at: now) }
        switch phase {
        case .connecting where outcome == .ok:
            candidates[index].phase = .opening(link, until: now + Self.setupDeadline)
            candidates[index].stale = 0
            candidates[index].unknown = 0
            if candidates[index].trusted { effects.requests.append(.trust(link)) }
        case .cancelling where outcome == .ok:
            close(index, link, at: now, &effects)
        case .connecting(_, let since):
            candidates[index].phase = .idle
            let isLate = now - since >= Self.kernelTimeout
            // A reply that never came this early means that bluetoothd died before it could answer.
            if isLate, [.aborted, .noReply].contains(outcome) { candidates[index].givenUp = now }
            if isLate, outcome == .aborted {
                unanswered(index, link, at: now, &effects)
            } else {
                attemptFailed(index, link, outcome, at: now, &effects)
            }
        case .cancelling:
            candidates[index].phase = .idle
            guard candidates[index].wanted else { break }
            unanswered(index, link, at: now, &effects)
        case .idle, .opening, .open, .closing:
            break
        }
    }

    /// It was heard and did not answer: the kernel gave up, or we did.
    private mutating func unanswered(
        _ index: Int, _ link: LinkID, at now: Instant, _ effects: inout LinkEffects
    ) {
        failed(index, link, .deadline, at: now, &effects)
        if adapters.wentUnanswered(link.adapter), linked(link.adapter) == 0 {
            effects.requests.append(.powerOff(adapter: link.adapter))
        }
    }

    private mutating func attemptFailed(
        _ index: Int, _ link: LinkID, _ outcome: ConnectOutcome, at now: Instant,
        _ effects: inout LinkEffects
    ) {
        switch outcome {
        case .ok:
            break
        case .aborted:
            repeatSoon(index, link, .connect(.aborted), at: now, &effects)
        case .inProgress:
            candidates[index].stale += 1
            if candidates[index].stale == 1 {
                effects.requests.append(.disconnect(link))
            } else if candidates[index].stale >= Self.staleBound {
                candidates[index].stale = 0
                effects.requests.append(.remove(link))
            }
            failed(index, link, .connect(outcome), at: now, &effects)
        case .unknownDevice:
            candidates[index].unknown += 1
            candidates[index].lastEnd = now
            candidates[index].error = outcome.words
            if candidates[index].unknown > Self.unknownBound {
                failed(index, link, .connect(outcome), at: now, &effects)
            } else {
                invalidateSighting(index, on: link.adapter)
                discovery.scanSoon(at: now)
                effects.news.append(.failed(link, .connect(outcome)))
            }
        case .adapterFull:
            candidates[index].error = outcome.words
            candidates[index].lastEnd = now
            let news = adapters.becameFull(
                link.adapter, links: linked(link.adapter), at: now)
            if let news { effects.news.append(.adapter(link.adapter, news)) }
            effects.news.append(.failed(link, .connect(outcome)))
        case .noReply:
            // Whatever came of it: BlueZ would hold it pending for minutes (field note D2).
            effects.requests.append(.disconnect(link))
            failed(index, link, .connect(outcome), at: now, &effects)
        case .denied:
            failed(index, link, .connect(outcome), at: now, &effects)
            candidates[index].notBefore = now + Backoff.ceiling
        case .notReady, .failed:
            failed(index, link, .connect(outcome), at: now, &effects)
        }
    }

    /// Transient in a crowded air: thrice at once, then like any failure.
    private mutating func repeatSoon(
        _ index: Int, _ link: LinkID, _ failure: LinkFailure, at now: Instant,
        _ effects: inout LinkEffects
    ) {
        candidates[index].aborts += 1
        guard candidates[index].aborts <= Self.quickRetries else {
            candidates[index].aborts = 0
            failed(index, link, failure, at: now, &effects)
            return
        }
        candidates[index].lastEnd = now
        candidates[index].error = failure.words
        candidates[index].notBefore = now + Self.quickPause
        effects.news.append(.failed(link, failure))
    }

    private mutating func failed(
        _ index: Int, _ link: LinkID, _ failure: LinkFailure, at now: Instant,
        _ effects: inout LinkEffects
    ) {
        candidates[index].error = failure.words
        candidates[index].avoidedAdapter = link.adapter
        adapters.failed(link.adapter, camera: link.camera, at: now)
        invalidateSighting(index, on: link.adapter)
        wait(index, at: now)
        effects.news.append(.failed(link, failure))
    }

    /// Counts a failure and waits longer than after the last one.
    mutating func wait(_ index: Int, at now: Instant) {
        candidates[index].lastEnd = now
        // That it was not heard while it was linked does not mean that it was gone.
        for place in candidates[index].sightings.indices {
            let adapter = candidates[index].sightings[place].adapter
            candidates[index].sightings[place].scannedDuration = discovery.scannedDuration(
                adapter, at: now)
        }
        if let pause = candidates[index].backoff.failed(using: &generator) {
            candidates[index].notBefore = now + pause
        }
        discovery.scanSoon(at: now)
    }

    /// Forgets the sighting: that adapter has to hear the camera again before another attempt.
    private mutating func invalidateSighting(_ index: Int, on adapter: BluetoothAddress) {
        guard
            let place = candidates[index].sightings.firstIndex(where: { $0.adapter == adapter })
        else { return }
        candidates[index].sightings[place].valid = false
    }

    // MARK: Links

    private mutating func opened(
        _ link: LinkID, _ parameters: LinkParameters, at now: Instant,
        _ effects: inout LinkEffects
    ) {
        guard let index = index(of: link.camera), candidates[index].wanted, !ending else {
            effects.requests.append(.disconnect(link))
            return
        }
        switch candidates[index].phase {
        case .opening(link, _), .connecting(link, _), .idle:
            // Idle: a Connect that had been given up succeeded after all (field note D14).
            if case .opening = candidates[index].phase {
            } else if candidates[index].trusted {
                effects.requests.append(.trust(link))
            }
            candidates[index].phase = .open(link)
            let open = candidates.count {
                $0.phase.isOpen && $0.phase.link?.adapter == link.adapter
            }
            adapters.proved(link.adapter, links: open)
            candidates[index].aborts = 0
            candidates[index].setupFailures = 0
            candidates[index].avoidedAdapter = nil
            candidates[index].lastAdapter = link.adapter
            candidates[index].invalidateSightings()
            effects.news.append(.opened(link, parameters))
        case .open(link):
            break
        case .cancelling(link, _), .closing(link, _, _):
            effects.requests.append(.disconnect(link))
        case .opening, .connecting, .open, .cancelling, .closing:
            // A second link by way of another adapter.
            effects.requests.append(.disconnect(link))
        }
    }

    private mutating func closed(
        _ link: LinkID, at now: Instant, _ effects: inout LinkEffects
    ) {
        guard let index = index(of: link.camera), candidates[index].phase.link == link else {
            return
        }
        let phase = candidates[index].phase
        switch phase {
        case .idle, .connecting, .cancelling:
            // The end of an older link: this attempt has its own end.
            return
        case .opening:
            candidates[index].phase = .idle
            repeatSoon(index, link, .lostInSetup, at: now, &effects)
        case .open, .closing:
            candidates[index].phase = .idle
            down(index, link, at: now, &effects)
        }
    }

    /// The link is over: what was put off until now is done.
    private mutating func down(
        _ index: Int, _ link: LinkID, at now: Instant, _ effects: inout LinkEffects
    ) {
        candidates[index].lastAdapter = link.adapter
        candidates[index].lastEnd = now
        effects.news.append(.closed(link))
        guard candidates[index].refresh, !candidates[index].leaving else { return }
        candidates[index].refresh = false
        effects.requests.append(.remove(link))
        if candidates[index].setupFailures >= Self.powerCycleBound, linked(link.adapter) == 0 {
            candidates[index].setupFailures = 0
            effects.requests.append(.powerOff(adapter: link.adapter))
        }
    }

    private mutating func setupFailed(
        _ index: Int, _ link: LinkID, _ failure: LinkFailure, at now: Instant,
        _ effects: inout LinkEffects
    ) {
        close(index, link, at: now, &effects)
        if case .setup(.mtu) = failure {
            // Finding it anew would not help.
        } else {
            candidates[index].setupFailures += 1
            candidates[index].refresh = candidates[index].setupFailures >= Self.setupBound
        }
        failed(index, link, failure, at: now, &effects)
    }

    private mutating func close(
        _ index: Int, _ link: LinkID, at now: Instant, _ effects: inout LinkEffects
    ) {
        candidates[index].phase = .closing(
            link, again: now + Self.disconnectPause, tries: Self.disconnectTries)
        effects.requests.append(.disconnect(link))
    }

    /// Ends whatever stands or is being made.
    mutating func end(_ index: Int, at now: Instant) -> [RadioRequest] {
        switch candidates[index].phase {
        case .idle, .cancelling, .closing:
            return []
        case .connecting(let link, _):
            candidates[index].phase = .cancelling(link, again: now + Self.disconnectPause)
            return [.disconnect(link)]
        case .opening(let link, _), .open(let link):
            candidates[index].phase = .closing(
                link, again: now + Self.disconnectPause, tries: Self.disconnectTries)
            return [.disconnect(link)]
        }
    }

    mutating func expire(_ index: Int, at now: Instant, _ effects: inout LinkEffects) {
        switch candidates[index].phase {
        case .idle, .open:
            break
        case .connecting(let link, _), .cancelling(let link, _):
            candidates[index].phase = .cancelling(link, again: now + Self.disconnectPause)
            effects.requests.append(.disconnect(link))
        case .opening(let link, _):
            setupFailed(index, link, .servicesDeadline, at: now, &effects)
        case .closing(let link, _, let tries):
            guard tries > 0 else {
                candidates[index].phase = .idle
                down(index, link, at: now, &effects)
                return
            }
            candidates[index].phase = .closing(
                link, again: now + Self.disconnectPause, tries: tries - 1)
            effects.requests.append(.disconnect(link))
        }
    }

    /// Lets go of those that leave and whose link is down.
    mutating func settleAll(_ effects: inout LinkEffects) {
        guard candidates.contains(where: { $0.leaving && $0.phase == .idle }) else { return }
        for candidate in candidates where candidate.leaving && candidate.phase == .idle {
            guard candidate.refresh else { continue }
            var known = candidate.sightings.map(\.adapter)
            if let last = candidate.lastAdapter, !known.contains(last) { known.append(last) }
            effects.requests += known.map {
                .remove(LinkID(camera: candidate.address, adapter: $0))
            }
        }
        candidates.removeAll { $0.leaving && $0.phase == .idle }
    }
}
