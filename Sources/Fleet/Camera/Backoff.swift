package import Clock

/// How long a camera is left alone after a failed connection: 1 s, doubled each time up to 60 s, with
/// jitter, so that cameras that went together do not come back together.
package struct Backoff: Equatable, Sendable {
    /// The shortest delay, and the first one before jitter.
    package static let floor = TimeSpan.seconds(1)
    /// The longest delay, jitter included.
    package static let ceiling = TimeSpan.seconds(60)

    /// Failures in a row after which the camera is left alone; 0 for never.
    package var retries: Int
    /// Failures in a row so far.
    package private(set) var failures = 0

    /// - Parameter retries: 0 for ever, to 1000 (`[fleet] retries`).
    package init(retries: Int) { self.retries = retries }

    /// Whether the retries are used up.
    package var exhausted: Bool { retries > 0 && failures >= retries }

    /// Counts a failure.
    ///
    /// - Returns: the delay before the next try, 1 s to 60 s; nil when the retries are used up.
    package mutating func failed(using generator: inout SeededGenerator) -> TimeSpan? {
        failures += 1
        guard !exhausted else { return nil }
        let doublings = min(failures - 1, 6)
        let nominal = min(Self.floor * (1 << doublings), Self.ceiling)
        let jittered = nominal * Double.random(in: 0.75...1.25, using: &generator)
        return min(max(jittered, Self.floor), Self.ceiling)
    }

    /// The camera became ready, or a person asked for it: start over.
    package mutating func reset() { failures = 0 }
}
