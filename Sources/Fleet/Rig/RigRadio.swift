internal import Clock
internal import LineProtocol
internal import OsmoProtocol
internal import RadioPort

/// What the radio says, and what cameras say over it.
extension Rig {
    mutating func hear(_ event: RadioEvent, at now: Instant) {
        switch event {
        case .notification(let link, let bytes):
            guard let index = index(of: link) else { return }
            updateSession(index, .notification(bytes), at: now)
        case .frameDropped(let link, let frame):
            guard let index = index(of: link) else { return }
            untake(index, frame)
            updateSession(index, .frameDropped(frame), at: now)
        case .wakeEnded(let link, let outcome):
            wakeEnded(link, outcome, at: now)
        case .sighting(let sighting):
            see(sighting, at: now)
        case .adapterIgnored(let address, let name, let inUse):
            let reason = Field("reason", "\(inUse) has the same address and is used")
            let fields = [Field("state", "ignored"), Field("hci", name), reason]
            note(.adapter, address.description, fields, at: now)
        case .available, .adapter, .adapterGone, .connectEnded, .linkOpen, .setupFailed,
            .linkClosed:
            carryOut(queue.handle(event, at: now), at: now)
            queueTouched = true
            statesTouched = true
        }
    }

    /// The camera that talks over that link.
    private func index(of link: LinkID) -> Int? {
        // A closure would be given a copy of each camera, session and all.
        for index in cameras.indices where cameras[index].link == link { return index }
        return nil
    }

    // MARK: Sightings

    private mutating func see(_ sighting: Sighting, at now: Instant) {
        let address = sighting.link.camera
        guard let index = index(of: address) ?? admitAny(sighting, at: now) else {
            queue.heardStranger(sighting, at: now)
            strangers.hear(sighting, at: now)
            if let window, window.proposal == nil { advancePairWindow(at: now) }
            return
        }
        if let rssi = sighting.rssi { cameras[index].rssi = rssi }
        if cameras[index].pairing { strangers.hear(sighting, at: now) }
        switch sighting.advertisement {
        case .supported(let model):
            cameras[index].advertised = model
            setUnsupported(index, nil, at: now)
        case .unsupported(let kind):
            setUnsupported(index, kind, at: now)
        case .notACamera:
            // BlueZ holds the device and has lost its manufacturer data.
            break
        }
        carryOut(queue.handle(.sighting(sighting), at: now), at: now)
        queueTouched = true
        statesTouched = true
    }

    private mutating func setUnsupported(_ index: Int, _ kind: String?, at now: Instant) {
        guard cameras[index].unsupported != kind else { return }
        cameras[index].unsupported = kind
        applyWish(index, at: now)
    }

    /// Tells the queue whether a link to the camera is wanted.
    mutating func applyWish(_ index: Int, at now: Instant) {
        let requests = queue.want(cameras[index].wanted, cameras[index].address, at: now)
        effects += requests.map { .radio($0) }
        queueTouched = true
        statesTouched = true
    }

    // MARK: Links

    /// Sends the queue's requests on and takes its news.
    mutating func carryOut(_ outcome: LinkEffects, at now: Instant) {
        effects += outcome.requests.map { .radio($0) }
        for news in outcome.news {
            switch news {
            case .opened(let link, let parameters): opened(link, parameters, at: now)
            case .closed(let link): closed(link, at: now)
            case .failed(let link, let failure): attemptFailed(link, failure, at: now)
            case .adapter(let address, let news): note(address, news, at: now)
            }
            statesTouched = true
        }
    }

    private mutating func attemptFailed(
        _ link: LinkID, _ failure: LinkFailure, at now: Instant
    ) {
        guard let index = index(of: link.camera) else { return }
        cameras[index].adapter = link.adapter
        cameras[index].lastError = (failure.words, now)
    }

    private mutating func opened(_ link: LinkID, _ parameters: LinkParameters, at now: Instant) {
        guard let index = index(of: link.camera) else { return }
        cameras[index].link = link
        cameras[index].adapter = link.adapter
        cameras[index].dismissed = false
        cameras[index].error = nil
        let pairing = cameras[index].pairing
        let number = roster.handshakeNumber(
            link.camera, joining: pairing ? cameras[index].entry.number : nil)
        updateSession(
            index,
            .linkOpen(
                parameters, cameraNumber: number, popup: pairing), at: now)
    }

    private mutating func closed(_ link: LinkID, at now: Instant) {
        guard let index = index(of: link.camera), cameras[index].link == link else { return }
        let readySince = cameras[index].readySince
        let expected = cameras[index].session.expectsLinkLoss(at: now)
        cameras[index].link = nil
        cameras[index].readySince = nil
        queueTouched = true
        guard updateSession(index, .linkClosed, at: now), ending == nil else { return }
        if cameras[index].dismissed || expected {
            // Asleep it does not advertise; otherwise it is back as soon as it may be.
            if cameras[index].session.cameraState != .asleep { queue.expect(link.camera, at: now) }
            return
        }
        let words = cameras[index].error ?? "link lost"
        cameras[index].lastError = (words, now)
        if let readySince {
            note(.alarm, cameras[index].entry.name, [Field("reason", "lost")], at: now)
            if now - readySince >= RigCamera.steady {
                queue.clear(link.camera, at: now)
                return
            }
        }
        queue.recordFailure(link.camera, words, at: now)
    }

    // MARK: Sessions

    /// Puts one input to a camera's session and does what it says.
    ///
    /// - Returns: whether the camera still is where it was: it can leave the rig by what it says.
    @discardableResult
    mutating func updateSession(_ index: Int, _ input: SessionInput, at now: Instant) -> Bool {
        let address = cameras[index].address
        let outcome = cameras[index].session.handle(input, at: now)
        keepDeadline(of: index)
        for effect in outcome {
            // A stranger that refused is gone.
            guard let index = self.index(of: address) else { return false }
            carryOut(effect, of: index, at: now)
        }
        return cameras.indices.contains(index) && cameras[index].address == address
    }

    private mutating func carryOut(_ effect: SessionEffect, of index: Int, at now: Instant) {
        let name = cameras[index].entry.name
        switch effect {
        case .send(let frame):
            guard let link = cameras[index].link else { return }
            effects.append(.radio(.write(link, frame: frame)))
        case .closeLink(let reason):
            endLink(index, reason, at: now)
        case .commandDone(let ticket, let outcome):
            finish(ticket, index, outcome, at: now)
        case .consented:
            confirmPairing(index, at: now)
        case .notice(let kind, let fields):
            auto.touch()
            let explained = withCause(fields, kind, of: cameras[index].address, at: now)
            note(kind, name, explained, at: now)
        case .recordingStopped(let cause):
            auto.touch()
            recordingStopped(index, cause, at: now)
        case .stateChanged:
            auto.touch()
            statesTouched = true
            stateChanged(index, at: now)
        }
    }

    private mutating func endLink(_ index: Int, _ reason: CloseReason, at now: Instant) {
        cameras[index].error = reason.words
        switch reason {
        case .awake: cameras[index].dismissed = true
        case .noReceipt, .noTap, .refused, .silent, .unanswered, .notAskedAgain: break
        }
        let requests = queue.close(cameras[index].address, at: now)
        effects += requests.map { .radio($0) }
        applyWish(index, at: now)
    }

    private mutating func stateChanged(_ index: Int, at now: Instant) {
        switch cameras[index].session.cameraState {
        case .ready:
            guard cameras[index].readySince == nil else { return }
            cameras[index].readySince = now
        case .confirm:
            replyCode(index, at: now)
        case .refused:
            refusePairing(index, at: now)
        case .asleep:
            cameras[index].readySince = nil
        case .handshake, .listed, .absent, .connecting, .backoff, .unsupported, nil:
            break
        }
    }

    private mutating func recordingStopped(_ index: Int, _ cause: StopCause, at now: Instant) {
        switch cause {
        case .command, .card, .hot:
            // Asked for, or reported by the session already.
            return
        case .camera, .unseen: break
        }
        let others = cameras.indices.contains {
            $0 != index && cameras[$0].session.isRecording == true
        }
        guard others else { return }
        note(.alarm, cameras[index].entry.name, [Field("reason", "stopped")], at: now)
    }
}
