import Clock
import Fleet
import LineProtocol
import OsmoProtocol

/// Carries out the script: what the seed decides on.
extension World {
    mutating func scheduleFault() { eventQueue.add(.fault, at: now + pause(plan.faultsAnHour)) }

    mutating func scheduleCommand() {
        eventQueue.add(.command, at: now + pause(plan.commandsAnHour))
    }

    /// A random pause: `anHour` of them make an hour on average, and none is longer than four times
    /// that average.
    private mutating func pause(_ anHour: Int) -> TimeSpan {
        let mean = 3_600_000 / anHour
        let factors = (0..<3).map { _ in Int.random(in: 1...1000, using: &random) }
        return .milliseconds(max(50, mean * 3 * (factors.min() ?? 1) / 1000 * 4 / 3))
    }

    mutating func seconds(_ range: ClosedRange<Int>) -> TimeSpan {
        .milliseconds(
            Int.random(in: range.lowerBound * 1000...range.upperBound * 1000, using: &random))
    }

    mutating func perform(_ task: ScriptTask) throws(InvariantViolation) {
        if let trace, report.steps > 0 {
            if case .audit = task {} else { trace(now, "* \(task)") }
        }
        switch task {
        case .audit:
            try audit()
            if !isFinished { eventQueue.add(.audit, at: now + .seconds(1)) }
        case .systemClock:
            try tell(.systemClock(systemClock))
            eventQueue.add(.systemClock, at: now + .seconds(60))
        case .fault:
            report.faults += 1
            try begin(WorldFault.random(&random))
            scheduleFault()
        case .command:
            try order()
            scheduleCommand()
        case .end:
            beginEnd()
            eventQueue.removeAll { _ in true }
            eventQueue.add(.audit, at: now + .seconds(1))
            try tell(.shutdown)
        case .connectAgain(let camera):
            watches[camera].isHeld = false
            try command(.connect, to: [camera])
        case .wakeByCommand(let camera): try command(.wake, to: [camera])
        case .reconnect(let camera): try command(.reconnect, to: [camera])
        case .pairAgain(let camera): try pairAgain(camera)
        case .reload(let camera): try reload(camera)
        default: undo(task)
        }
    }

    private mutating func undo(_ task: ScriptTask) {
        switch task {
        case .wakeByHand(let camera):
            if radio.peripherals[camera].camera.power != .on {
                radio.give(.hand(.power), to: camera, at: now)
            }
        case .comeBack(let camera): radio.setRange(camera, true, at: now)
        case .hearAgain(let camera): radio.setDeaf(camera, false, at: now)
        case .speakAgain(let camera): radio.set("mute", to: "no", of: camera, at: now)
        case .pushStatusAgain(let camera): radio.set("no_status", to: "no", of: camera, at: now)
        case .stopRefusing(let camera): radio.setRefusing(camera, percent: 0)
        case .charge(let camera):
            radio.set("battery", to: "90", of: camera, at: now)
            if radio.peripherals[camera].camera.power != .on {
                radio.give(.hand(.power), to: camera, at: now)
            }
        case .powerUp(let adapter): radio.powered(adapter, true, at: now)
        case .fault, .command, .systemClock, .audit, .end, .connectAgain, .wakeByCommand,
            .reconnect, .pairAgain, .reload:
            break
        }
    }

    var systemClock: SystemClock {
        SystemClock(
            time: UnixTime(nanoseconds: Plan.start.nanoseconds + now.nanoseconds) + clockError,
            synchronised: clockError == .zero, maxError: .milliseconds(5))
    }
}
