internal import Clock
internal import LineProtocol
internal import OsmoProtocol
internal import RadioPort

/// Who may join the roster: by the pair window, or by being in range where `admit = any`.
extension Rig {
    // MARK: The pair window

    mutating func openWindow(_ span: TimeSpan, _ ticket: Ticket, at now: Instant) {
        guard window == nil else {
            return end(ticket, .busy, "a pair window is open already")
        }
        guard roster.lowestFreeNumber != nil else {
            return end(ticket, .busy, "the roster is full: \(Roster.bound) cameras")
        }
        window = PairWindow(ticket: ticket, span: span, at: now)
        queue.pairing = true
        queueTouched = true
    }

    /// Chooses a camera when there is one, and ends the window when its time is over.
    mutating func advancePairWindow(at now: Instant) {
        guard let window else { return }
        if now >= window.end {
            let words =
                window.proposal == nil
                ? "no new camera heard: turn it on, close DJI's app"
                : "nobody confirmed in time: tap the camera when it asks"
            return closeWindow(.error(.timeout, words), at: now)
        }
        guard case .scanning(let until) = window.phase else { return }
        self.window?.listen(at: now)
        guard until <= now, let stranger = strangers.strongest(at: now) else { return }
        propose(stranger, at: now)
    }

    private mutating func propose(_ stranger: Strangers.Stranger, at now: Instant) {
        guard let number = roster.lowestFreeNumber else { return }
        let name = roster.proposedName(stranger.model, stranger.address)
        guard queue.admit(stranger.address, pinned: nil, trusted: false, at: now) else { return }
        var camera = RigCamera(
            entry: RosterEntry(
                name: name, number: number, address: stranger.address, source: .paired),
            settings: settings, generator: generator.fork(), at: now)
        camera.pairing = true
        camera.advertised = stranger.model
        camera.rssi = stranger.rssi
        cameras.append(camera)
        window?.ask(PairWindow.Proposal(address: stranger.address, name: name, number: number))
        let heard = Sighting(
            link: LinkID(camera: stranger.address, adapter: stranger.adapter),
            advertisement: stranger.advertisement, rssi: stranger.rssi)
        carryOut(queue.handle(.sighting(heard), at: now), at: now)
        queueTouched = true
        statesTouched = true
    }

    /// Somebody must tap the camera: whoever asked for the window gets the code.
    mutating func replyCode(_ index: Int, at now: Instant) {
        guard let code = cameras[index].session.confirmCode, let window,
            let proposal = window.proposal, proposal.address == cameras[index].address,
            proposal.code != code
        else { return }
        self.window?.replied(code)
        effects.append(
            .reply(
                window.ticket,
                ReplyLine(
                    kind: "pairing", name: proposal.name,
                    fields: [Field("code", Self.digits(code))])))
    }

    mutating func confirmPairing(_ index: Int, at now: Instant) {
        guard let window, window.proposal?.address == cameras[index].address else { return }
        if cameras[index].pairing {
            guard join(index) else {
                let words = "the roster is full: \(Roster.bound) cameras"
                return closeWindow(.error(.busy, words), at: now)
            }
        }
        let entry = cameras[index].entry
        effects.append(
            .reply(
                window.ticket,
                ReplyLine(
                    kind: "pair", name: entry.name,
                    fields: [Field("result", "ok"), Field("number", String(entry.number))])))
        closeWindow(.ok, at: now)
    }

    /// Puts the camera that was paired on the roster; under another name or number where a reload or
    /// `admit = any` has given the proposed one away since.
    ///
    /// - Returns: whether there is room.
    private mutating func join(_ index: Int) -> Bool {
        var entry = cameras[index].entry
        if roster.entries.contains(where: { $0.number == entry.number }) {
            guard let number = roster.lowestFreeNumber else { return false }
            entry.number = number
        }
        if roster.entries.contains(where: { $0.name == entry.name }) {
            entry.name = roster.proposedName(cameras[index].advertised, entry.address)
        }
        guard roster.add(entry) else { return false }
        cameras[index].entry = entry
        cameras[index].pairing = false
        settings.roster = roster.entries
        strangers.remove(entry.address)
        turnedAway.removeAll { $0 == entry.address }
        effects += queue.trust(entry.address).map { .radio($0) }
        effects.append(.saveRoster(roster.kept))
        return true
    }

    mutating func refusePairing(_ index: Int, at now: Instant) {
        guard let window, window.proposal?.address == cameras[index].address else { return }
        strangers.refused(cameras[index].address, until: window.end)
        closeWindow(
            .error(.refused, "\(cameras[index].entry.name): refused on the camera"), at: now)
    }

    mutating func closeWindow(_ end: ReplyEnd, at now: Instant) {
        guard let window else { return }
        self.window = nil
        queue.pairing = false
        queueTouched = true
        effects.append(.replyEnd(window.ticket, end))
        guard let address = window.proposal?.address, let index = index(of: address),
            cameras[index].pairing
        else { return }
        dismiss(index, removing: true, error: .notReady, words: "not paired", at: now)
    }

    // MARK: admit = any

    /// Lets a camera in that is in range, where the configuration says so.
    mutating func admitAny(_ sighting: Sighting, at now: Instant) -> Int? {
        // A link that a killed run left behind has no signal strength: it does not advertise.
        guard settings.admission == .any, ending == nil,
            sighting.rssi != nil || sighting.connected,
            case .supported(let model) = sighting.advertisement,
            !turnedAway.contains(sighting.link.camera)
        else { return nil }
        if roster.lowestFreeNumber == nil { evict(at: now) }
        guard let number = roster.lowestFreeNumber else { return nil }
        let address = sighting.link.camera
        let entry = RosterEntry(
            name: roster.proposedName(model, address), number: number, address: address,
            source: .admitted)
        guard enrol(entry, at: now) else { return nil }
        strangers.remove(address)
        return index(of: address)
    }

    /// Makes room: the admitted camera that has been away longest goes.
    private mutating func evict(at now: Instant) {
        let away = cameras.indices.filter {
            cameras[$0].entry.source == .admitted && cameras[$0].state == .absent
        }
        guard let oldest = away.min(by: { cameras[$0].stateSince < cameras[$1].stateSince })
        else { return }
        dismiss(oldest, removing: false, error: .noCamera, words: "gone", at: now)
    }
}
