package import Clock
import Fleet
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort

/// A rig, its cameras, the air and a receiver in virtual time: the shipped core, driven by the
/// events that the seed decides on, and judged after each of them.
package struct World {
    /// The result of a run.
    package struct Report: Equatable, Sendable {
        /// The seed of the run, with which it can be repeated.
        package var seed: UInt64
        /// Virtual time that passed.
        package var virtual = TimeSpan.zero
        /// Instants at which something happened, each worked off once.
        package var steps = 0
        /// Pushes with a position, counted once for all links that each went to.
        package var pushes = 0
        /// Frames pushed, void ones too, counted for each link.
        package var deliveries = 0
        /// Faults that began.
        package var faults = 0
        /// Commands that were given to the rig.
        package var commands = 0
        /// Handshakes that came to their end, at the cameras of the roster.
        package var handshakes = 0
        /// The greatest distance between a pushed place and the truth, metres, counted only while
        /// fixes are correct and positions are carried forward.
        package var worstMetres = 0.0
        /// The longest time from when a camera could be ready until it was.
        package var slowestReady = TimeSpan.zero
        /// The first rule that did not hold, which ended the run; nil where all held.
        package var violation: InvariantViolation?
    }

    /// What the run is like.
    package let plan: Plan
    /// What the run has come to so far.
    package internal(set) var report: Report
    /// Called with each event and its instant, so that one can look for the reason of a violation.
    package var trace: ((Instant, String) -> Void)?

    var rig: Rig
    var radio: SimulatedRadio
    var receiver: SimulatedReceiver
    var rules: PushRules
    var ledger = CommandLedger()
    var eventQueue = EventQueue<ScriptTask>()
    var random: SeededGenerator
    var now = Plan.origin
    var watches: [CameraWatch]
    /// The machine's wall clock less the truth.
    var clockError = TimeSpan.zero
    var isEnding = false
    var endsAt = Instant.never
    var isFinished = false
    /// Until this instant a pair window is open, or the links that it began are ending.
    var pairsUntil = Instant.zero
    /// When the rig asked to be called next.
    private var rigDue = Instant.zero
    /// Until this instant the receiver's rate differs from the one that the rig has measured.
    var unsettledUntil = Instant.zero
    /// Until this instant the last report had a false time, so that the rig may or may not carry
    /// it.
    var mislabelledUntil = Instant.zero
    /// When the receiver last reported a new fix with a place, and the time that the fix stated.
    var lastPlace = Instant.zero
    private var lastTime: UnixTime?
    let isCarried: Bool

    /// A world at the beginning of its run: nothing has happened yet.
    package init(plan: Plan) {
        self.plan = plan
        report = Report(seed: plan.seed)
        var random = SeededGenerator(seed: plan.seed)
        let settings = plan.settings(&random)
        rig = Rig(settings: settings)
        radio = plan.radio(&random)
        receiver = plan.receiver(&random)
        rules = PushRules(rate: settings.rate)
        isCarried = settings.motion == .extrapolate
        watches = radio.peripherals.prefix(plan.cameras).map { peripheral in
            var watch = CameraWatch()
            if case .refused = peripheral.camera.behaviour.consent { watch.isHopeless = true }
            return watch
        }
        self.random = random
    }

    /// Runs the plan to its end.
    ///
    /// - Returns: the report; a violation ends the run.
    package mutating func run() -> Report {
        do throws(InvariantViolation) {
            try begin()
            while !isFinished { try step() }
            try judgeEnd()
        } catch {
            report.violation = error
        }
        report.virtual = now - Plan.origin
        report.handshakes = radio.peripherals.prefix(plan.cameras).reduce(0) {
            $0 + $1.camera.handshakes
        }
        return report
    }

    private mutating func begin() throws(InvariantViolation) {
        if let trace {
            trace(
                now,
                "rate \(rig.settings.rate), \(rig.settings.motion), receiver \(receiver.rate) Hz, "
                    + "\(receiver.latency.milliseconds) ms, \(radio.adapters.count) adapters")
        }
        radio.start(at: now)
        eventQueue.add(.systemClock, at: now)
        eventQueue.add(.audit, at: now + .seconds(1))
        eventQueue.add(.end, at: now + plan.duration)
        if plan.faultsAnHour > 0 { scheduleFault() }
        if plan.commandsAnHour > 0 { scheduleCommand() }
    }

    /// Moves time to the next instant at which anything happens, and does everything that is due
    /// then.
    private mutating func step() throws(InvariantViolation) {
        var next = min(eventQueue.deadline, receiver.nextDeadline)
        if let due = radio.nextDeadline { next = min(next, due) }
        next = min(next, rigDue)
        if next > now { now = next }
        report.steps += 1
        var turns = 0
        while let task = eventQueue.popDue(at: now) { try perform(task.item) }
        if receiver.nextDeadline <= now {
            for input in receiver.advance(to: now) {
                if case .report(.position(let position)) = input, position.mode >= 2,
                    position.time != lastTime || receiver.fault?.kind != .frozen
                {
                    lastPlace = now
                    lastTime = position.time
                }
                try tell(.receiver(input))
            }
        }
        while let due = radio.nextDeadline, due <= now {
            for event in radio.advance(to: now) { try hear(event) }
            turns += 1
            guard turns < 1000 else { throw InvariantViolation(.livelock, at: now, "radio") }
        }
        turns = 0
        rigDue = rig.nextDeadline ?? .never
        while rigDue <= now {
            try tell(.wake)
            rigDue = rig.nextDeadline ?? .never
            turns += 1
            guard turns < 1000 else { throw InvariantViolation(.livelock, at: now, "rig") }
        }
    }

    private mutating func hear(_ event: RadioEvent) throws(InvariantViolation) {
        if case .frameDropped(let link, let frame) = event, frame.count >= Frame.overhead,
            let camera = radio.index(of: link.camera), camera < plan.cameras
        {
            ledger.unsend(Opcode(set: frame[12], id: frame[13]), to: camera)
            disturb(camera, for: .seconds(1))
        }
        if let trace { trace(now, "  \(event)") }
        if case .linkClosed(let link) = event, let camera = radio.index(of: link.camera),
            camera < plan.cameras
        {
            watches[camera].last = nil
        }
        try tell(.radio(event))
    }

    /// Gives the rig an input and does what it wants.
    mutating func tell(_ input: RigInput) throws(InvariantViolation) {
        try carryOut(rig.handle(input, at: now))
    }

    /// Does what the rig wants.
    mutating func carryOut(_ effects: [RigEffect]) throws(InvariantViolation) {
        for effect in effects {
            switch effect {
            case .radio(let request): try pass(request)
            case .push(let push): try send(push)
            case .replyEnd(let ticket, let end):
                if let trace { trace(now, "end \(ticket.number) \(end)") }
                if let violation = ledger.end(ticket, at: now) { throw violation }
            case .finished: isFinished = true
            case .notice(let notice):
                if let trace {
                    let fields = notice.fields.map { "\($0.key)=\($0.value)" }
                    trace(now, "! \(notice.kind) \(notice.name) \(fields.joined(separator: " "))")
                }
            case .reply, .epoch, .saveRoster: break
            }
        }
    }

    private mutating func pass(_ request: RadioRequest) throws(InvariantViolation) {
        if let trace { trace(now, "\(request)") }
        if let link = request.link {
            guard let camera = radio.index(of: link.camera) else {
                throw InvariantViolation(.stranger, at: now, "\(request)")
            }
            guard camera < plan.cameras else { return try passStranger(request, camera) }
            if case .write(_, let frame) = request, frame.count >= Frame.overhead {
                let opcode = Opcode(set: frame[12], id: frame[13])
                let handshakes = radio.peripherals[camera].camera.handshakes
                // At the orderly end the rig stops recordings by itself, where it is so configured.
                let isOwn = isEnding && opcode == .record && rig.settings.atExit != .leave
                let violation =
                    isOwn
                    ? nil : ledger.sending(opcode, to: camera, link: handshakes, at: now)
                if let violation { throw violation }
                if opcode == .power || opcode == .restart { disturb(camera, for: .seconds(8)) }
            }
            radio.handle(request, at: now)
            try checkViolations(of: camera)
        } else {
            radio.handle(request, at: now)
        }
        if radio.overlappingConnects > 0 {
            throw InvariantViolation(.connects, at: now, "\(request)")
        }
    }

    /// Lets a request pass that is about a camera nobody admitted: a pair window asks such cameras,
    /// nothing else does.
    private mutating func passStranger(
        _ request: RadioRequest, _ camera: Int
    ) throws(InvariantViolation) {
        guard now < pairsUntil else {
            throw InvariantViolation(.stranger, at: now, "\(request)")
        }
        radio.handle(request, at: now)
        try checkViolations(of: camera)
    }

    private func checkViolations(of camera: Int) throws(InvariantViolation) {
        guard let first = radio.peripherals[camera].camera.violations.first else { return }
        throw InvariantViolation(.violation, at: now, "\(first.key.rawValue) at camera \(camera)")
    }

    private mutating func send(_ push: Push) throws(InvariantViolation) {
        if let position = push.position {
            report.pushes += 1
            if let violation = rules.record(at: now) { throw violation }
            try judge(position)
        } else if !isEnding, let good = goodSince, now - good > .seconds(2),
            mislabelledUntil < now
        {
            // A step of time within a silence looks like a backlog until three epochs have come.
            throw InvariantViolation(
                .void, at: now, "fixes are good since \((now - good).seconds) s")
        }
        if let trace {
            trace(now, "push \(push.position == nil ? "void" : "position") to \(push.links.count)")
        }
        radio.push(push, at: now)
        let isPosition = push.position != nil
        for link in push.links {
            guard let camera = radio.index(of: link.camera), camera < plan.cameras else {
                throw InvariantViolation(.stranger, at: now, "push to \(link.camera)")
            }
            try checkViolations(of: camera)
            report.deliveries += 1
            if isPosition { try judgeGap(camera) } else { watches[camera].last = nil }
        }
    }
}

extension RadioRequest {
    /// The link that the request is about; nil where it is about none.
    var link: LinkID? {
        switch self {
        case .powerOn, .powerOff, .startDiscovery, .stopDiscovery: nil
        case .connect(let link), .disconnect(let link), .trust(let link), .remove(let link),
            .write(let link, _), .wake(let link):
            link
        }
    }
}
