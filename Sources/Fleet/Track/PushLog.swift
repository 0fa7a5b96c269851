import Clock
import Navigation
import OsmoProtocol
import RadioPort
import TrackFormat

/// A push that a row tells of.
struct LoggedPush: Equatable, Sendable {
    var position: CarriedPosition?
    var utc: UnixTime?
    var sent: Instant
    var frame: [UInt8]
    var links: [LinkID]
    var dropped: [LinkID] = []
}

/// The push log's row under way, and the pauses between pushes.
///
/// A row waits until the next push, since links say only afterwards that they did not take a frame.
struct PushLog: Equatable, Sendable {
    private var pending: LoggedPush?
    private var names: [BluetoothAddress: String] = [:]
    /// When the last frame with a position went to anybody; nil after void frames.
    private var lastPosition: Instant?

    mutating func rename(_ entries: [RosterEntry]) {
        names = [:]
        for entry in entries { names[entry.address] = entry.name }
    }

    /// - Parameter utc: the pushed position's time, where time is trusted.
    mutating func begin(_ push: Push, utc: UnixTime?, at now: Instant) {
        pending = LoggedPush(
            position: push.position, utc: utc, sent: now, frame: push.frame, links: push.links)
    }

    /// Only what was pushed counts here, not commands.
    mutating func dropped(_ link: LinkID, frame: [UInt8]) {
        if pending?.frame == frame { pending?.dropped.append(link) }
    }

    /// The push under way, over; nil if there is none.
    mutating func finish() -> LoggedPush? {
        defer { pending = nil }
        return pending
    }

    /// The row of a push.
    func line(_ push: LoggedPush) -> [UInt8] {
        let dropped = push.links.filter(push.dropped.contains)
        let took = push.links.filter { !push.dropped.contains($0) }
        return PushRow.line(
            push.position, utc: push.utc, sent: push.sent, fields: Self.fields(push.frame),
            took: took.map(name),
            dropped: dropped.map(name))
    }

    /// What the frame says, read back from its bytes: they are what cameras get.
    private static func fields(_ frame: [UInt8]) -> PushRow.Sent? {
        guard let push = (try? Frame(datagram: frame))?.read(GPSPush.self) else { return nil }
        return PushRow.Sent(
            latitudeE7: push.latitudeE7, longitudeE7: push.longitudeE7,
            heightMillimetres: push.heightMillimetres, date: push.date, time: push.time,
            isVoid: push.isVoid)
    }

    /// How long it is since the last push of a position, where positions were meant to flow.
    mutating func pause(before push: Push, at now: Instant) -> TimeSpan? {
        guard push.position != nil, !push.links.isEmpty else {
            lastPosition = nil
            return nil
        }
        defer { lastPosition = now }
        return lastPosition.map { now - $0 }
    }

    private func name(_ link: LinkID) -> String { names[link.camera] ?? link.camera.description }
}
