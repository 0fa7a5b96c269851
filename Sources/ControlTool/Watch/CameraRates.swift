import Clock
import LineProtocol

/// Pushes a second of each camera, from several statuses: over one second alone a push more or less
/// would show as another rate.
struct CameraRates {
    /// Statuses that are compared, one a second.
    static let maxLooks = 6

    /// By name.
    private(set) var hertz: [String: Double] = [:]
    private var looks: [String: [(pushed: Int, instant: Instant)]] = [:]

    /// Takes a `status json`.
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
            // The daemon began anew.
            if let newest = last.last, newest.pushed > pushed { last = [] }
            last = last.suffix(Self.maxLooks - 1) + [(pushed, now)]
            // From the first push on, and at once none where they have stopped.
            while last.count > 2, last[0].pushed == last[1].pushed { last.removeFirst() }
            looks[name] = last
            guard let first = last.first, now > first.instant else { continue }
            hertz[name] = Double(pushed - first.pushed) / (now - first.instant).seconds
        }
    }
}
