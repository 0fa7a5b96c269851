import Clock
import OsmoProtocol

/// One frame of a command, how it is tried, and what shows that it worked (contract 3.6).
enum CommandStep: Equatable, Sendable {
    case mode(CameraMode)
    case record(starts: Bool)
    case key(KeyReport.Key)
    case sleep
    case restart
    case version
    /// Sent as it is; its sequence number is its own.
    case raw(frame: [UInt8], sequence: UInt16, opcode: Opcode)

    /// What its answer is matched on, besides the sequence number.
    var opcode: Opcode {
        switch self {
        case .mode: .modeSwitch
        case .record: .record
        case .key: .key
        case .sleep: .power
        case .restart: .restart
        case .version: .version
        case .raw(_, _, let opcode): opcode
        }
    }

    /// How often it is sent at most. Keys toggle: a second press would undo the first.
    var tries: Int {
        switch self {
        case .mode, .record, .sleep, .version: SessionTiming.tries
        case .key, .restart, .raw: 1
        }
    }

    /// How long one try waits for the answer.
    var patience: TimeSpan {
        switch self {
        case .mode, .record, .key, .sleep, .version: SessionTiming.answer
        case .restart: SessionTiming.restart
        case .raw: SessionTiming.rawAnswer
        }
    }

    /// Whether it is done only when the camera's status says so.
    var needsStatus: Bool {
        switch self {
        case .mode, .record, .sleep: true
        case .key, .restart, .version, .raw: false
        }
    }

    /// Whether it may end a recording.
    var mayEndRecording: Bool {
        switch self {
        case .record(let starts): !starts
        case .mode, .sleep, .restart, .raw: true
        case .key(let key): key != .quickSwitch
        case .version: false
        }
    }

    /// Whether nothing but tries of it may be sent once it is out: the camera is about to sleep.
    var silencesLink: Bool {
        switch self {
        case .sleep: true
        case .raw(let frame, _, _):
            (try? Frame(datagram: frame))?.read(PowerMode.self) == .sleep
        case .mode, .record, .key, .restart, .version: false
        }
    }

    /// Whether a status push shows that it worked.
    ///
    /// - Parameter answered: whether the camera acknowledged it. A camera that fills its pre-record
    ///   buffer (status 5) looks the same before and after: only with the acknowledgement it counts.
    func isShown(by status: CameraStatus, answered: Bool) -> Bool {
        switch self {
        case .mode(let mode): status.mode == mode
        case .record(starts: true):
            status.isRecording || (answered && status.isPreRecording)
        case .record(starts: false):
            !status.isRecording && (answered || !status.isPreRecording)
        case .sleep: status.isAsleep
        case .key, .restart, .version, .raw: false
        }
    }

    /// The bytes of one try.
    ///
    /// - Parameter deviceID: the camera's own.
    func bytes(deviceID: UInt32, sequence: UInt16) -> [UInt8] {
        switch self {
        case .mode(let mode):
            Frame(ModeSwitch(deviceID: deviceID, mode: mode), sequence: sequence).encoded
        case .record(let starts):
            Frame(RecordControl(deviceID: deviceID, starts: starts), sequence: sequence).encoded
        case .key(let key): Frame(KeyReport.short(key), sequence: sequence).encoded
        case .sleep: Frame(PowerMode.sleep, sequence: sequence).encoded
        case .restart: Frame(Restart(deviceID: deviceID), sequence: sequence).encoded
        case .version: Frame(VersionQuery(), sequence: sequence).encoded
        case .raw(let frame, _, _): frame
        }
    }
}
