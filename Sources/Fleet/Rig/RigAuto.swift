import Clock
import LineProtocol
import Navigation
internal import OsmoProtocol

/// What the rig does by itself: the rules see vehicle and cameras, and their orders go the way of
/// commands.
extension Rig {
    /// When the rules have something to do.
    var rulesDeadline: Instant { auto.isTouched ? .zero : auto.deadline }

    /// Lets the rules decide on what is new, and does what they say.
    mutating func followRules(at now: Instant) {
        guard ending == nil else { return collectOrders(at: now) }
        // An order can be over at once, which is news again, but not for long.
        for _ in 0..<4 {
            collectOrders(at: now)
            guard auto.isTouched || auto.deadline <= now else { return }
            carryOut(auto.decide(autoCameras, at: now), at: now)
        }
    }

    /// Takes the answers to orders of the rules out of the effects: nobody else waits for them.
    mutating func collectOrders(at now: Instant) {
        guard !autoOrders.pending.isEmpty else { return }
        var over: [(AutoOrders.Pending, ErrorCode?)] = []
        effects = effects.filter { effect in
            switch effect {
            case .reply(let ticket, _): return !autoOrders.has(ticket)
            case .replyEnd(let ticket, let end):
                guard autoOrders.has(ticket), let order = autoOrders.end(ticket) else {
                    return true
                }
                var code: ErrorCode?
                if case .error(let error, _) = end { code = error }
                over.append((order, code))
                return false
            case .radio, .push, .notice, .epoch, .saveRoster, .finished: return true
            }
        }
        for (order, code) in over {
            carryOut(auto.answered(order.order, order.address, code, at: now), at: now)
        }
    }

    private mutating func carryOut(_ actions: [AutoAction], at now: Instant) {
        for action in actions {
            switch action {
            case .order(let order, let address):
                guard let index = index(of: address) else { continue }
                let ticket = autoOrders.begin(order, address)
                let command = order.command
                dispatch.begin(
                    ticket, verb: command.verb.name, [(address, cameras[index].entry.name)],
                    isAutomatic: true)
                self.order(command, index, ticket, at: now)
            case .alarm(let reason, let address):
                guard let index = index(of: address) else { continue }
                note(.alarm, cameras[index].entry.name, [Field("reason", reason)], at: now)
            case .moving(let isMoving):
                note(.auto, "-", [Field("moving", isMoving ? "yes" : "no")], at: now)
            case .place(let name):
                note(.auto, "-", [Field("place", name ?? "-")], at: now)
            }
        }
    }

    /// The cameras of the roster, for the rules.
    private var autoCameras: [AutoCamera] {
        var views: [AutoCamera] = []
        for index in cameras.indices where !cameras[index].pairing {
            let session = cameras[index].session
            var view = AutoCamera(address: cameras[index].address)
            let state = session.cameraState
            view.readySince = state == .ready ? cameras[index].readySince : nil
            view.isAsleep = state == .asleep
            view.isAway = state == nil && cameras[index].link == nil
            view.isRecording = session.isRecording
            if let status = session.live.status {
                view.takesPhotos = status.mode.takesPhotos
                view.isShooting = status.mode.takesPhotos && status.activity == 3
                view.cannotRecord = session.watch.card == .full || status.isOverheated
            }
            views.append(view)
        }
        return views
    }

    /// A person commands these cameras: that goes before whatever the rules have under way there.
    mutating func takeOver(
        _ command: FleetCommand, _ addresses: [BluetoothAddress], at now: Instant
    ) {
        for address in auto.commanded(command, addresses) {
            guard let index = index(of: address) else { continue }
            updateSession(index, .interrupt("a command by hand came in between"), at: now)
        }
    }

    /// `auto on`, `auto off`.
    mutating func turnRules(on isOn: Bool, at now: Instant) {
        if isOn != auto.isOn { note(.auto, "-", [Field("state", isOn ? "on" : "off")], at: now) }
        auto.turn(on: isOn)
    }

    /// `cause=auto` in what an order of the rules brings about.
    func withCause(
        _ fields: [Field], _ kind: Notice.Kind, of address: BluetoothAddress, at now: Instant
    ) -> [Field] {
        let order: AutoOrder
        switch (kind, fields.first?.value) {
        case (.record, "sent"), (.record, "acknowledged"):
            order = fields.contains(Field("action", "start")) ? .start : .stop
        case (.record, "started"): order = .start
        case (.record, "stopped"):
            guard fields.contains(Field("cause", StopCause.command.rawValue)) else { return fields }
            order = .stop
        case (.photo, _): order = .photo
        case (.camera, CameraState.asleep.rawValue): order = .sleep
        case (.camera, CameraState.ready.rawValue): order = .wake
        default: return fields
        }
        guard auto.explains(order, of: address, at: now) else { return fields }
        return fields.filter { $0.key != "cause" } + [Field("cause", "auto")]
    }

    /// What `status` shows of the rules.
    var autoStatus: AutoStatus {
        var status = AutoStatus()
        status.isOn = auto.isOn && !auto.settings.isIdle
        status.isMoving = auto.vehicle.isMoving
        status.place = auto.vehicle.place
        let held = auto.held
        status.hand = cameras.filter { held.contains($0.address) }.map(\.entry.name)
        return status
    }
}
