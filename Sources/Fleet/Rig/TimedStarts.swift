import Clock
import LineProtocol
import OsmoProtocol

/// Recordings that are to start at an instant of UTC, and the cameras that wait for it (contract
/// 3.9). Nothing of it outlives the run.
struct TimedStarts: Sendable {
    /// How far ahead the instant may lie.
    static let ahead = TimeSpan.milliseconds(200)...TimeSpan.seconds(60)
    /// A start that is off by more, because time stepped or the machine slept, is not made.
    static let tolerance = TimeSpan.milliseconds(200)
    /// Starts that wait at once; a further one is `busy`.
    static let bound = 16

    /// One command.
    struct Start: Equatable, Sendable {
        let ticket: Ticket
        /// When, as it was asked for.
        let utc: UnixTime
        /// The same by the monotonic clock.
        let due: Instant
        /// Cameras that wait for it, in the order in which they are told.
        var cameras: [BluetoothAddress]
    }

    private var starts: [Start] = []

    /// Whether a further start is refused as `busy`.
    var isFull: Bool { starts.count >= Self.bound }

    /// When the first is due; never where none waits.
    var deadline: Instant { starts.reduce(.never) { min($0, $1.due) } }

    /// Adds one; the caller has seen that there is room.
    mutating func add(_ start: Start) { starts.append(start) }

    /// Those whose instant has come, the earliest first; they wait no more.
    mutating func removeDue(at now: Instant) -> [Start] {
        let due = starts.filter { $0.due <= now }
        starts.removeAll { $0.due <= now }
        return due.sorted { $0.due < $1.due }
    }

    /// These cameras wait no more.
    ///
    /// - Returns: whose answers are owed now, in the order in which they were asked.
    mutating func cancel(
        _ isMeant: (BluetoothAddress) -> Bool
    ) -> [(ticket: Ticket, camera: BluetoothAddress)] {
        var cancelled: [(ticket: Ticket, camera: BluetoothAddress)] = []
        for index in starts.indices {
            for camera in starts[index].cameras where isMeant(camera) {
                cancelled.append((starts[index].ticket, camera))
            }
            starts[index].cameras.removeAll(where: isMeant)
        }
        starts.removeAll { $0.cameras.isEmpty }
        return cancelled
    }
}
