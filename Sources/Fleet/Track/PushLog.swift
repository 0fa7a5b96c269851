import Clock
import Navigation
import OsmoProtocol
import RadioPort
import TrackFormat

/// The push log's row under way, and the pauses between pushes.
///
/// A row waits until the next push, since links say only afterwards that they did not take a frame.
struct PushLog: Equatable, Sendable {
    private struct Pending: Equatable, Sendable {
        var position: CarriedPosition?
        var utc: UnixTime?
        var sent: Instant
        var frame: [UInt8]
        var links: [LinkID]
        var dropped: [LinkID] = []
    }

    private var pending: Pending?
    private var names: [BluetoothAddress: String] = [:]
    /// When the last frame with a position went to anybody; nil after void frames.
    private var lastPosition: Instant?

    mutating func rename(_ entries: [RosterEntry]) {
        names = [:]
        for entry in entries { names[entry.address] = entry.name }
    }

    /// - Parameter utc: the pushed position's time, where time is trusted.
    mutating func begin(_ push: Push, utc: UnixTime?, at now: Instant) {
        pending = Pending(
            position: push.position, utc: utc, sent: now, frame: push.frame, links: push.links)
    }

    /// Only what was pushed counts here, not commands.
    mutating func dropped(_ link: LinkID, frame: [UInt8]) {
        if pending?.frame == frame { pending?.dropped.append(link) }
    }

    /// The row under way, finished; nil if there is none.
    mutating func finish() -> [UInt8]? {
        guard let push = pending else { return nil }
        pending = nil
        let dropped = push.links.filter(push.dropped.contains)
        let took = push.links.filter { !push.dropped.contains($0) }
        return PushRow.line(
            push.position, utc: push.utc, sent: push.sent, took: took.map(name),
            dropped: dropped.map(name))
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
