package import Clock
import LineProtocol
import Navigation
internal import OsmoProtocol

/// The rig: everything that is decided between receivers, cameras and the people who command them.
///
/// Pure: inputs with an instant in, effects out. The daemon and the simulation interpret the same
/// effects. Its parts each decide one thing: `PushFanOut` what is pushed and when, `ConnectionQueue`
/// who is connected when and by way of which adapter, `Roster`, `Strangers` and `PairWindow` who is
/// admitted, a `CameraSession` a camera what is said to it, `CommandDispatch` what commands come to.
package struct Rig: Sendable {
    /// Forgotten cameras remembered, so that `admit = any` does not let them in again in this run.
    package static let turnedAwayBound = 32

    /// As given, or taken over since; its roster is the present one.
    package internal(set) var settings: RigSettings
    /// The roster's, in order, and behind them the one that is being paired.
    var cameras: [RigCamera] = []
    var roster = Roster()
    var strangers = Strangers()
    var window: PairWindow?
    var turnedAway: [BluetoothAddress] = []
    var queue: ConnectionQueue
    var dispatch = CommandDispatch()
    var pendingOperations: [PendingOperation] = []
    var timedStarts = TimedStarts()
    var pushes: PushFanOut
    /// What the rig does by itself.
    var auto: AutoRules
    /// Orders of the rules that are under way.
    var autoOrders = AutoOrders()
    /// Whether the last word of the receivers was a fix.
    var hasFreshFix = false
    var clock = SystemClockWatch()
    var ending: Shutdown?
    var generator: SeededGenerator
    /// What is to be done about the input at hand.
    var effects: [RigEffect] = []
    /// Links, adapters or wishes changed: the queue has to step.
    var queueTouched = true
    /// Something changed that camera states are made of.
    var statesTouched = true
    /// When the first of the sessions has something to do.
    var sessionsDeadline = Instant.never
    /// When a camera's state changes by itself.
    var statesDeadline = Instant.never
    private var started = false
    /// When `wake` has to come; nil while only inputs can change anything.
    package private(set) var nextDeadline: Instant? = .zero

    /// A rig that has heard nothing yet.
    package init(settings: RigSettings) {
        self.settings = settings
        var generator = SeededGenerator(seed: settings.seed)
        queue = ConnectionQueue(
            adapters: settings.adapters, retries: settings.retries, generator: generator.fork())
        queue.admitsAny = settings.admission == .any
        pushes = PushFanOut(settings: settings)
        auto = AutoRules(settings: settings.auto)
        self.generator = generator
        for entry in settings.roster { _ = enrol(entry, at: .zero) }
    }

    /// What happens, and what is to be done about it, in this order.
    ///
    /// - Parameter now: never earlier than at the call before.
    package mutating func handle(_ input: RigInput, at now: Instant) -> [RigEffect] {
        if !started { start(at: now) }
        switch input {
        case .receiver(let input): receive(input, at: now)
        case .radio(let event): hear(event, at: now)
        case .command(let ticket, let command, let target):
            begin(command, for: target, ticket, at: now)
        case .systemClock(let clock): see(clock, at: now)
        case .localZone(let zone): pushes.zone = zone
        case .auto(let isOn): turnRules(on: isOn, at: now)
        case .wake: break
        case .shutdown: beginShutdown(at: now)
        }
        catchUp(at: now)
        nextDeadline = deadline
        guard !effects.isEmpty else { return [] }
        defer { effects = [] }
        return effects
    }

    /// `nextDeadline`, as things stand.
    private var deadline: Instant? {
        var next = min(min(queue.deadline, pushes.deadline), sessionsDeadline)
        next = min(next, min(strangers.nextDeadline, statesDeadline))
        for operation in pendingOperations { next = min(next, operation.deadline) }
        next = min(next, timedStarts.deadline)
        if let window { next = min(next, window.deadline) }
        if let ending { next = min(next, ending.deadline) } else { next = min(next, rulesDeadline) }
        return next == .never ? nil : next
    }

    /// From here on absence counts.
    private mutating func start(at now: Instant) {
        started = true
        for index in cameras.indices { cameras[index].stateSince = now }
    }

    /// Does what is due, and what the input brought with it.
    private mutating func catchUp(at now: Instant) {
        if timedStarts.deadline <= now { advanceTimedStarts(at: now) }
        if sessionsDeadline <= now {
            forEachCamera(
                where: { $0.deadline <= now },
                do: { rig, index in rig.updateSession(index, .wake, at: now) })
        }
        if settings.idleRate != nil { keepPace() }
        if pushes.deadline <= now { advancePushes(at: now) }
        if strangers.nextDeadline <= now { strangers.expire(at: now) }
        if let window, window.deadline <= now { advancePairWindow(at: now) }
        if !pendingOperations.isEmpty { advancePendingOperations(at: now) }
        if ending != nil { goOnEnding(at: now) }
        followRules(at: now)
        // What comes of a step can touch the queue again, but not for long.
        for _ in 0..<4 where queueTouched || queue.deadline <= now {
            queueTouched = false
            carryOut(queue.step(at: now), at: now)
        }
        if statesTouched || statesDeadline <= now { settleStates(at: now) }
        collectOrders(at: now)
    }

    /// Does something with each camera for which a condition holds, whichever of them leave
    /// meanwhile: their places are found anew each time.
    mutating func forEachCamera(
        where isMeant: (borrowing RigCamera) -> Bool = { _ in true },
        do body: (inout Rig, _ index: Int) -> Void
    ) {
        var meant: [BluetoothAddress] = []
        for index in cameras.indices where isMeant(cameras[index]) {
            meant.append(cameras[index].address)
        }
        for address in meant {
            if let index = index(of: address) { body(&self, index) }
        }
    }

    /// What a session is waiting for changed.
    mutating func keepDeadline(of index: Int) {
        let before = cameras[index].deadline
        let deadline = cameras[index].session.nextDeadline ?? .never
        cameras[index].deadline = deadline
        if deadline <= sessionsDeadline {
            sessionsDeadline = deadline
        } else if before == sessionsDeadline {
            findSessionsDeadline()
        }
    }

    private mutating func findSessionsDeadline() {
        sessionsDeadline = .never
        for index in cameras.indices {
            sessionsDeadline = min(sessionsDeadline, cameras[index].deadline)
        }
    }

    /// A notice, with the instants that belong to it.
    mutating func note(_ kind: Notice.Kind, _ name: String, _ fields: [Field], at now: Instant) {
        effects.append(
            .notice(
                Notice(
                    kind: kind, name: name, fields: fields, instant: now,
                    utc: pushes.source.utc(at: now))))
    }

    /// The place of a camera; nil for strangers.
    func index(of address: BluetoothAddress) -> Int? {
        // A loop, because a closure would be given a copy of each camera with its whole session.
        for index in cameras.indices where cameras[index].entry.address == address { return index }
        return nil
    }

    /// Puts a camera on the roster and wants it connected.
    ///
    /// - Returns: whether it fits.
    mutating func enrol(_ entry: RosterEntry, at now: Instant) -> Bool {
        guard roster.add(entry) else { return false }
        settings.roster = roster.entries
        // Behind the roster's and before one that is being paired.
        let place = cameras.firstIndex { $0.pairing } ?? cameras.count
        cameras.insert(
            RigCamera(entry: entry, settings: settings, generator: generator.fork(), at: now),
            at: place)
        _ = queue.admit(entry.address, pinned: entry.adapter, trusted: true, at: now)
        queueTouched = true
        statesTouched = true
        return true
    }

    /// Lets a camera go: its link ends, and BlueZ forgets it where `removing`.
    mutating func dismiss(
        _ index: Int, removing: Bool, error: ErrorCode, words: String, at now: Instant
    ) {
        let address = cameras[index].address
        if cameras[index].link != nil { updateSession(index, .prepareToClose(words), at: now) }
        guard let index = self.index(of: address) else { return }
        let camera = cameras.remove(at: index)
        if camera.deadline == sessionsDeadline { findSessionsDeadline() }
        pushes.retire(camera.session)
        effects += dispatch.abandon(camera.address, error: error, words: words)
        pendingOperations.removeAll { $0.address == camera.address }
        _ = timedStarts.cancel { $0 == camera.address }
        effects += queue.release(camera.address, removing: removing, at: now).map { .radio($0) }
        roster.remove(camera.address)
        settings.roster = roster.entries
        queueTouched = true
        statesTouched = true
    }
}
