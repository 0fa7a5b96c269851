/// A recording that failed.
struct FailedRecording: Equatable {
    /// Since 1970.
    var milliseconds: Int64
    var camera: String
    /// What went wrong, for people.
    var words: String
}

/// Finds in events the recordings that failed: never begun, or ended by something else than a
/// person.
struct FailureFinder {
    /// A camera that was told to record does so within this, milliseconds.
    static let maxStart: Int64 = 10_000
    /// An alarm and an end that belong together lie within this, milliseconds.
    static let sameEnd: Int64 = 5000
    /// Failures that are kept.
    static let maxFailures = 2000

    private var clock = EventClock()
    private var asked: [String: Int64] = [:]
    private(set) var failures: [FailedRecording] = []

    /// The next row of the events files, oldest first.
    mutating func add(_ event: EventRecord) {
        guard let time = clock.milliseconds(of: event) else { return }
        giveUp(before: time - Self.maxStart)
        guard !event.camera.isEmpty else { return }
        if event.event == "alarm", let reason = event["reason"] {
            alarm(reason, event.camera, time)
        }
        guard event.event == "record" else { return }
        switch event["state"] {
        case "sent" where event["action"] == "start":
            if asked[event.camera] == nil { asked[event.camera] = time }
        case "started": asked[event.camera] = nil
        case "stopped":
            asked[event.camera] = nil
            if let words = Self.words(event["cause"]) { add(time, event.camera, words) }
        default: break
        }
    }

    /// In the order of time.
    mutating func finish() -> [FailedRecording] {
        giveUp(before: .max)
        return failures.sorted { ($0.milliseconds, $0.camera) < ($1.milliseconds, $1.camera) }
    }

    private static func words(_ cause: String?) -> String? {
        switch cause {
        case "card": "ended: the card was full"
        case "hot": "ended: the camera was too hot"
        case "unseen": "nobody saw it end"
        default: nil
        }
    }

    private mutating func alarm(_ reason: String, _ camera: String, _ time: Int64) {
        switch reason {
        case "stopped": add(time, camera, "ended by itself while others recorded")
        case "card-full": add(time, camera, "ended: the card was full")
        case "hot": add(time, camera, "ended: the camera was too hot")
        default: break
        }
    }

    /// One failure is told by a status and by an alarm: the first words stay.
    private mutating func add(_ time: Int64, _ camera: String, _ words: String) {
        let isKnown = failures.contains {
            $0.camera == camera && abs($0.milliseconds - time) <= Self.sameEnd
        }
        if isKnown || failures.count >= Self.maxFailures { return }
        failures.append(FailedRecording(milliseconds: time, camera: camera, words: words))
    }

    private mutating func giveUp(before time: Int64) {
        for (camera, since) in asked.sorted(by: { $0.key < $1.key }) where since < time {
            asked[camera] = nil
            add(since, camera, "did not begin, though it was told to")
        }
    }
}
