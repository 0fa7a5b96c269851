package import Clock
package import LineProtocol

/// A command that one camera's session carries out. The others of `FleetCommand` are the rig's.
package enum CameraCommand: Equatable, Sendable {
    case record(FleetCommand.Record)
    case photo
    /// By field name; an Osmo 360 in its panoramic group takes the panoramic code.
    case mode(name: String)
    /// Literally this code.
    case modeCode(UInt8)
    case key(FleetCommand.Key)
    /// Busy where the camera records.
    case sleep
    /// Whether it records or not.
    case forcedSleep
    case restart
    case version
    /// A whole frame with right checksums, sent as it is.
    case raw(frame: [UInt8])

    /// nil where the command is not for one camera's session.
    package init?(_ command: FleetCommand) {
        switch command {
        case .record(let action): self = .record(action)
        case .photo: self = .photo
        case .mode(let name): self = .mode(name: name)
        case .modeCode(let code): self = .modeCode(code)
        case .key(let key): self = .key(key)
        case .sleep: self = .sleep
        case .forcedSleep: self = .forcedSleep
        case .restart: self = .restart
        case .raw(let frame): self = .raw(frame: frame)
        case .version: self = .version
        case .wake, .snapshot, .pair, .forget, .rename, .connect, .disconnect, .reconnect,
            .timedStart:
            return nil
        }
    }

    /// The KIND of its reply lines, and what `busy` names.
    package var verb: String {
        switch self {
        case .record: "record"
        case .photo: "photo"
        case .mode, .modeCode: "mode"
        case .key: "key"
        case .sleep, .forcedSleep: "sleep"
        case .restart: "restart"
        case .version: "version"
        case .raw: "raw"
        }
    }
}

/// How a command to one camera ended.
package struct CameraOutcome: Equatable, Sendable {
    /// nil for `result=ok`.
    package var error: ErrorCode?
    /// Why it failed, for the message of `ERR`; nil when ok.
    package var words: String?
    /// When the frame that did it (of a record in photo mode, the record frame) was first sent; nil
    /// when nothing was.
    package var sent: Instant?
    /// When the camera's answer to that came.
    package var acknowledged: Instant?
    /// When its status said so; of commands that status does not show, when it answered.
    package var confirmed: Instant?
    /// What else the reply line says: `answer=`, `product=`, `mode=`, …
    package var fields: [Field]

    /// What one camera made of a command.
    package init(
        error: ErrorCode? = nil, words: String? = nil, sent: Instant? = nil,
        acknowledged: Instant? = nil, confirmed: Instant? = nil, fields: [Field] = []
    ) {
        self.error = error
        self.words = words
        self.sent = sent
        self.acknowledged = acknowledged
        self.confirmed = confirmed
        self.fields = fields
    }

    /// Failed, and why.
    package static func failed(_ error: ErrorCode, _ words: String) -> CameraOutcome {
        CameraOutcome(error: error, words: words)
    }
}
