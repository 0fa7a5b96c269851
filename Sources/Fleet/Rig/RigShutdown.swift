import Clock
import LineProtocol
import OsmoProtocol

/// The steps of the orderly end, as `Shutdown` has them.
extension Rig {
    mutating func beginShutdown(at now: Instant) {
        guard ending == nil else { return }
        ending = Shutdown(deadline: now)
        effects += queue.finish(at: now).map { .radio($0) }
        closeWindow(.error(.notReady, "geotagd is ending"), at: now)
        for operation in pendingOperations {
            effects += dispatch.finish(
                operation.ticket, operation.address, error: .notReady, words: "geotagd is ending",
                fields: [])
        }
        pendingOperations = []
        cancelTimedStarts()
        pushes.schedule.close(at: now)
        pushes.refresh(sourceToo: false)
    }

    mutating func goOnEnding(at now: Instant) {
        guard let stage = ending?.stage else { return }
        switch stage {
        case .voids:
            guard pushes.schedule.isEnded else {
                ending?.deadline = pushes.schedule.nextDeadline ?? now
                return
            }
            ending?.stage = .commands
            ending?.deadline = now + Shutdown.commandBound
            sendLastCommands(at: now)
            goOnEnding(at: now)
        case .commands:
            guard ending?.waiting.isEmpty ?? true || (ending?.deadline ?? now) <= now else {
                return
            }
            ending?.stage = .links
            ending?.deadline = now + Shutdown.linkBound
            forEachCamera { rig, index in rig.letGo(index, at: now) }
            queueTouched = true
            goOnEnding(at: now)
        case .links:
            let down = queue.candidates.allSatisfy { $0.phase == .idle }
            guard down || (ending?.deadline ?? now) <= now else { return }
            ending?.stage = .finished
            ending?.deadline = .never
            effects.append(.finished)
        case .finished:
            break
        }
    }

    /// Ends a camera's link for good.
    private mutating func letGo(_ index: Int, at now: Instant) {
        let address = cameras[index].address
        cameras[index].dismissed = true
        if cameras[index].link != nil {
            updateSession(index, .prepareToClose("geotagd is ending"), at: now)
        }
        effects += queue.want(false, address, at: now).map { .radio($0) }
    }

    /// Stops recordings and sends cameras to sleep, as `at_exit` says.
    private mutating func sendLastCommands(at now: Instant) {
        guard settings.atExit != .leave else { return }
        forEachCamera(
            where: { $0.session.cameraState == .ready },
            do: { rig, index in rig.sendLastCommand(index, at: now) })
    }

    private mutating func sendLastCommand(_ index: Int, at now: Instant) {
        let isRecording = cameras[index].session.isRecording == true
        guard updateSession(index, .interrupt("geotagd is ending"), at: now) else { return }
        if isRecording {
            sendLast(.record(.stop), index, at: now)
        } else if settings.atExit == .sleep {
            sendLast(.sleep, index, at: now)
        }
    }

    private mutating func sendLast(_ command: CameraCommand, _ index: Int, at now: Instant) {
        guard let ticket = ending?.ticket() else { return }
        ending?.waiting.append((ticket, cameras[index].address, command))
        updateSession(index, .command(ticket, command), at: now)
    }

    /// A camera has answered: where it was to sleep after its recording, that comes now. An answer
    /// to the sleep itself is the last word, whatever it says and however soon it comes.
    mutating func endingAnswered(_ ticket: Ticket, _ address: BluetoothAddress, at now: Instant) {
        guard let place = ending?.waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        guard ending?.waiting.remove(at: place).command == .record(.stop) else { return }
        guard settings.atExit == .sleep, let index = index(of: address),
            cameras[index].session.cameraState == .ready,
            cameras[index].session.isRecording == false, ending?.stage == .commands
        else { return }
        sendLast(.sleep, index, at: now)
    }
}
