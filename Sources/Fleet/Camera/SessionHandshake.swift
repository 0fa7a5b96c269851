import Clock
import LineProtocol
import OsmoProtocol
import RadioPort

/// From an open link to the consent of the camera, and the link's end (protocol 3.1).
extension CameraSession {
    /// The link is open: step 1.
    mutating func open(
        _ parameters: LinkParameters, cameraNumber: Int, popup: Bool, at now: Instant
    ) {
        if state != .closed { linkClosed(at: now) }
        switch availability {
        case .refused, .unconfirmed:
            close(.notAskedAgain, at: now)
            return
        case .available: break
        case .asleep: availability = .available
        }
        link = parameters
        credit.needsProof = needsProof
        self.cameraNumber = cameraNumber
        // Four digits, none of them a leading zero that a display might swallow.
        let code = Int.random(in: 1000...9999, using: &generator)
        // Forced to ask, it asks, receipt or none (protocol 3.1: step 2 may be missing); otherwise
        // only a receipt tells one that asks from one that is dead.
        let handshake = Handshake(
            sequence: nextSequence(), code: code, popup: popup,
            until: now + (popup ? SessionTiming.tap : SessionTiming.receipt),
            asksAt: popup ? now + SessionTiming.consentGrace : nil)
        state = .handshake(handshake)
        let digits = UInt16(code)
        let request = ConnectionRequest(
            deviceID: identity.deviceID, address: identity.address,
            verification: popup ? .popup(code: digits) : .saved(code: digits))
        send(Frame(request, sequence: handshake.sequence).encoded)
    }

    /// The link is down: what belonged to it is forgotten, what it leaves behind is decided.
    mutating func linkClosed(at now: Instant) {
        endRunWithLink(at: now)
        if case .confirm = state { countTap() }
        switch state {
        case .handshake, .confirm, .identifying, .subscribing, .ready:
            lastError = prepareToClose ?? "link lost"
        // It sleeps, or we know why.
        case .asleep, .closing, .closed: break
        }
        state = .closed
        link = nil
        decoder.clear()
        credit = PushCredit()
        lastPush = nil
        lastPushed = .zero
        hasProven = false
        live = LiveStatus()
        lateAnswer = nil
        resends.clear()
        prepareToClose = nil
    }

    /// Step 2, or a stray answer.
    mutating func receive(_ receipt: ConnectionResponse, sequence: UInt16, at now: Instant) {
        guard let handshake, sequence == handshake.sequence, !handshake.isReceived else { return }
        guard receipt.code == .success else {
            refuse(at: now)
            return
        }
        var received = handshake
        received.isReceived = true
        received.until = now + SessionTiming.tap
        if case .confirm = state {
            state = .confirm(received)
        } else if received.popup {
            ask(received)
        } else {
            received.asksAt = now + SessionTiming.consentGrace
            state = .handshake(received)
        }
    }

    /// The handshake that waits for its step 3.
    private var handshake: Handshake? {
        switch state {
        case .handshake(let handshake), .confirm(let handshake): handshake
        case .closed, .identifying, .subscribing, .ready, .asleep, .closing: nil
        }
    }

    /// Step 3, in turn or out of it.
    mutating func receive(_ request: ConnectionRequest, sequence: UInt16, at now: Instant) {
        guard case .result(let decision) = request.verification else { return }
        switch state {
        case .closed, .closing, .asleep: return
        case .handshake, .confirm, .identifying, .subscribing, .ready: break
        }
        guard decision == ConnectionRequest.Verification.allowed.data else {
            refuse(at: now)
            return
        }
        let answer = ConnectionResponse(
            deviceID: identity.deviceID, cameraNumber: UInt32(cameraNumber))
        send(Frame(answer, sequence: sequence).encoded)
        switch state {
        case .handshake, .confirm: break
        // A camera that repeats step 3 missed our step 4.
        case .closed, .closing, .asleep, .identifying, .subscribing, .ready: return
        }
        taps = 0
        deviceID = request.deviceID
        model = CameraModel(deviceID: request.deviceID)
        state = .identifying(until: now + SessionTiming.version)
        outbox.append(.consented)
        queryVersion(at: now)
    }

    /// The camera has been taken to be asking its user.
    mutating func ask(_ handshake: Handshake) {
        taps += 1
        state = .confirm(handshake)
    }

    /// Nobody tapped in time.
    mutating func tapMissed(at now: Instant) {
        countTap()
        close(.noTap, at: now)
    }

    /// A tap was asked for in vain.
    private mutating func countTap() {
        if taps >= SessionTiming.taps { availability = .unconfirmed }
    }

    /// The camera, or the person at it, says no.
    private mutating func refuse(at now: Instant) {
        availability = .refused
        close(.refused, at: now)
    }

    /// A person wants it asked again.
    mutating func forgetRefusal() {
        switch availability {
        case .refused, .unconfirmed: availability = .available
        case .available, .asleep: break
        }
        taps = 0
        refusedModes = []
        lastError = nil
    }

    /// The rig is about to end the link.
    mutating func sayFarewell(_ words: String, at now: Instant) {
        failRun(.notReady, words, at: now)
        resends.clear()
        prepareToClose = words
    }

    /// Whether only answers show that pushes arrive: it has answered a query before, and is not known
    /// to stop answering while it streams.
    var needsProof: Bool { hasAnswered && unansweredLinks < SessionTiming.unansweredLinks }

    /// Asks for the version texts: an identity after the handshake, later a sign of life and a proof
    /// that what was sent before has arrived.
    mutating func queryVersion(at now: Instant) {
        querySequence = nextSequence()
        credit.ask(querySequence, at: now)
        outbox.append(.send(Frame(VersionQuery(), sequence: querySequence).encoded))
    }
}
