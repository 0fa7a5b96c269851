import Clock
import Navigation
import TrackFormat

/// Rows that cannot be written yet, since the time is not known: the newest epochs, and of events
/// and pushes the dearest.
struct HeldRows: Equatable, Sendable {
    /// Epochs that arrived longer ago are dropped.
    static let maxAge = TimeSpan.seconds(60)
    /// A minute at 40 Hz, the fastest receivers' rate.
    static let maxEpochs = 2400
    /// Events and pushes, in the order they came.
    static let maxLines = 2048

    /// An event or a push that was finished without a file to go to.
    struct Line: Equatable, Sendable {
        var kind: TrackFileKind
        var bytes: [UInt8]
        var worth: LineWorth
    }

    private(set) var epochs: [ClosedEpoch] = []
    private(set) var lines: [Line] = []
    /// What the bounds cost since the last `removeAll`.
    private(set) var droppedEpochs = 0
    private(set) var droppedLines = 0

    mutating func append(_ epoch: ClosedEpoch, at now: Instant) {
        epochs.append(epoch)
        let young = epochs.firstIndex { now - $0.fix.arrival <= Self.maxAge } ?? epochs.count
        let excess = max(young, epochs.count - Self.maxEpochs)
        epochs.removeFirst(excess)
        droppedEpochs += excess
    }

    mutating func append(_ line: Line) {
        lines.append(line)
        guard lines.count > Self.maxLines else { return }
        for worth in LineWorth.allCases {
            guard let oldest = lines.firstIndex(where: { $0.worth == worth }) else { continue }
            lines.remove(at: oldest)
            droppedLines += 1
            return
        }
    }

    /// All of it; nothing stays.
    mutating func removeAll() -> HeldRows {
        let all = self
        self = HeldRows()
        return all
    }
}
