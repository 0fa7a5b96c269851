package import Clock
package import LineProtocol
package import Navigation
package import OsmoProtocol

/// The rules of `[auto]` and the places: what is done with which camera, by what the vehicle does,
/// what the cameras are doing, and what people have commanded.
///
/// Pure: it decides and sends nothing. Whatever it orders is done by the same commands that people
/// give, and one order a camera is under way at a time.
package struct AutoRules: Sendable {
    /// A recording that ended by itself is started again so often within `restartWindow`.
    package static let restarts = 3
    /// See `restarts`.
    package static let restartWindow = TimeSpan.seconds(600)
    /// From the end of a recording to starting it again: the camera is still writing.
    static let restartPause = TimeSpan.seconds(2)
    /// From a failed order to the next one.
    static let retryPause = TimeSpan.seconds(5)
    /// The same for a camera that did not want to sleep.
    static let sleepRetryPause = TimeSpan.seconds(60)
    /// Stops that fail before somebody is told.
    static let stops = 3
    /// A camera that becomes ready in a place where cameras sleep stays awake for so long: somebody
    /// may have turned it on.
    static let awakeGrace = TimeSpan.seconds(120)
    /// From the daemon's start to waking cameras that have not come by themselves.
    static let powerWakeAfter = TimeSpan.seconds(20)
    /// After an order ended, what a camera does is its effect for so long.
    static let effect = SessionTiming.commandEffect

    /// See `AutoSettings`.
    package private(set) var settings: AutoSettings
    /// `auto on` and `auto off`.
    package private(set) var isOn = true
    /// What the vehicle does.
    package private(set) var vehicle: VehicleWatch
    /// When `decide` has something to do without any news.
    package private(set) var deadline = Instant.never
    /// Something is new that rules may follow from.
    package private(set) var isTouched = false

    var memories: [AutoMemory] = []
    /// `record_at_start` holds: the vehicle has not stopped yet.
    private var startHolds: Bool
    private var wasWished = false
    private var startedAt: Instant?
    private var hasWokenForPower = false
    /// What is to be told.
    private var news: [AutoAction] = []

    /// Rules that have seen nothing yet.
    package init(settings: AutoSettings) {
        self.settings = settings
        vehicle = VehicleWatch(rules: settings.vehicleRules)
        startHolds = settings.recordAtStart
        isTouched = !settings.isIdle
    }

    /// Takes another configuration over. `record_at_start` counts at a start alone.
    package mutating func adopt(_ new: AutoSettings) {
        guard new != settings else { return }
        if !new.recordAtStart { startHolds = false }
        settings = new
        vehicle.adopt(new.vehicleRules)
        touch()
    }

    /// Somebody said `auto on` or `auto off`. On again, commands by hand hold nothing any more.
    package mutating func turn(on: Bool) {
        isOn = on
        for index in memories.indices {
            memories[index].owesStop = nil
            memories[index].restarts = []
            if on { release(index) }
        }
        touch()
    }

    /// Cameras may be doing something else than before.
    package mutating func touch() { isTouched = !settings.isIdle }

    // MARK: The vehicle

    /// An epoch is over.
    package mutating func see(_ fix: Fix) {
        let hadFix = vehicle.hasFix
        let before = vehicle.place
        let wasResting = vehicle.restingSince != nil
        let events = vehicle.see(fix)
        guard !settings.isIdle else { return }
        for event in events { happen(event, from: before) }
        let rests = vehicle.restingSince != nil
        if !hadFix || !events.isEmpty || rests != wasResting || settings.photoEvery != nil {
            touch()
        }
    }

    /// There is no fresh fix any more.
    package mutating func lose() {
        vehicle.lose()
        touch()
    }

    private mutating func happen(_ event: VehicleEvent, from before: String?) {
        switch event {
        case .motion: oweWake()
        case .started:
            news.append(.moving(true))
            for index in memories.indices { release(index) }
            owe {
                if $0.owesStop == .rest { $0.owesStop = nil }
                $0.restarts = []
                $0.shotInstant = nil
            }
            oweWake()
        case .stopped:
            news.append(.moving(false))
            startHolds = false
            for index in memories.indices { release(index) }
            if settings.stopBelow != nil, inside == nil { oweStop(.rest) }
            owe { $0.owesWake = false }
        case .place(let name):
            news.append(.place(name))
            moved(from: inside(before))
        }
    }

    private mutating func moved(from old: AutoPlace.Inside?) {
        owe { if $0.owesStop == .place { $0.owesStop = nil } }
        switch inside {
        case .stop, .sleep: oweStop(.place)
        case .record, .nothing: break
        case nil:
            if old == .record, !vehicle.isMoving { oweStop(.rest) }
            if vehicle.isMoving || vehicle.isInMotion { oweWake() }
        }
    }

    private mutating func owe(_ change: (inout AutoMemory) -> Void) {
        for index in memories.indices { change(&memories[index]) }
    }

    private mutating func oweWake() {
        if settings.wakeOn == .motion { owe { $0.owesWake = true } }
    }

    private mutating func oweStop(_ reason: AutoMemory.StopReason) {
        owe {
            $0.owesStop = reason
            $0.failedStops = 0
        }
    }

    /// What is done in the present place; nil outside all of them.
    var inside: AutoPlace.Inside? { inside(vehicle.place) }

    private func inside(_ name: String?) -> AutoPlace.Inside? {
        guard let name else { return nil }
        return settings.places.first { $0.circle.name == name }?.inside
    }

    /// Whether a rule says that cameras record now.
    var wishesRecording: Bool {
        switch inside {
        case .record: true
        case .stop, .sleep, .nothing: false
        case nil: settings.recordAbove != nil && vehicle.isMoving || startHolds
        }
    }

    // MARK: People

    /// Somebody commanded these cameras: what was commanded holds until the vehicle's next stop or
    /// start.
    ///
    /// - Returns: those of them that carry out an order of the rules at present.
    package mutating func commanded(
        _ command: FleetCommand, _ cameras: [BluetoothAddress]
    ) -> [BluetoothAddress] {
        guard !settings.isIdle else { return [] }
        let (recording, power): (Bool, Bool) =
            switch command {
            case .record, .timedStart, .key(.record): (true, false)
            case .sleep, .forcedSleep, .wake, .snapshot: (false, true)
            case .photo, .mode, .modeCode, .key, .restart, .pair, .forget, .rename, .connect,
                .disconnect, .reconnect, .raw, .version:
                (false, false)
            }
        var busy: [BluetoothAddress] = []
        for address in cameras {
            let index = memory(of: address)
            if recording {
                memories[index].holdsRecording = true
                memories[index].owesStop = nil
            }
            if power {
                memories[index].holdsPower = true
                memories[index].owesWake = false
            }
            if memories[index].pending != nil { busy.append(address) }
            // What happens from here on is that person's doing.
            if recording || power { memories[index].pending = nil }
            for order in recording ? [AutoOrder.start, .stop] : power ? [.sleep, .wake] : [] {
                memories[index].ended[order] = nil
            }
        }
        touch()
        return busy
    }

    private mutating func release(_ index: Int) {
        memories[index].holdsRecording = false
        memories[index].holdsPower = false
    }

    /// Cameras for which a command by hand holds something.
    package var held: [BluetoothAddress] {
        memories.filter { $0.holdsRecording || $0.holdsPower }.map(\.address)
    }

    /// The place of a camera's memory, made where there is none.
    mutating func memory(of address: BluetoothAddress) -> Int {
        if let index = memories.firstIndex(where: { $0.address == address }) { return index }
        memories.append(AutoMemory(address: address))
        return memories.count - 1
    }

    // MARK: Decisions

    /// What is to be done now, and when to ask again.
    package mutating func decide(_ cameras: [AutoCamera], at now: Instant) -> [AutoAction] {
        defer { news = [] }
        isTouched = false
        deadline = .never
        guard !settings.isIdle else {
            memories = []
            return []
        }
        memories.removeAll { memory in !cameras.contains { $0.address == memory.address } }
        startedAt = startedAt ?? now
        let wishes = wishesRecording
        if wishes, !wasWished { owe { $0.wasStarted = false } }
        wasWished = wishes
        wakeForPower(cameras, at: now)
        var actions = news
        for camera in cameras {
            let index = memory(of: camera.address)
            follow(camera, index, at: now)
            guard isOn, memories[index].pending == nil else { continue }
            guard memories[index].notBefore <= now else {
                ask(at: memories[index].notBefore)
                continue
            }
            let order =
                camera.readySince == nil
                ? wakeOrder(camera, index) : readyOrder(camera, index, &actions, at: now)
            guard let order else { continue }
            memories[index].pending = order
            actions.append(.order(order, camera.address))
        }
        return actions
    }

    /// Keeps what a camera does now in mind.
    private mutating func follow(_ camera: AutoCamera, _ index: Int, at now: Instant) {
        let isRecording = camera.isRecording == true
        if isRecording { memories[index].wasStarted = true }
        if memories[index].wasRecording, camera.isRecording == false {
            memories[index].idleSince = now
            memories[index].notBefore = max(memories[index].notBefore, now + Self.restartPause)
        }
        if camera.isRecording != nil { memories[index].wasRecording = isRecording }
        if camera.isRecording == false { memories[index].owesStop = nil }
    }

    private mutating func wakeOrder(_ camera: AutoCamera, _ index: Int) -> AutoOrder? {
        guard memories[index].owesWake, !memories[index].holdsPower,
            camera.isAsleep || camera.isAway && settings.wakeOn == .power
        else { return nil }
        switch inside {
        case .sleep, .nothing: return nil
        case .record, .stop, nil: break
        }
        memories[index].owesWake = false
        return .wake
    }

    /// At the daemon's start nobody knows which of the absent cameras sleep.
    private mutating func wakeForPower(_ cameras: [AutoCamera], at now: Instant) {
        guard let startedAt, !hasWokenForPower, settings.wakeOn == .power else { return }
        guard startedAt + Self.powerWakeAfter <= now else {
            return ask(at: startedAt + Self.powerWakeAfter)
        }
        hasWokenForPower = true
        for camera in cameras where camera.readySince == nil {
            let index = memory(of: camera.address)
            memories[index].owesWake = true
        }
    }

    /// `decide` is wanted at that instant too.
    mutating func ask(at instant: Instant) { deadline = min(deadline, instant) }

    /// An order ended.
    ///
    /// - Parameter code: nil where it worked.
    package mutating func answered(
        _ order: AutoOrder, _ address: BluetoothAddress, _ code: ErrorCode?, at now: Instant
    ) -> [AutoAction] {
        guard let index = memories.firstIndex(where: { $0.address == address }) else { return [] }
        touch()
        // Somebody else's command has taken its place.
        guard memories[index].pending == order else { return [] }
        memories[index].pending = nil
        memories[index].ended[order] = now
        guard let code else { return [] }
        switch order {
        case .start, .wake, .photo:
            memories[index].notBefore = now + Self.retryPause
            // Nothing was sent: the camera was doing something else.
            if order == .start, code == .busy { _ = memories[index].restarts.popLast() }
        case .sleep: memories[index].notBefore = now + Self.sleepRetryPause
        case .stop:
            memories[index].notBefore = now + Self.retryPause
            memories[index].failedStops += 1
            if memories[index].failedStops == Self.stops {
                return [.alarm("not-stopped", address)]
            }
        }
        return []
    }

    /// Whether what a camera does now is the effect of an order of the rules.
    package func explains(
        _ order: AutoOrder, of address: BluetoothAddress, at now: Instant
    ) -> Bool {
        guard let memory = memories.first(where: { $0.address == address }) else { return false }
        return memory.pending == order
            || memory.ended[order].map { now - $0 <= Self.effect } ?? false
    }
}
