package import Clock
import OsmoProtocol

/// The GPS stream of this camera, and the signs of life that it lives on (decision 10).
extension CameraSession {
    /// Whether GPS streams at all: ready, and not about to sleep.
    @inline(__always) var streams: Bool {
        guard case .ready = state else { return false }
        return run?.step.silencesLink != true
    }

    /// Whether a GPS push would go out now: ready, not about to sleep, and credit left.
    package var mayPush: Bool { streams && credit.covers(rate: rate) }

    /// Asks whether this camera takes part in the push that goes out now, and counts it: as pushed or
    /// void when it does, as dropped when it is withheld for want of credit, not at all while the
    /// camera is not ready.
    ///
    /// - Returns: whether to write the frame to its link.
    package mutating func offer(_ kind: PushKind, at now: Instant) -> Bool {
        guard streams else { return false }
        let wasUnproven = credit.isUnproven
        let isPaid =
            switch kind {
            case .position, .void: credit.spend(rate: rate, at: now)
            case .lastVoid: credit.spendLast()
            }
        // The wait for proof begins with this push, whether it goes out or is withheld.
        defer { if credit.isUnproven, !wasUnproven { nextDeadline = deadline } }
        guard isPaid else {
            dropped += 1
            return false
        }
        lastPush = kind
        lastPushed = now
        switch kind {
        case .position: pushed += 1
        case .void, .lastVoid: voids += 1
        }
        return true
    }

    /// What its GPS stream does.
    package var gpsState: CameraGPSState {
        guard streams else { return .off }
        guard credit.covers(rate: rate) else { return .paused }
        return switch lastPush {
        case .position: .pushing
        case .void, .lastVoid: .void
        case nil: .off
        }
    }

    /// A frame was not taken: a push is taken back, anything else is tried again soon.
    mutating func frameDropped(_ bytes: [UInt8], at now: Instant) {
        guard let frame = try? Frame(datagram: bytes) else { return }
        if let push = frame.read(GPSPush.self) {
            credit.giveBack()
            dropped += 1
            if push.isVoid { voids = max(0, voids - 1) } else { pushed = max(0, pushed - 1) }
        } else {
            if !isQuery(frame) { credit.uncount() }
            if isStillWanted(frame) { resends.dropped(bytes, at: now) }
        }
    }

    /// Whether it is our own last version query, not the command `version`.
    private func isQuery(_ frame: Frame) -> Bool {
        frame.opcode == .version && frame.sequence == querySequence
    }

    /// Whether a frame that was not taken is still worth sending.
    private func isStillWanted(_ frame: Frame) -> Bool {
        guard prepareToClose == nil else { return false }
        if let run, frame.sequence == run.sequence, frame.opcode == run.step.opcode { return true }
        switch state {
        case .closed, .closing, .asleep: return false
        case .handshake(let handshake), .confirm(let handshake):
            return frame.opcode == .connection && frame.sequence == handshake.sequence
        case .identifying, .subscribing, .ready: break
        }
        guard run?.step.silencesLink != true else { return false }
        switch frame.opcode {
        case .connection: return frame.type.isResponse
        case .version: return frame.sequence == querySequence
        case .subscription: return true
        default: return false
        }
    }

    private mutating func resend(at now: Instant) {
        for bytes in resends.removeDue(at: now) {
            guard let frame = try? Frame(datagram: bytes), isStillWanted(frame) else { continue }
            if isQuery(frame) {
                // It was counted when it was asked.
                outbox.append(.send(bytes))
            } else if frame.sequence == run?.sequence, frame.opcode == run?.step.opcode {
                sendStep(at: now)
            } else {
                send(bytes)
            }
        }
    }
}

/// Subscription and readiness.
extension CameraSession {
    /// The version is known, or will not be.
    mutating func subscribeFirst(at now: Instant) {
        guard live.status == nil else {
            // A camera that kept our last subscription has already spoken.
            readyUnlessSilent(at: now)
            return
        }
        state = .subscribing(Subscribing(again: 0, next: now + SessionTiming.subscription))
        sendSubscription()
    }

    /// The first status came, or none will for now.
    mutating func becomeReady(at now: Instant) {
        timesReady += 1
        credit.forgetIntervals()
        lastError = nil
        state = .ready(Watching(since: now, subscribed: now, heard: true, queries: 0, queried: now))
        // The link that a restart ended is not this one.
        restarted = nil
    }

    private mutating func sendSubscription() {
        send(Frame(StatusSubscription(), sequence: nextSequence()).encoded)
    }

    private mutating func subscribeAgain(_ subscribing: Subscribing, at now: Instant) {
        guard subscribing.again >= SessionTiming.resubscriptions else {
            state = .subscribing(
                Subscribing(
                    again: subscribing.again + 1, next: now + SessionTiming.subscription))
            sendSubscription()
            // Old firmware pushes no status: only an answer shows that it is alive.
            if now - (credit.lastSign ?? .zero) >= SessionTiming.silence { queryVersion(at: now) }
            return
        }
        readyUnlessSilent(at: now)
    }

    /// Nothing more is waited for; but ready is not a camera that the watchdog would let go at once.
    private mutating func readyUnlessSilent(at now: Instant) {
        if let lastSign = credit.lastSign, now - lastSign >= watchdog {
            close(.silent, at: now)
        } else {
            becomeReady(at: now)
            sendSubscription()
        }
    }
}

/// Deadlines. Inlined: a function that is called is handed a copy of the whole session.
extension CameraSession {
    /// `nextDeadline`, as things stand.
    @inline(__always) var deadline: Instant? {
        var next = stateDeadline ?? .never
        if let run { next = min(next, run.deadline) }
        if waiting != nil, let unsettled { next = min(next, unsettled.until) }
        if let due = resends.next { next = min(next, due) }
        return next == .never ? nil : next
    }

    @inline(__always) private var stateDeadline: Instant? {
        switch state {
        case .closed, .asleep: wakeWindowEnd
        case .handshake(let handshake): min(handshake.until, handshake.asksAt ?? handshake.until)
        case .confirm(let handshake): handshake.until
        case .identifying(let until): until
        case .subscribing(let subscribing): subscribing.next
        case .ready(let watching): readyDeadline(watching)
        case .closing: nil
        }
    }

    /// When waking by broadcast stops being possible, until that has been reported.
    @inline(__always) private var wakeWindowEnd: Instant? {
        guard case .asleep(let since) = availability, !wakeWindowOver else { return nil }
        return since + SessionTiming.wakeWindow
    }

    /// The last sign of life of a ready camera.
    @inline(__always) private func lastSign(_ watching: Watching) -> Instant {
        credit.lastSign ?? watching.since
    }

    @inline(__always) private func watchdogEnd(_ watching: Watching) -> Instant {
        lastSign(watching) + watchdog
    }

    /// When the link is given up for want of an answer.
    @inline(__always) private func unansweredEnd(_ watching: Watching) -> Instant {
        guard credit.isUnproven, let since = credit.unansweredSince else { return .never }
        return max(since, watching.since) + watchdog
    }

    /// When to ask whether pushes arrive: twice a second, then 1, 2, 4, … s after each other while
    /// nothing is answered.
    @inline(__always) private func proofDue(_ watching: Watching) -> Instant {
        let maxDoublings = SessionTiming.silenceDoublings + 1
        let doublings = min(max(0, credit.pace - SessionTiming.steadyProofs), maxDoublings)
        let last = max(credit.lastQuery ?? watching.since, watching.since)
        return max(
            last + SessionTiming.proof * (1 << doublings),
            lastPushed + SessionTiming.proofAfterPush)
    }

    /// When to ask for a sign of life: 1, 2, 4, … s after the last, later every 64 s.
    @inline(__always) private func queryDue(_ watching: Watching) -> Instant {
        guard credit.coversQuery else { return .never }
        if credit.isUnproven { return proofDue(watching) }
        guard watching.queries > 0 else {
            let silence = max(lastSign(watching), watching.since) + SessionTiming.silence
            guard !credit.needsProof else { return silence }
            return min(
                silence, max(credit.lastQuery ?? .zero, watching.since) + SessionTiming.retrial)
        }
        let doublings = min(watching.queries - 1, SessionTiming.silenceDoublings)
        return watching.queried + SessionTiming.silence * (1 << doublings)
    }

    @inline(__always) private func subscriptionDue(_ watching: Watching) -> Instant {
        max(live.instant ?? watching.since, watching.subscribed) + SessionTiming.status
    }

    /// Whether nothing of ours but what is asked for may go out.
    @inline(__always) private var keepsQuiet: Bool {
        prepareToClose != nil || run?.step.silencesLink == true
    }

    @inline(__always) private func readyDeadline(_ watching: Watching) -> Instant {
        let watchdogEnd = watchdogEnd(watching)
        guard !keepsQuiet else { return watchdogEnd }
        let end = min(watchdogEnd, unansweredEnd(watching))
        return min(end, queryDue(watching), subscriptionDue(watching))
    }

    /// Does all that is due.
    mutating func wake(at now: Instant) {
        resend(at: now)
        if let run, run.deadline <= now { runExpired(at: now) }
        settle(nil, at: now)
        guard let deadline = stateDeadline, deadline <= now else { return }
        switch state {
        case .closed, .asleep:
            wakeWindowOver = true
            outbox.append(.stateChanged)
        case .handshake(let handshake):
            if handshake.asksAt == nil {
                close(.noReceipt, at: now)
            } else if handshake.until <= now {
                tapMissed(at: now)
            } else {
                ask(handshake)
            }
        case .confirm: tapMissed(at: now)
        case .identifying: subscribeFirst(at: now)
        case .subscribing(let subscribing): subscribeAgain(subscribing, at: now)
        case .ready(let watching): watchReady(watching, at: now)
        case .closing: break
        }
    }

    private mutating func watchReady(_ watching: Watching, at now: Instant) {
        var watching = watching
        if watchdogEnd(watching) <= now {
            close(.silent, at: now)
            return
        }
        guard !keepsQuiet else { return }
        if unansweredEnd(watching) <= now {
            if !hasProven { unansweredLinks += 1 }
            close(.unanswered, at: now)
            return
        }
        if queryDue(watching) <= now {
            let isSilent = now - max(lastSign(watching), watching.since) >= SessionTiming.silence
            if !credit.isUnproven, isSilent {
                watching.queries += 1
                watching.queried = now
            }
            queryVersion(at: now)
        }
        if subscriptionDue(watching) <= now {
            // Nothing is added to a link that has not moved since the last one.
            if watching.heard, credit.covers(rate: rate) { sendSubscription() }
            watching.subscribed = now
            watching.heard = false
        }
        state = .ready(watching)
    }
}
