internal import Clock
internal import LineProtocol
internal import OsmoProtocol

/// The rig's orderly end (`at_exit`, contract 7.3).
///
/// | stage | until | then |
/// | --- | --- | --- |
/// | voids | the burst is out | recordings stopped and cameras sent to sleep as configured |
/// | commands | all answered, or 2 s | every link of ours is ended |
/// | links | all down, or 1.5 s | finished |
package struct Shutdown: Sendable {
    /// For how long cameras may answer.
    static let commandBound = TimeSpan.seconds(2)
    /// For how long the ends of links are awaited: BlueZ takes a second and more.
    static let linkBound = TimeSpan.milliseconds(1500)

    enum Stage: Equatable, Sendable {
        case voids
        case commands
        case links
        case finished
    }

    /// Commands of our own have tickets from the top, where nobody else's are.
    private static let ticketBase = UInt64.max - 200

    var stage = Stage.voids
    var deadline: Instant
    /// Who owes an answer, to which ticket.
    var waiting: [(ticket: Ticket, address: BluetoothAddress)] = []
    private var issued: UInt64 = 0

    init(deadline: Instant) { self.deadline = deadline }

    mutating func ticket() -> Ticket {
        issued += 1
        return Ticket(number: Self.ticketBase + issued % 200)
    }
}

extension Rig {
    mutating func beginShutdown(at now: Instant) {
        guard ending == nil else { return }
        ending = Shutdown(deadline: now)
        effects += queue.finish(at: now).map { .radio($0) }
        closeWindow(.error(.notReady, "geotagd is ending"), at: now)
        for errand in pendingOperations {
            effects += dispatch.finish(
                errand.ticket, errand.address, error: .notReady, words: "geotagd is ending",
                fields: [])
        }
        pendingOperations = []
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
            for index in cameras.indices {
                cameras[index].dismissed = true
                if cameras[index].link != nil {
                    updateSession(index, .prepareToClose("geotagd is ending"), at: now)
                }
                effects += queue.want(false, cameras[index].address, at: now).map { .radio($0) }
            }
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

    /// Stops recordings and sends cameras to sleep, as `at_exit` says.
    private mutating func sendLastCommands(at now: Instant) {
        guard settings.atExit != .leave else { return }
        for index in cameras.indices where cameras[index].session.cameraState == .ready {
            updateSession(index, .interrupt("geotagd is ending"), at: now)
            if cameras[index].session.isRecording == true {
                sendLast(.record(.stop), index, at: now)
            } else if settings.atExit == .sleep {
                sendLast(.sleep, index, at: now)
            }
        }
    }

    private mutating func sendLast(_ command: CameraCommand, _ index: Int, at now: Instant) {
        guard let ticket = ending?.ticket() else { return }
        ending?.waiting.append((ticket, cameras[index].address))
        updateSession(index, .command(ticket, command), at: now)
    }

    /// A camera has answered: where it was to sleep after its recording, that comes now.
    mutating func endingAnswered(_ ticket: Ticket, _ address: BluetoothAddress, at now: Instant) {
        guard let place = ending?.waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        ending?.waiting.remove(at: place)
        guard settings.atExit == .sleep, let index = index(of: address),
            cameras[index].session.cameraState == .ready,
            cameras[index].session.isRecording == false, ending?.stage == .commands
        else { return }
        sendLast(.sleep, index, at: now)
    }
}
