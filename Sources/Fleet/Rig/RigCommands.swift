internal import Clock
internal import LineProtocol
import Navigation
internal import OsmoProtocol

/// Commands: who they are for, and what becomes of them.
extension Rig {
    mutating func begin(
        _ command: FleetCommand, for target: Target, _ ticket: Ticket, at now: Instant
    ) {
        guard ending == nil else {
            return end(ticket, .notReady, "geotagd is ending")
        }
        if case .pair(let span) = command { return openWindow(span, ticket, at: now) }
        let entries: [RosterEntry]
        do throws(UnknownTarget) {
            entries = try target.resolve(among: roster.entries)
        } catch {
            return end(ticket, .noCamera, error.words)
        }
        guard !dispatch.isFull else {
            return end(ticket, .busy, "\(CommandDispatch.bound) commands are under way")
        }
        switch command {
        case .forget: forget(entries, ticket, at: now)
        case .rename(let name): rename(entries, to: name, ticket)
        case .connect, .disconnect, .reconnect, .wake, .snapshot, .record, .photo, .mode,
            .modeCode, .key, .sleep, .forcedSleep, .restart, .raw, .version, .timedStart:
            // A fleet's toggle must not drive cameras apart that have come to differ.
            let command = entries.count > 1 ? together(command, entries) : command
            var due: Instant?
            if case .timedStart(let utc) = command {
                due = dueInstant(of: utc, ticket, at: now)
                guard due != nil else { return }
            }
            if command == .record(.stop) { cancelTimedStarts(of: entries.map(\.address)) }
            let inRosterOrder = roster.entries.filter { entry in
                entries.contains { $0.address == entry.address }
            }
            takeOver(command, inRosterOrder.map(\.address), at: now)
            dispatch.begin(
                ticket, verb: command.verb.name, inRosterOrder.map { ($0.address, $0.name) },
                due: due)
            if case .timedStart(let utc) = command, let due {
                return timedStarts.add(
                    TimedStarts.Start(
                        ticket: ticket, utc: utc, due: due, cameras: inRosterOrder.map(\.address)))
            }
            for entry in entries {
                guard let index = index(of: entry.address) else { continue }
                order(command, index, ticket, at: now)
            }
        case .pair: break
        }
    }

    private func together(_ command: FleetCommand, _ entries: [RosterEntry]) -> FleetCommand {
        guard command == .record(.toggle) else { return command }
        let records = cameras.contains { camera in
            camera.session.isRecording == true
                && entries.contains { $0.address == camera.address }
        }
        return .record(records ? .stop : .start)
    }

    /// Starts a command for one camera; its result comes at once or later.
    mutating func order(
        _ command: FleetCommand, _ index: Int, _ ticket: Ticket, at now: Instant
    ) {
        switch command {
        case .connect: connect(index, ticket, at: now)
        case .disconnect: disconnect(index, ticket, at: now)
        case .reconnect: reconnect(index, ticket, at: now)
        case .wake, .snapshot: wake(index, command, ticket, at: now)
        default:
            guard let camera = CameraCommand(command) else { return }
            guard cameras[index].link != nil else { return notReady(index, ticket, at: now) }
            updateSession(index, .command(ticket, camera), at: now)
        }
    }

    /// The camera cannot do anything now: `absent` where that is no error.
    mutating func notReady(_ index: Int, _ ticket: Ticket, at now: Instant) {
        settleStates(at: now)
        let camera = cameras[index]
        if camera.entry.optional, camera.state == .absent {
            effects += dispatch.finish(
                ticket, camera.address, error: nil, words: nil, fields: [], result: "absent")
            return
        }
        let code: ErrorCode =
            switch camera.state {
            case .unsupported: .unsupported
            case .refused: .refused
            case .listed, .absent, .connecting, .handshake, .confirm, .ready, .asleep, .backoff:
                .notReady
            }
        let complaint = camera.complaint(queue[camera.address], queue.adapters)
        let words = complaint.map { "\(camera.state.rawValue): \($0)" } ?? camera.state.rawValue
        effects += dispatch.finish(ticket, camera.address, error: code, words: words, fields: [])
    }

    /// A session is done with a command.
    mutating func finish(
        _ ticket: Ticket, _ index: Int, _ outcome: CameraOutcome, at now: Instant
    ) {
        if ending != nil { endingAnswered(ticket, cameras[index].address, at: now) }
        var fields: [Field] = []
        for (stem, instant) in [("sent", outcome.sent), ("confirmed", outcome.confirmed)] {
            guard let instant else { continue }
            if let utc = pushes.source.utc(at: instant) ?? clock.utc(at: instant) {
                fields.append(Field("\(stem)_utc", LineText.instant(utc)))
            }
            fields.append(Field("\(stem)_mono", LineText.seconds(instant)))
        }
        effects += dispatch.finish(
            ticket, cameras[index].address, error: outcome.error, words: outcome.words,
            fields: fields + outcome.fields, sent: outcome.sent)
    }

    mutating func end(_ ticket: Ticket, _ code: ErrorCode, _ words: String) {
        effects.append(.replyEnd(ticket, .error(code, words)))
    }

    private mutating func done(_ index: Int, _ ticket: Ticket) {
        effects += dispatch.finish(
            ticket, cameras[index].address, error: nil, words: nil,
            fields: [Field("state", cameras[index].state.rawValue)])
    }

    // MARK: Links

    private mutating func connect(_ index: Int, _ ticket: Ticket, at now: Instant) {
        cameras[index].held = false
        guard cameras[index].wanted else { return notReady(index, ticket, at: now) }
        if cameras[index].link == nil { queue.clear(cameras[index].address, at: now) }
        applyWish(index, at: now)
        settleStates(at: now)
        done(index, ticket)
    }

    private mutating func disconnect(_ index: Int, _ ticket: Ticket, at now: Instant) {
        cameras[index].held = true
        let idle = queue[cameras[index].address]?.phase == .idle
        leave(index, "disconnected by command", at: now)
        settleStates(at: now)
        if idle { return done(index, ticket) }
        pendingOperations.append(
            PendingOperation(
                ticket: ticket, address: cameras[index].address, goal: .disconnect,
                deadline: now + PendingOperation.disconnectBound))
    }

    private mutating func reconnect(_ index: Int, _ ticket: Ticket, at now: Instant) {
        cameras[index].held = false
        leave(index, "reconnected by command", at: now)
        updateSession(index, .forgetRefusal, at: now)
        effects += queue.close(cameras[index].address, at: now).map { .radio($0) }
        queue.clear(cameras[index].address, at: now)
        applyWish(index, at: now)
        settleStates(at: now)
        done(index, ticket)
    }

    /// Says goodbye to a camera whose link we end, and ends it where it is not wanted.
    private mutating func leave(_ index: Int, _ words: String, at now: Instant) {
        cameras[index].dismissed = true
        if cameras[index].link != nil { updateSession(index, .prepareToClose(words), at: now) }
        applyWish(index, at: now)
    }

    // MARK: The roster

    private mutating func forget(_ entries: [RosterEntry], _ ticket: Ticket, at now: Instant) {
        if let fixed = entries.first(where: { $0.source == .configuration }) {
            return end(ticket, .badArgument, configured(fixed))
        }
        dispatch.begin(ticket, verb: "forget", entries.map { ($0.address, $0.name) })
        for entry in entries {
            guard let index = index(of: entry.address) else { continue }
            effects += dispatch.finish(
                ticket, entry.address, error: nil, words: nil, fields: [])
            dismiss(index, removing: true, error: .noCamera, words: "forgotten", at: now)
            turnAway(entry.address)
        }
        effects.append(.saveRoster(roster.kept))
    }

    private mutating func turnAway(_ address: BluetoothAddress) {
        if turnedAway.count == Self.turnedAwayBound { turnedAway.removeFirst() }
        turnedAway.append(address)
    }

    private mutating func rename(_ entries: [RosterEntry], to name: String, _ ticket: Ticket) {
        guard entries.count == 1, let entry = entries.first, let index = index(of: entry.address)
        else {
            return end(ticket, .badArgument, "rename takes one camera and its new name")
        }
        guard entry.source != .configuration else {
            return end(ticket, .badArgument, configured(entry))
        }
        guard CameraName.isValid(name) else {
            return end(
                ticket, .badArgument,
                "\(name): 1 to \(CameraName.maxLength) of A-Z a-z 0-9 . _ -, not all, not digits")
        }
        guard !roster.entries.contains(where: { $0.name == name && $0.address != entry.address })
        else { return end(ticket, .badArgument, "another camera is called \(name)") }
        roster.rename(entry.address, to: name)
        settings.roster = roster.entries
        cameras[index].entry.name = name
        dispatch.begin(ticket, verb: "rename", [(entry.address, entry.name)])
        effects += dispatch.finish(
            ticket, entry.address, error: nil, words: nil, fields: [Field("name", name)])
        effects.append(.saveRoster(roster.kept))
    }

    private func configured(_ entry: RosterEntry) -> String {
        "\(entry.name) stands in \(settings.configurationPath): change it there, then reload"
    }
}
