import Clock
import Fleet
import LineProtocol
import OsmoProtocol

/// Begins faults; each one is given its end at the same time.
extension World {
    mutating func begin(_ fault: WorldFault) throws(InvariantViolation) {
        if let trace { trace(now, "* \(fault)") }
        let camera = Int.random(in: 0..<plan.cameras, using: &random)
        switch fault {
        case .dropLink, .outOfRange, .stall, .oneWayStall, .deaf, .mute, .noStatus, .refusing:
            beginRadio(fault, of: camera)
        case .sleepByHand:
            disturb(camera, for: .seconds(2))
            if radio.peripherals[camera].camera.power == .on {
                radio.give(.hand(.power), to: camera, at: now)
                eventQueue.add(.wakeByHand(camera: camera), at: now + seconds(5...300))
            }
        case .recordByHand: radio.give(.hand(.record), to: camera, at: now)
        case .empty:
            disturb(camera, for: .seconds(2))
            radio.set("battery", to: "0", of: camera, at: now)
            eventQueue.add(.charge(camera: camera), at: now + seconds(10...120))
        case .unplug, .swapTwin, .powerOff, .block, .crash: beginAdapter(fault)
        case .receiver, .jump, .rateChange, .timeStep, .mislabel, .clockStep: try beginTime(fault)
        }
    }

    private mutating func beginRadio(_ fault: WorldFault, of camera: Int) {
        switch fault {
        case .dropLink: radio.dropLink(camera, at: now)
        case .outOfRange:
            let away = seconds(3...120)
            disturb(camera, for: away + .seconds(10))
            disturbNeighbours(of: camera, for: away + .seconds(10))
            radio.setRange(camera, false, at: now)
            eventQueue.add(.comeBack(camera: camera), at: now + away)
        case .stall:
            let length = TimeSpan.milliseconds(Int.random(in: 300...20_000, using: &random))
            disturb(camera, for: length + .seconds(10))
            disturbNeighbours(of: camera, for: length + .seconds(10))
            radio.stall(camera, until: now + length, at: now)
        case .oneWayStall:
            let length = TimeSpan.milliseconds(Int.random(in: 300...40_000, using: &random))
            disturb(camera, for: length + .seconds(10))
            disturbNeighbours(of: camera, for: length + .seconds(10))
            radio.stall(camera, until: now + length, isOneWay: true, at: now)
        case .deaf:
            radio.setDeaf(camera, true, at: now)
            radio.dropLink(camera, at: now)
            eventQueue.add(.hearAgain(camera: camera), at: now + seconds(10...180))
        case .mute:
            let length = seconds(2...40)
            disturb(camera, for: length + .seconds(10))
            radio.set("mute", to: "yes", of: camera, at: now)
            eventQueue.add(.speakAgain(camera: camera), at: now + length)
        case .noStatus:
            let length = seconds(2...60)
            disturb(camera, for: length + .seconds(10))
            radio.set("no_status", to: "yes", of: camera, at: now)
            eventQueue.add(.pushStatusAgain(camera: camera), at: now + length)
        default:
            radio.setRefusing(camera, percent: 30)
            radio.dropLink(camera, at: now)
            eventQueue.add(.stopRefusing(camera: camera), at: now + seconds(30...180))
        }
    }

    /// Excuses pauses at the other cameras of an adapter, since stalled links can hold up all of
    /// it.
    private mutating func disturbNeighbours(of camera: Int, for span: TimeSpan) {
        guard let adapter = radio.peripherals[camera].link?.adapter else { return }
        for other in watches.indices where radio.peripherals[other].link?.adapter == adapter {
            let isStalled = radio.peripherals[other].stalledUntil != nil
            // A single stalled link cannot hold sixteen buffers, because it is given fifteen frames
            // of credit. Two can.
            if other != camera, isStalled { disturbAll(for: span) }
        }
    }

    private mutating func beginAdapter(_ fault: WorldFault) {
        let adapter = Int.random(in: 0..<radio.adapters.count, using: &random)
        switch fault {
        case .unplug: radio.unplug(adapter, for: seconds(2...60), at: now)
        // Another dongle with the same address takes its place at once.
        case .swapTwin: radio.unplug(adapter, for: .milliseconds(1), at: now)
        case .block: radio.block(adapter, for: seconds(2...60), at: now)
        case .powerOff:
            radio.powered(adapter, false, at: now)
            eventQueue.add(.powerUp(adapter: adapter), at: now + seconds(60...120))
        default: radio.crashBlueZ(for: seconds(1...8), at: now)
        }
    }

    private mutating func beginTime(_ fault: WorldFault) throws(InvariantViolation) {
        switch fault {
        case .receiver:
            let kinds = SimulatedReceiver.Fault.allCases
            let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
            if let trace { trace(now, "* receiver \(kind)") }
            let end = now + seconds(1...30)
            for input in receiver.begin(kind, until: end, at: now) { try tell(.receiver(input)) }
        case .jump: receiver.jump(byDegrees: 0.01)
        case .rateChange:
            // The rate is a median: half a dozen epochs pass until it is believed.
            unsettledUntil = now + .seconds(8)
            receiver.setRate([1, 2, 5, 10, 10, 20, 25][Int.random(in: 0..<7, using: &random)])
        case .timeStep:
            // Leap seconds that become known, or a receiver that wakes up nineteen years ago.
            let leap = TimeSpan.seconds(Int.random(in: -3...3, using: &random))
            mislabelledUntil = now + .seconds(5)
            if chance(70, &random) { receiver.step(by: leap) } else { receiver.rollOver() }
        case .mislabel:
            // Time errors of real receivers, and any other: places must stay right (decision 40).
            let ahead = [530, 900, -300, 2000, Int.random(in: -5000...5000, using: &random)]
            mislabelledUntil = now + .seconds(5)
            receiver.mislabel(by: .milliseconds(ahead[Int.random(in: 0..<5, using: &random)]))
        default:
            clockError =
                clockError == .zero ? .seconds(Int.random(in: -9000...9000, using: &random)) : .zero
            try tell(.systemClock(systemClock))
        }
    }
}

/// Commands that people give.
extension World {
    mutating func order() throws(InvariantViolation) {
        let command = FleetCommand.random(&random)
        let all = Array(0..<plan.cameras)
        let one = [Int.random(in: 0..<plan.cameras, using: &random)]
        switch command {
        case .sleep, .forcedSleep, .disconnect, .reconnect, .wake, .snapshot:
            try self.command(command, to: one)
            if command == .sleep || command == .forcedSleep {
                let delay = seconds(20...400)
                // Some are woken by command, some by hand, some by both.
                eventQueue.add(.wakeByCommand(camera: one[0]), at: now + delay)
                eventQueue.add(.wakeByHand(camera: one[0]), at: now + delay + seconds(100...300))
            }
            if command == .disconnect {
                watches[one[0]].isHeld = true
                eventQueue.add(.connectAgain(camera: one[0]), at: now + seconds(5...120))
            }
            if command == .snapshot {
                // The camera falls asleep again after the snapshot, if it was asleep before.
                eventQueue.add(.wakeByHand(camera: one[0]), at: now + seconds(120...200))
            }
        case .forget, .rename, .raw, .restart:
            try self.command(command, to: one)
            if command == .forget, entry(one[0]) == nil {
                watches[one[0]].isForgotten = true
                eventQueue.add(.pairAgain(camera: one[0]), at: now + seconds(30...120))
            }
            if chance(40, &random) { try reload(one[0]) }
        default: try self.command(command, to: chance(60, &random) ? all : one)
        }
    }

    mutating func command(_ command: FleetCommand, to cameras: [Int]) throws(InvariantViolation) {
        report.commands += 1
        if let trace { trace(now, "> \(command) \(cameras)") }
        for camera in cameras {
            switch command {
            // The camera's stream pauses while it falls asleep or its link ends.
            case .sleep, .forcedSleep, .disconnect, .reconnect, .wake, .snapshot, .restart,
                .forget:
                disturb(camera, for: .seconds(15))
            default: break
            }
        }
        let ticket = ledger.give(
            command, at: now,
            links: radio.peripherals.prefix(plan.cameras).map(\.camera.handshakes))
        let target: Target =
            cameras.count == plan.cameras && !plan.admitsAny
            ? .all : .these(cameras.map { address($0).description })
        try tell(.command(ticket, command, target))
    }
}
