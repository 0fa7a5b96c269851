package import Clock
import Fleet
import OsmoProtocol

/// What a run of the virtual world is like: everything that follows from its seed, and nothing
/// else.
package struct Plan: Sendable {
    /// All that is drawn by chance in the run follows from it: the same seed is the same run.
    package var seed: UInt64
    /// How many cameras are on the roster.
    package var cameras: Int
    /// How long the run takes, without the end.
    package var duration: TimeSpan
    /// Cameras of other people in range, and unsupported ones beside them.
    package var strangers = 4
    /// Faults an hour; 0 for a calm world.
    package var faultsAnHour = 60
    /// Commands an hour.
    package var commandsAnHour = 40

    /// The configuration has `admit = any`: every camera in range joins the roster.
    var admitsAny: Bool { seed % 8 == 5 }
    /// A run before this one was killed and left links behind.
    var hasLeftLinks: Bool { seed % 4 == 1 }

    /// A plan with the default faults for this seed.
    package init(seed: UInt64, cameras: Int, duration: TimeSpan) {
        self.seed = seed
        self.cameras = cameras
        self.duration = duration
    }

    /// Midnight of 1 July 2026: what time it is when a run begins.
    static let start = UnixTime(nanoseconds: 1_782_864_000_000_000_000)
    static let buildDate = UnixTime(nanoseconds: 1_767_225_600_000_000_000)
    /// Where virtual time begins: not at zero, which real clocks never show.
    static let origin = Instant(nanoseconds: 1_000_000_000)
    static let identity = ControllerIdentity(
        deviceID: 0x00C0_FFEE, address: BluetoothAddress(value: 0x02A1_B2C3_D4E5))

    static func adapterAddress(_ number: Int) -> BluetoothAddress {
        BluetoothAddress(value: 0x0013_EF00_0001 + UInt64(number))
    }

    /// The settings of the rig.
    func settings(_ random: inout SeededGenerator) -> RigSettings {
        var settings = RigSettings(identity: Self.identity, buildDate: Self.buildDate)
        settings.seed = random.next()
        settings.rate = chance(80, &random) ? 10 : Int.random(in: 1...9, using: &random)
        settings.motion = chance(15, &random) ? .hold : .extrapolate
        settings.watchdog = .seconds(
            chance(60, &random) ? 5 : Int.random(in: 3...15, using: &random))
        settings.retries = chance(80, &random) ? 0 : Int.random(in: 5...20, using: &random)
        settings.atExit = RigSettings.AtExit.allCases.randomElement(using: &random) ?? .leave
        settings.admission = admitsAny ? .any : .roster
        let known = admitsAny ? cameras / 2 : cameras
        settings.roster = (0..<known).map { number in
            RosterEntry(
                name: "cam\(number)", number: number + 1,
                address: CameraCatalog.address(of: number),
                source: number % 3 == 0 ? .paired : .configuration)
        }
        return settings
    }

    /// The radio and its cameras, with their faults.
    func radio(_ random: inout SeededGenerator) -> SimulatedRadio {
        let count = chance(40, &random) ? 2 : 1
        var radio = SimulatedRadio(
            adapters: (0..<count).map { Self.adapterAddress($0) }, seed: random.next())
        let room = (cameras + count - 1) / count
        for adapter in 0..<count {
            let spare = Int.random(in: -1...4, using: &random)
            radio.setMaximumLinks(max(1, room + spare), of: adapter)
        }
        radio.faultProfile.callPercent = chance(30, &random) ? 30 : 0
        if faultsAnHour > 0 {
            radio.faultProfile.setupFailedPercent = Int.random(in: 0...3, using: &random)
            radio.faultProfile.setupHangsPercent = Int.random(in: 0...2, using: &random)
            radio.faultProfile.abortedPercent = Int.random(in: 0...10, using: &random)
            radio.faultProfile.isGivingUpFatal = chance(30, &random)
            radio.faultProfile.crashPercent = Int.random(in: 0...5, using: &random)
            radio.faultProfile.droppedPercent =
                chance(20, &random) ? Int.random(in: 1...3, using: &random) : 0
            radio.faultProfile.wakeFailsPercent = Int.random(in: 0...20, using: &random)
        }
        for number in 0..<cameras { radio.add(camera(number, &random)) }
        for number in 0..<strangers {
            if !admitsAny { radio.add(stranger(number, &random)) }
            radio.add(
                stranger(number + strangers, &random), advertisement: .unsupported("Osmo Nano"))
        }
        if hasLeftLinks {
            for number in 0..<cameras where chance(40, &random) {
                radio.leaveLink(of: number, on: number % count, at: Self.origin)
            }
        }
        return radio
    }

    private func camera(_ number: Int, _ random: inout SeededGenerator) -> SimulatedCamera {
        let model = CameraCatalog.models[number % CameraCatalog.models.count]
        var behaviour = Behaviour(model: model)
        behaviour.order = chance(70, &random) ? .normal : chance(50, &random) ? .reversed : .missing
        behaviour.answersSubscription = chance(30, &random)
        behaviour.old = model == .action4 && chance(25, &random)
        behaviour.greetsWithText = !behaviour.old
        behaviour.splits = chance(5, &random)
        behaviour.sleepDropsLink = chance(30, &random)
        if faultsAnHour > 0 {
            behaviour.lostPercent = chance(40, &random) ? Int.random(in: 1...10, using: &random) : 0
            behaviour.latePercent = chance(40, &random) ? Int.random(in: 1...10, using: &random) : 0
            behaviour.statusLostPercent =
                chance(20, &random) ? Int.random(in: 1...10, using: &random) : 0
            if chance(10, &random) { behaviour.consent = .confirmed(after: .seconds(20)) }
            if chance(3, &random) { behaviour.consent = .refused(after: .seconds(5)) }
            // A camera that asks its owner and sends no receipt cannot be told from a dead one.
            if behaviour.consent != .known, behaviour.order == .missing {
                behaviour.order = .normal
            }
        }
        return SimulatedCamera(
            address: CameraCatalog.address(of: number), model: model, behaviour: behaviour,
            seed: random.next())
    }

    private func stranger(_ number: Int, _ random: inout SeededGenerator) -> SimulatedCamera {
        let model = CameraCatalog.models[number % CameraCatalog.models.count]
        // When a pair window asks for this camera, its owner refuses.
        var behaviour = Behaviour(model: model)
        behaviour.consent = .refused(after: .seconds(3))
        return SimulatedCamera(
            address: CameraCatalog.address(of: 0x8000 + number), model: model,
            behaviour: behaviour, seed: random.next())
    }

    /// The receiver, with its rate and latency.
    func receiver(_ random: inout SeededGenerator) -> SimulatedReceiver {
        let rate = [1, 2, 4, 5, 8, 10, 10, 10, 18, 20, 25].randomElement(using: &random) ?? 10
        let calm = faultsAnHour == 0
        let first = Self.origin + .milliseconds(Int.random(in: 1...900, using: &random))
        var receiver = SimulatedReceiver(
            start: first, utc: Self.start + (first - .zero), rate: rate,
            latency: .milliseconds(Int.random(in: 30...250, using: &random)),
            jitter: .milliseconds(calm ? 0 : Int.random(in: 0...30, using: &random)),
            seed: random.next())
        receiver.lostPercent =
            calm || chance(50, &random) ? 0 : Int.random(in: 1...3, using: &random)
        receiver.repeats = chance(30, &random)
        if !calm {
            receiver.heightNoise =
                chance(30, &random) ? Double.random(in: 0...15, using: &random) : 0
            receiver.statesVelocity = !chance(10, &random)
        }
        return receiver
    }
}

/// Whether something that happens `percent` times in a hundred happens now.
func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
}
