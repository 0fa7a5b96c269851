import Clock
import Fleet
import LineProtocol
import OsmoProtocol
import RadioPort

/// The roster in a run: pairing, forgetting, and a configuration that changes.
extension World {
    /// How long a pair window of these runs stands.
    static let window = TimeSpan.seconds(60)
    /// How long after the end of a pair window, or after a command, a link that depended on it may
    /// still stand.
    static let partingBound = TimeSpan.seconds(25)

    func address(_ camera: Int) -> BluetoothAddress { radio.peripherals[camera].camera.address }

    /// The camera's place on the roster; nil for one that is not on it.
    func entry(_ camera: Int) -> RosterEntry? {
        let address = address(camera)
        return rig.settings.roster.first { $0.address == address }
    }

    /// Whether the camera is on the roster, or would be as soon as it is noticed.
    func isWelcome(_ camera: Int) -> Bool {
        entry(camera) != nil || plan.admitsAny && !watches[camera].isForgotten
    }

    /// Pairs a forgotten camera again by a pair window; sometimes the configuration is changed
    /// meanwhile.
    mutating func pairAgain(_ camera: Int) throws(InvariantViolation) {
        guard entry(camera) == nil else { return }
        if now < pairsUntil {
            eventQueue.add(.pairAgain(camera: camera), at: now + seconds(70...120))
            return
        }
        disturb(camera, for: Self.window)
        radio.set("consent", to: "confirm:8", of: camera, at: now)
        pairsUntil = now + Self.window + Self.partingBound
        try command(.pair(Self.window), to: [camera])
        if chance(50, &random) {
            eventQueue.add(.reload(camera: camera), at: now + seconds(3...12))
        }
        eventQueue.add(.pairAgain(camera: camera), at: now + seconds(90...150))
    }

    /// One of the settings changes, and now and then a camera gets a section of its own.
    mutating func reload(_ camera: Int) throws(InvariantViolation) {
        var settings = rig.settings
        switch Int.random(in: 0..<5, using: &random) {
        case 0: settings.rate = Int.random(in: 1...10, using: &random)
        case 1: settings.watchdog = .seconds(Int.random(in: 3...15, using: &random))
        case 2: settings.retries = chance(50, &random) ? 0 : Int.random(in: 5...20, using: &random)
        case 3:
            settings.atExit = RigSettings.AtExit.allCases.randomElement(using: &random) ?? .leave
        default: settings.rate = 10
        }
        if entry(camera) == nil, chance(50, &random) {
            let numbers = settings.roster.map(\.number)
            let number = (1...99).first { !numbers.contains($0) } ?? 99
            settings.roster.insert(
                RosterEntry(name: "again\(camera)", number: number, address: address(camera)), at: 0
            )
        }
        if let trace {
            trace(now, "> reload rate \(settings.rate) watchdog \(settings.watchdog.seconds)")
        }
        if settings.rate != rig.settings.rate {
            rules = PushRules(rate: settings.rate)
            // The pushes need a while to find their new pace.
            disturbAll(for: .seconds(3))
        }
        let outcome = rig.apply(settings, at: now)
        try carryOut(outcome.effects)
    }

    /// Judges once a second that stalled links are ended, and that no camera outside the roster is
    /// connected.
    mutating func auditLinks(_ camera: Int) throws(InvariantViolation) {
        // Read in place: a copy of a peripheral would copy its whole camera.
        if radio.peripherals[camera].stalledUntil != nil, radio.peripherals[camera].isInRange,
            radio.isReady(camera), watches[camera].last != nil
        {
            let since = watches[camera].stalledSince ?? now
            watches[camera].stalledSince = since
            if now - since > rig.settings.watchdog + .seconds(10), !isEnding {
                throw InvariantViolation(
                    .stalled, at: now, "camera \(camera) for \((now - since).seconds) s")
            }
        } else {
            watches[camera].stalledSince = nil
        }
        guard radio.isReady(camera), entry(camera) == nil, now >= pairsUntil else {
            watches[camera].orphanSince = nil
            return
        }
        let since = watches[camera].orphanSince ?? now
        watches[camera].orphanSince = since
        if now - since > Self.partingBound {
            throw InvariantViolation(.orphan, at: now, "camera \(camera)")
        }
    }

    /// Whether the rig gave the camera up, as `retries` says; a person tries again then.
    mutating func isGivenUp(_ camera: Int) -> Bool {
        let address = address(camera)
        let summary = rig.status(at: now).cameras.first { $0.address == address }
        guard let error = summary?.error, error.hasPrefix("given up after") else { return false }
        eventQueue.add(.reconnect(camera: camera), at: now + seconds(1...20))
        return true
    }
}
