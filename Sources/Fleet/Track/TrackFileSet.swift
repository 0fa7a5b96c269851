import Clock
import TrackFormat

/// Bytes of rows in each file of a set; no dictionary, since it changes with every row.
private struct Sizes: Equatable {
    private var track = 0
    private var events = 0
    private var pushes = 0

    subscript(kind: TrackFileKind) -> Int {
        get {
            switch kind {
            case .track: track
            case .events: events
            case .pushes: pushes
            }
        }
        set {
            switch kind {
            case .track: track = newValue
            case .events: events = newValue
            case .pushes: pushes = newValue
            }
        }
    }
}

/// A set of files that is being written: track, events and pushes with one stamp.
struct TrackFileSet: Equatable, Sendable {
    /// Counts the sets of a run, from 1.
    let number: Int
    /// UTC less CLOCK_MONOTONIC, as the last trusted epoch had it.
    var offset: TimeSpan
    /// Of the last row; the next is later.
    private(set) var lastMilliseconds = Int64.min
    /// Names the set.
    let begun: UnixTime
    private var sizes = Sizes()
    /// `rotate` was said: nothing more is written here.
    var isOver = false
    /// GPS time made a step: rows of the new time do not belong here.
    var hasStepped = false

    init(number: Int, offset: TimeSpan, begun: UnixTime) {
        self.number = number
        self.offset = offset
        self.begun = begun
    }

    /// UTC at an instant, by the last trusted epoch.
    func time(at instant: Instant) -> UnixTime {
        UnixTime(nanoseconds: instant.nanoseconds) + offset
    }

    /// Why a line of so many bytes may not be written here any more.
    func reasonToEnd(
        _ rotation: TrackSettings.Rotation, kind: TrackFileKind, time: UnixTime, bytes: Int
    ) -> TrackReason? {
        if isOver { return .command }
        switch rotation {
        case .day:
            // Only forward: an event of the old day may come after the new day's first row.
            return Self.day(of: time) > Self.day(of: begun) ? .day : nil
        case .size(let limit):
            let size = sizes[kind]
            guard size > 0 else { return nil }
            return Int64(kind.header.utf8.count + size + bytes) > limit ? .size : nil
        }
    }

    mutating func count(_ kind: TrackFileKind, bytes: Int) {
        sizes[kind] += bytes
    }

    /// False for a row that is not later than the last one.
    mutating func advance(to milliseconds: Int64) -> Bool {
        guard milliseconds > lastMilliseconds else { return false }
        lastMilliseconds = milliseconds
        return true
    }

    /// Rows go on increasing: the set that ends has seen the row that begins this one.
    mutating func follow(_ last: TrackFileSet) { lastMilliseconds = last.lastMilliseconds }

    private static func day(of time: UnixTime) -> Int64 {
        time.wholeSeconds.dividedRoundingDown(by: 86_400)
    }
}
