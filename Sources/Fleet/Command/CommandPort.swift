package import Navigation

/// Marks the answers to one request; chosen by whoever asks, never used twice.
package struct Ticket: Hashable, Sendable {
    package let number: UInt64
    package init(number: UInt64) { self.number = number }
}

/// A command that cameras or the roster take part in (contract 3.1). What only looks, or only
/// concerns the daemon, does not come this far.
package enum FleetCommand: Equatable, Sendable {
    package enum Record: String, Sendable, CaseIterable { case start, stop, toggle }
    package enum Key: String, Sendable, CaseIterable { case record, qs, snapshot }

    case record(Record)
    case photo
    /// By field name, where an Osmo 360 in its panoramic group takes the panoramic code.
    case mode(name: String)
    /// Literally this code.
    case modeCode(UInt8)
    case key(Key)
    case sleep
    case wake
    case snapshot
    case restart
    case pair(Span)
    case forget
    case rename(to: String)
    case connect
    case disconnect
    case reconnect
    /// A whole frame with right checksums.
    case raw(frame: [UInt8])
    case version

    /// The KIND of its reply lines.
    package var verb: String {
        switch self {
        case .record: "record"
        case .photo: "photo"
        case .mode, .modeCode: "mode"
        case .key: "key"
        case .sleep: "sleep"
        case .wake: "wake"
        case .snapshot: "snapshot"
        case .restart: "restart"
        case .pair: "pair"
        case .forget: "forget"
        case .rename: "rename"
        case .connect: "connect"
        case .disconnect: "disconnect"
        case .reconnect: "reconnect"
        case .raw: "raw"
        case .version: "version"
        }
    }
}

/// Whom a command is for.
package enum Target: Equatable, Sendable {
    /// The roster.
    case all
    /// Names, addresses or numbers as they were typed; resolved all or nothing.
    case these([String])
}

/// A data line of a reply: `KIND NAME key=value …`.
package struct ReplyLine: Equatable, Sendable {
    package var kind: String
    package var name: String
    package var fields: [Field]

    package init(kind: String, name: String, fields: [Field]) {
        self.kind = kind
        self.name = name
        self.fields = fields
    }
}

/// The last line of a reply.
package enum ReplyEnd: Equatable, Sendable {
    case ok
    case error(ErrorCode, String)
}

/// The codes of `ERR` and of `result=` (contract 3.4).
package enum ErrorCode: String, Sendable, CaseIterable {
    case badCommand = "bad-command"
    case badArgument = "bad-argument"
    case noCamera = "no-camera"
    case notReady = "not-ready"
    case unsupported
    case refused
    case timeout
    case busy
    case partial
    case disk
    case `internal`
}
