package import Clock
import OsmoProtocol

/// A command to cameras, or a change of the roster (contract 3.1). Requests that only read, or that
/// concern the daemon alone, are `DaemonCommand`s.
package enum FleetCommand: Equatable, Sendable {
    /// The argument of `record`.
    package enum Record: String, Sendable, CaseIterable { case start, stop, toggle }
    /// The argument of `key`; `qs` is quick switch (protocol 3.3).
    package enum Key: String, Sendable, CaseIterable { case record, qs, snapshot }

    case record(Record)
    /// Recording starts at this instant, by GPS time.
    case timedStart(at: UnixTime)
    case photo
    /// By its name of contract 4.10; an Osmo 360 in its panoramic lens group gets the panoramic
    /// code.
    case mode(name: String)
    /// Exactly this code.
    case modeCode(UInt8)
    case key(Key)
    /// Only cameras that do not record are sent to sleep.
    case sleep
    /// Cameras are sent to sleep even if they record.
    case forcedSleep
    case wake
    case snapshot
    case restart
    case pair(TimeSpan)
    case forget
    case rename(to: String)
    case connect
    case disconnect
    case reconnect
    /// A whole frame with right checksums.
    case raw(frame: [UInt8])
    case version

    /// The KIND of its reply lines.
    package var verb: Verb {
        switch self {
        case .record, .timedStart: .record
        case .photo: .photo
        case .mode, .modeCode: .mode
        case .key: .key
        case .sleep, .forcedSleep: .sleep
        case .wake: .wake
        case .snapshot: .snapshot
        case .restart: .restart
        case .pair: .pair
        case .forget: .forget
        case .rename: .rename
        case .connect: .connect
        case .disconnect: .disconnect
        case .reconnect: .reconnect
        case .raw: .raw
        case .version: .version
        }
    }
}
