import Clock

/// Frames that the link did not take, on their way to another attempt.
///
/// On the WriteValue path a second frame within the same few milliseconds meets the first one still
/// in flight, as step 4 of the handshake and the version query behind it do. Waiting for a timeout
/// each time would cost seconds. GPS pushes never come here.
struct Resends: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        var frame: [UInt8]
        /// nil while its latest attempt is out.
        var due: Instant?
        var attempts: Int
    }

    private var entries: [Entry] = []

    /// When the next attempt is due.
    var next: Instant? { entries.isEmpty ? nil : entries.compactMap(\.due).min() }

    /// A frame was not taken. After `SessionTiming.resends` attempts it is given up: the timeout of
    /// whoever waits for its answer takes over.
    mutating func dropped(_ frame: [UInt8], at now: Instant) {
        if let index = entries.firstIndex(where: { $0.frame == frame }) {
            if entries[index].attempts >= SessionTiming.resends {
                entries.remove(at: index)
            } else {
                entries[index].due = now + SessionTiming.resend
            }
            return
        }
        if entries.count >= SessionTiming.resendFrames { entries.removeFirst() }
        entries.append(Entry(frame: frame, due: now + SessionTiming.resend, attempts: 0))
    }

    /// The frames to try again now; each counts as attempted.
    mutating func removeDue(at now: Instant) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        for index in entries.indices {
            guard let due = entries[index].due, due <= now else { continue }
            entries[index].due = nil
            entries[index].attempts += 1
            frames.append(entries[index].frame)
        }
        return frames
    }

    /// The link is gone, or nothing may be sent any more.
    mutating func clear() { entries.removeAll() }
}
