import Clock

/// Which pushes get a row: with `auto` those of while a camera records, and of ten seconds around;
/// the ones before wait here, not yet written out.
///
/// | setting | cameras | a push |
/// | --- | --- | --- |
/// | off | | is dropped |
/// | on | | passes |
/// | auto | one records, or did 10 s ago | passes, behind what was held |
/// | auto | none | is held, for 10 s |
struct PushGate: Equatable, Sendable {
    /// Around a recording.
    static let around = TimeSpan.seconds(10)
    /// Pushes that are held: ten seconds of 11 a second, and voids among them.
    static let maxHeld = 160

    private var held: [LoggedPush] = []
    private var isRecording = false
    /// Until when pushes pass.
    private var openUntil: Instant?

    /// What passes now, oldest first.
    mutating func pass(
        _ push: LoggedPush, _ setting: TrackSettings.Pushes, at now: Instant
    ) -> [LoggedPush] {
        switch setting {
        case .off:
            held = []
            return []
        case .on: break
        case .auto:
            guard isRecording || openUntil.map({ now <= $0 }) ?? false else {
                hold(push, at: now)
                return []
            }
        }
        held.append(push)
        return release()
    }

    /// A recording began or goes on.
    ///
    /// - Returns: what was held for it.
    mutating func record(_ setting: TrackSettings.Pushes, at now: Instant) -> [LoggedPush] {
        isRecording = true
        openUntil = now + Self.around
        guard setting == .auto else { return [] }
        drop(at: now)
        return release()
    }

    /// No camera records.
    mutating func rest(at now: Instant) {
        if isRecording { openUntil = now + Self.around }
        isRecording = false
    }

    private mutating func hold(_ push: LoggedPush, at now: Instant) {
        held.append(push)
        drop(at: now)
    }

    private mutating func drop(at now: Instant) {
        let young = held.firstIndex { now - $0.sent <= Self.around } ?? held.count
        held.removeFirst(max(young, held.count - Self.maxHeld))
    }

    private mutating func release() -> [LoggedPush] {
        defer { held = [] }
        return held
    }
}
