internal import Clock
internal import LineProtocol
internal import OsmoProtocol
internal import RadioPort

/// A part of a command that the rig itself sees through for one camera.
package struct Errand: Sendable {
    /// For how long the end of a link is awaited before `disconnect` answers `timeout`.
    static let disconnectBound = TimeSpan.seconds(5)
    /// A broadcast that never ends (an adapter holding a Create Connection answers late).
    static let broadcastBound = TimeSpan.seconds(12)
    /// From the end of a broadcast to the camera's advertisement (protocol 3.9).
    static let answerBound = TimeSpan.seconds(8)
    /// From there to a camera that is ready.
    static let readyBound = TimeSpan.seconds(30)
    /// Broadcasts before the camera counts as not to be woken.
    static let rounds = 3

    /// What is awaited.
    enum Aim: Equatable, Sendable {
        /// The link is to be down.
        case disconnect
        /// The camera is to be woken, and to take a picture then where `shooting`.
        case wake(Stage, round: Int, shooting: Bool)
    }

    /// How far waking is.
    enum Stage: Equatable, Sendable {
        /// For an adapter that broadcasts nothing else.
        case queued
        case broadcasting(LinkID)
        case listening
    }

    let ticket: Ticket
    let address: BluetoothAddress
    var aim: Aim
    var deadline: Instant
}

extension Rig {
    /// Wakes a sleeping camera by broadcast; one that is ready needs none.
    mutating func wake(
        _ index: Int, _ command: FleetCommand, _ ticket: Ticket, at now: Instant
    ) {
        let address = cameras[index].address
        let shooting = command == .snapshot
        if cameras[index].session.cameraState == .ready {
            return awake(index, ticket, shooting: shooting, at: now)
        }
        guard case .asleep(let since) = cameras[index].session.standing else {
            return notReady(index, ticket, at: now)
        }
        guard now - since <= CameraSession.wakeWindow else {
            effects += dispatch.finish(
                ticket, address, error: .timeout,
                words: "asleep for more than 30 minutes: only its own button wakes it", fields: [])
            return
        }
        errands.append(
            Errand(
                ticket: ticket, address: address,
                aim: .wake(.queued, round: 1, shooting: shooting), deadline: now))
    }

    private mutating func awake(
        _ index: Int, _ ticket: Ticket, shooting: Bool, at now: Instant
    ) {
        if shooting {
            converse(index, .command(ticket, .key(.snapshot)), at: now)
        } else {
            effects += dispatch.finish(
                ticket, cameras[index].address, error: nil, words: nil,
                fields: [Field("state", "ready")])
        }
    }

    /// Goes on with every errand that can go on.
    mutating func attendErrands(at now: Instant) {
        for errand in errands {
            guard let index = index(of: errand.address) else { continue }
            switch errand.aim {
            case .disconnect: attendDisconnect(errand, index, at: now)
            case .wake(let stage, let round, let shooting):
                attendWake(errand, stage, round, shooting: shooting, index, at: now)
            }
        }
    }

    private mutating func attendDisconnect(_ errand: Errand, _ index: Int, at now: Instant) {
        let down = queue[errand.address]?.phase == .idle
        guard down || errand.deadline <= now else { return }
        remove(errand)
        let words = "BlueZ has not ended the link"
        effects += dispatch.finish(
            errand.ticket, errand.address, error: down ? nil : .timeout,
            words: down ? nil : words, fields: [])
    }

    private mutating func attendWake(
        _ errand: Errand, _ stage: Errand.Stage, _ round: Int, shooting: Bool, _ index: Int,
        at now: Instant
    ) {
        if cameras[index].session.cameraState == .ready {
            remove(errand)
            return awake(index, errand.ticket, shooting: shooting, at: now)
        }
        guard errand.deadline <= now else { return }
        switch stage {
        case .queued:
            broadcast(errand, round, shooting: shooting, index, at: now)
        case .broadcasting(let link):
            unreserve(link.adapter)
            fail(errand, .timeout, "the wake broadcast never ended")
        case .listening:
            let phase = queue[errand.address]?.phase ?? .idle
            if phase != .idle, cameras[index].session.cameraState != .asleep {
                fail(errand, .timeout, "it woke but did not become ready")
            } else if round < Errand.rounds {
                broadcast(errand, round + 1, shooting: shooting, index, at: now)
            } else {
                fail(errand, .timeout, "it did not wake")
            }
        }
    }

    /// Begins a broadcast on the adapter that the camera knows, when that has none on the air.
    private mutating func broadcast(
        _ errand: Errand, _ round: Int, shooting: Bool, _ index: Int, at now: Instant
    ) {
        let known = cameras[index].entry.adapter ?? cameras[index].adapter
        let any = queue.adapters.members.first { queue.adapters.usable($0) }?.state.address
        let adapter = known.flatMap { queue.adapters.usable($0) ? $0 : nil } ?? any
        guard let adapter else { return fail(errand, .notReady, "no adapter is usable") }
        guard !queue.reserved.contains(adapter), !queue.busy(adapter) else {
            update(
                errand, .wake(.queued, round: round, shooting: shooting), until: now + .seconds(1))
            return
        }
        let link = LinkID(camera: errand.address, adapter: adapter)
        queue.reserved.append(adapter)
        queueTouched = true
        // What is looked for is stopped first, as before a Connect.
        carryOut(queue.step(at: now), at: now)
        effects.append(.radio(.wake(link)))
        update(
            errand, .wake(.broadcasting(link), round: round, shooting: shooting),
            until: now + Errand.broadcastBound)
    }

    mutating func wakeEnded(_ link: LinkID, _ outcome: WakeOutcome, at now: Instant) {
        unreserve(link.adapter)
        for errand in errands where errand.address == link.camera {
            guard case .wake(.broadcasting(link), let round, let shooting) = errand.aim else {
                continue
            }
            switch outcome {
            case .sent:
                update(
                    errand, .wake(.listening, round: round, shooting: shooting),
                    until: now + (round < Errand.rounds ? Errand.answerBound : Errand.readyBound))
            case .unsupported(let words): fail(errand, .unsupported, words)
            case .failed(let words): fail(errand, .notReady, words)
            }
        }
        queue.seek(link.camera, at: now)
    }

    private mutating func unreserve(_ adapter: BluetoothAddress) {
        queue.reserved.removeAll { $0 == adapter }
        queueTouched = true
    }

    private mutating func fail(_ errand: Errand, _ code: ErrorCode, _ words: String) {
        remove(errand)
        effects += dispatch.finish(
            errand.ticket, errand.address, error: code, words: words, fields: [])
    }

    private mutating func remove(_ errand: Errand) {
        errands.removeAll { $0.ticket == errand.ticket && $0.address == errand.address }
    }

    private mutating func update(_ errand: Errand, _ aim: Errand.Aim, until: Instant) {
        let place = errands.firstIndex {
            $0.ticket == errand.ticket && $0.address == errand.address
        }
        guard let place else { return }
        errands[place].aim = aim
        errands[place].deadline = until
    }
}
