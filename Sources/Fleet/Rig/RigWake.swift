internal import Clock
internal import LineProtocol
internal import OsmoProtocol
internal import RadioPort

/// What the rig itself sees through for a camera: disconnects, and waking by broadcast.
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
        guard case .asleep(let since) = cameras[index].session.availability else {
            return notReady(index, ticket, at: now)
        }
        guard now - since <= CameraSession.wakeWindow else {
            effects += dispatch.finish(
                ticket, address, error: .timeout,
                words: "asleep for more than 30 minutes: only its own button wakes it", fields: [])
            return
        }
        pendingOperations.append(
            PendingOperation(
                ticket: ticket, address: address,
                goal: .wake(.queued, round: 1, shooting: shooting), deadline: now))
    }

    private mutating func awake(
        _ index: Int, _ ticket: Ticket, shooting: Bool, at now: Instant
    ) {
        if shooting {
            updateSession(index, .command(ticket, .key(.snapshot)), at: now)
        } else {
            effects += dispatch.finish(
                ticket, cameras[index].address, error: nil, words: nil,
                fields: [Field("state", "ready")])
        }
    }

    /// Goes on with every operation that can go on. One of them may end others.
    mutating func advancePendingOperations(at now: Instant) {
        for id in pendingOperations.map(\.id) {
            guard let operation = pendingOperations.first(where: { $0.id == id }),
                let index = index(of: operation.address)
            else { continue }
            switch operation.goal {
            case .disconnect: advanceDisconnect(operation, index, at: now)
            case .wake(let stage, let round, let shooting):
                advanceWake(operation, stage, round, shooting: shooting, index, at: now)
            }
        }
    }

    private mutating func advanceDisconnect(
        _ operation: PendingOperation, _ index: Int, at now: Instant
    ) {
        let down = queue[operation.address]?.phase == .idle
        guard down || operation.deadline <= now else { return }
        remove(operation)
        let words = "BlueZ has not ended the link"
        effects += dispatch.finish(
            operation.ticket, operation.address, error: down ? nil : .timeout,
            words: down ? nil : words, fields: [])
    }

    private mutating func advanceWake(
        _ operation: PendingOperation, _ stage: PendingOperation.Stage, _ round: Int,
        shooting: Bool, _ index: Int,
        at now: Instant
    ) {
        if cameras[index].session.cameraState == .ready {
            remove(operation)
            return awake(index, operation.ticket, shooting: shooting, at: now)
        }
        guard operation.deadline <= now else { return }
        switch stage {
        case .queued:
            broadcast(operation, round, shooting: shooting, index, at: now)
        case .broadcasting(let link):
            unreserve(link.adapter)
            fail(operation, .timeout, "the wake broadcast never ended")
        case .listening:
            let phase = queue[operation.address]?.phase ?? .idle
            if phase != .idle, cameras[index].session.cameraState != .asleep {
                fail(operation, .timeout, "it woke but did not become ready")
            } else if round < PendingOperation.rounds {
                broadcast(operation, round + 1, shooting: shooting, index, at: now)
            } else {
                fail(operation, .timeout, "it did not wake")
            }
        }
    }

    /// Begins a broadcast on the adapter that the camera knows, when that has none on the air.
    private mutating func broadcast(
        _ operation: PendingOperation, _ round: Int, shooting: Bool, _ index: Int, at now: Instant
    ) {
        let known = cameras[index].entry.adapter ?? cameras[index].adapter
        let any = queue.adapters.members.first { queue.adapters.usable($0) }?.state.address
        let adapter = known.flatMap { queue.adapters.usable($0) ? $0 : nil } ?? any
        guard let adapter else { return fail(operation, .notReady, "no adapter is usable") }
        guard !queue.reserved.contains(adapter), !queue.busy(adapter) else {
            update(
                operation, .wake(.queued, round: round, shooting: shooting),
                until: now + .seconds(1))
            return
        }
        let link = LinkID(camera: operation.address, adapter: adapter)
        queue.reserved.append(adapter)
        queueTouched = true
        // A scan is stopped first, as before a Connect.
        carryOut(queue.step(at: now), at: now)
        effects.append(.radio(.wake(link)))
        update(
            operation, .wake(.broadcasting(link), round: round, shooting: shooting),
            until: now + PendingOperation.broadcastBound)
    }

    mutating func wakeEnded(_ link: LinkID, _ outcome: WakeOutcome, at now: Instant) {
        unreserve(link.adapter)
        for id in pendingOperations.map(\.id) where id.address == link.camera {
            guard let operation = pendingOperations.first(where: { $0.id == id }),
                case .wake(.broadcasting(link), let round, let shooting) = operation.goal
            else { continue }
            switch outcome {
            case .sent:
                update(
                    operation, .wake(.listening, round: round, shooting: shooting),
                    until: now
                        + (round < PendingOperation.rounds
                            ? PendingOperation.answerBound : PendingOperation.readyBound))
            case .unsupported(let words): fail(operation, .unsupported, words)
            case .failed(let words): fail(operation, .notReady, words)
            }
        }
        queue.expect(link.camera, at: now)
    }

    private mutating func unreserve(_ adapter: BluetoothAddress) {
        queue.reserved.removeAll { $0 == adapter }
        queueTouched = true
    }

    private mutating func fail(_ operation: PendingOperation, _ code: ErrorCode, _ words: String) {
        remove(operation)
        effects += dispatch.finish(
            operation.ticket, operation.address, error: code, words: words, fields: [])
    }

    private mutating func remove(_ operation: PendingOperation) {
        pendingOperations.removeAll { $0.id == operation.id }
    }

    private mutating func update(
        _ operation: PendingOperation, _ goal: PendingOperation.Goal, until: Instant
    ) {
        let place = pendingOperations.firstIndex { $0.id == operation.id }
        guard let place else { return }
        pendingOperations[place].goal = goal
        pendingOperations[place].deadline = until
    }
}
