import Clock
import OsmoProtocol

/// What the camera said of itself on this link.
struct LiveStatus: Equatable, Sendable {
    /// The last 1D02.
    private(set) var status: CameraStatus?
    /// When it came.
    private(set) var instant: Instant?
    /// The last 1D06. It comes only when something changes, so it stays until the next.
    private(set) var text: StatusText?

    /// A status push came.
    mutating func update(_ status: CameraStatus, at now: Instant) {
        self.status = status
        instant = now
    }

    /// A text push came.
    mutating func update(_ text: StatusText) { self.text = text }

    /// The last status, unless it is so old that it no longer tells how things are.
    func fresh(at now: Instant) -> CameraStatus? { isFresh(at: now) ? status : nil }

    /// Whether status pushes come.
    func isFresh(at now: Instant) -> Bool {
        guard let instant else { return false }
        return now - instant < SessionTiming.status
    }

    /// Seconds recorded so far, counted on from the last push; nil while not recording.
    func recordSeconds(at now: Instant) -> Int? {
        guard let status, let instant, status.isRecording else { return nil }
        return Int(status.recordTime) + Int((now - instant).nanoseconds / 1_000_000_000)
    }
}
