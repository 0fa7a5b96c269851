import Clock
import LineProtocol

/// Pushes a second of each camera, measured over several statuses. Within a single second one push
/// more or less would look like another rate.
struct CameraRates {
    /// Statuses that are compared, one a second.
    static let maxLooks = 6

    /// Pushes a second by the camera's name.
    private(set) var hertz: [String: Double] = [:]
    private var looks: [String: [(pushed: Int, instant: Instant)]] = [:]

    /// Adds a `status json`.
    mutating func add(_ status: JSONValue?, at now: Instant) {
        guard case .list(let cameras)? = status?["cameras"] else { return }
        let before = looks
        looks = [:]
        hertz = [:]
        for camera in cameras {
            guard let name = camera["name"]?.word,
                let pushed = camera["pushed"]?.word.flatMap({ Int($0) })
            else { continue }
            var last = before[name] ?? []
            // The count fell: the daemon was restarted.
            if let newest = last.last, newest.pushed > pushed { last = [] }
            last = last.suffix(Self.maxLooks - 1) + [(pushed, now)]
            // Measures from the first push on; where pushes have stopped, the rate is 0 at once.
            while last.count > 2, last[0].pushed == last[1].pushed { last.removeFirst() }
            looks[name] = last
            guard let first = last.first, now > first.instant else { continue }
            hertz[name] = Double(pushed - first.pushed) / (now - first.instant).seconds
        }
    }
}
