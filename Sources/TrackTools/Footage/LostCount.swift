import Footage

/// Counts the pushes that were sent while a clip was filmed, and how many of them no frame shows.
struct LostCount {
    /// Number of the clip.
    let clip: Int
    private(set) var sent = 0
    private(set) var lost = 0

    private let match: PushMatch
    private let camera: String?
    /// UTC, microseconds.
    private let span: ClosedRange<Double>
    /// The position before. A push that does not change it cannot be seen to arrive, and is not
    /// counted.
    private var last: HeldPlace?
    private var places: Set<HeldPlace>

    init(clip: Int, of matched: MatchedClip, powerUp: PowerUp, camera: String?) {
        self.clip = clip
        match = powerUp.match
        self.camera = camera.flatMap { $0.contains(" or ") ? nil : $0 }
        places = Set(matched.clip.runs.map(\.place))
        let frame = matched.clip.frameInterval
        // At the clip's ends a push may still have been on its way.
        let start = match.fit.utc(ofClock: Double(matched.clip.firstClock) + frame)
        let end = match.fit.utc(ofClock: Double(matched.clip.lastClock) - frame) - 60_000
        span = start...max(start, end)
    }

    mutating func take(_ record: PushRecord, log: Int) {
        guard let push = record.sent(log: log), let utc = push.utcMicroseconds else { return }
        defer { last = push.place }
        guard span.contains(Double(utc)), push.place != last, took(record) else { return }
        sent += 1
        if !match.has(log: log, monotonic: push.monotonicMicroseconds), !places.contains(push.place)
        {
            lost += 1
        }
    }

    private func took(_ record: PushRecord) -> Bool {
        guard let camera else { return true }
        return record.took.split(separator: "+").contains { $0 == camera }
    }
}
