import Fleet
import LineProtocol
import OsmoProtocol

/// What the script of a run does to the world, besides the cameras, the radio and the receiver
/// themselves.
enum ScriptTask: Sendable {
    case fault
    case command
    case systemClock
    case audit
    case end
    /// Somebody wakes a camera by its button.
    case wakeByHand(camera: Int)
    case comeBack(camera: Int)
    case hearAgain(camera: Int)
    case speakAgain(camera: Int)
    case pushStatusAgain(camera: Int)
    case stopRefusing(camera: Int)
    case charge(camera: Int)
    case powerUp(adapter: Int)
    case connectAgain(camera: Int)
    case wakeByCommand(camera: Int)
    /// A person tries again what was given up after `retries` failures.
    case reconnect(camera: Int)
    /// A camera that was forgotten is to be paired again.
    case pairAgain(camera: Int)
    /// The configuration is read again, with something in it changed.
    case reload(camera: Int)
}

/// What can go wrong, and how often in a hundred faults.
enum WorldFault: CaseIterable, Sendable {
    case dropLink, outOfRange, stall, oneWayStall, deaf, mute, noStatus, refusing
    case sleepByHand, recordByHand
    case empty, unplug, swapTwin, powerOff, block, crash
    case receiver, jump, rateChange, timeStep, mislabel, clockStep

    private var weight: Int {
        switch self {
        case .dropLink: 14
        case .outOfRange: 10
        case .stall: 10
        case .oneWayStall: 8
        case .sleepByHand: 4
        case .deaf: 4
        case .mute: 4
        case .noStatus: 4
        case .refusing: 4
        case .recordByHand: 5
        case .empty: 3
        case .unplug: 3
        case .swapTwin: 2
        case .powerOff: 3
        case .block: 2
        case .crash: 4
        case .receiver: 12
        case .jump: 3
        case .rateChange: 4
        case .timeStep: 4
        case .mislabel: 6
        case .clockStep: 2
        }
    }

    private static let total = allCases.reduce(0) { $0 + $1.weight }

    static func random(_ random: inout SeededGenerator) -> WorldFault {
        var left = Int.random(in: 0..<total, using: &random)
        for fault in allCases {
            left -= fault.weight
            if left < 0 { return fault }
        }
        return .dropLink
    }
}

extension FleetCommand {
    /// A command that a person gives, drawn by chance.
    static func random(_ random: inout SeededGenerator) -> FleetCommand {
        switch Int.random(in: 0..<22, using: &random) {
        case 0...3: return .record(.start)
        case 4...6: return .record(.stop)
        case 7: return .record(.toggle)
        case 8: return .photo
        case 9: return .mode(name: "video")
        case 10: return .mode(name: ["photo", "timelapse", "boost-video"][Int(random.next() % 3)])
        case 11: return .key(FleetCommand.Key.allCases[Int(random.next() % 2)])
        case 12: return random.next() % 2 == 0 ? .sleep : .forcedSleep
        case 13: return .wake
        case 14: return .snapshot
        case 15: return .version
        case 16: return .reconnect
        case 18: return .restart
        case 19: return .raw(frame: Frame(VersionQuery(), sequence: 0xFFF0).encoded)
        case 20: return .forget
        case 21: return .rename(to: "renamed\(random.next() % 1000)")
        default: return .disconnect
        }
    }
}
