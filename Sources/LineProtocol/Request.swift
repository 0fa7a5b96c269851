/// One line of the control language, read: `[#TAG] VERB [ARGUMENT…] [TARGET]` (contract 2.1).
package struct Request: Equatable, Sendable {
    /// Bytes of a line with its LF.
    package static let maxLineLength = 1024
    /// Characters of a tag, without its `#`.
    package static let maxTagLength = 16

    /// The tag that each line of the reply begins with; nil where none was given or the line could
    /// not be read.
    package var tag: String?
    /// What is asked for, or the one thing that is wrong.
    package var action: Result<RequestAction, RequestFault>

    /// A request that was read. `tag` comes back on each line of the answer.
    package init(tag: String?, action: Result<RequestAction, RequestFault>) {
        self.tag = tag
        self.action = action
    }
}

/// What a request asks for.
package enum RequestAction: Equatable, Sendable {
    /// The rig answers.
    case fleet(FleetCommand, Target)
    /// The daemon answers without asking a camera.
    case daemon(DaemonCommand)

    /// The verb that was given.
    package var verb: Verb {
        switch self {
        case .fleet(let command, _): command.verb
        case .daemon(let command): command.verb
        }
    }
}

/// A request that only reads, or that concerns the daemon alone.
package enum DaemonCommand: Equatable, Sendable {
    /// The argument of `track`.
    package enum Track: String, Sendable, CaseIterable { case on, off, rotate }
    /// The argument of `auto`.
    package enum Auto: String, Sendable, CaseIterable { case on, off, status }

    case help(Verb?)
    case status(json: Bool)
    case cameras
    case camera(Target)
    case gps
    case modes(Target)
    case auto(Auto)
    case track(Track)
    case mark(String)
    case events(Bool)
    case logLevel(LogLevel)
    case reload
    case quit

    /// The KIND of its reply lines.
    package var verb: Verb {
        switch self {
        case .help: .help
        case .status: .status
        case .cameras: .cameras
        case .camera: .camera
        case .gps: .gps
        case .modes: .modes
        case .auto: .auto
        case .track: .track
        case .mark: .mark
        case .events: .events
        case .logLevel: .loglevel
        case .reload: .reload
        case .quit: .quit
        }
    }
}
