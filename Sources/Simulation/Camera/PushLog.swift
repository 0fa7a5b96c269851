package import Clock
package import OsmoProtocol

/// What a camera counted of the GPS pushes that it received.
package struct PushLog: Equatable, Sendable {
    /// Frames with a position.
    package private(set) var positions = 0
    /// Void frames.
    package private(set) var voids = 0
    /// The last frame with a position; nil before the first.
    package private(set) var last: GPSPush?
    /// When `last` came; nil before the first frame with a position.
    package private(set) var lastInstant: Instant?
    /// The last frame was void.
    package private(set) var isVoid = true
    /// The shortest interval between two frames with a position that follow each other on one link;
    /// nil before the second frame.
    package private(set) var minGap: TimeSpan?
    /// The longest such interval.
    package private(set) var maxGap: TimeSpan?
    /// When the last frame with a position came on this link, no void after it.
    private var previous: Instant?

    /// A log of no frames.
    package init() {}

    /// Counts one frame.
    ///
    /// - Returns: what is wrong with it.
    mutating func record(_ push: GPSPush, at now: Instant) -> Violation? {
        if push.isVoid {
            voids += 1
            isVoid = true
            previous = nil
        } else {
            positions += 1
            isVoid = false
            last = push
            lastInstant = now
            if let previous {
                let interval = now - previous
                minGap = min(minGap ?? interval, interval)
                maxGap = max(maxGap ?? interval, interval)
            }
            previous = now
        }
        return Self.fault(of: push)
    }

    /// The link ended or the camera sleeps: no interval is counted up to the next frame.
    mutating func interrupt() { previous = nil }

    private static func fault(of push: GPSPush) -> Violation? {
        let speeds = (
            push.northCentimetresPerSecond, push.eastCentimetresPerSecond,
            push.downCentimetresPerSecond
        )
        guard speeds.0.isFinite, speeds.1.isFinite, speeds.2.isFinite else { return .notANumber }
        let isOrigin = push.latitudeE7 == 0 && push.longitudeE7 == 0
        if push.isVoid {
            return isOrigin && speeds == (0, 0, 0) ? nil : .voidWithPlace
        }
        if isOrigin { return .zeroZero }
        let exists =
            abs(Int(push.latitudeE7)) <= 900_000_000 && abs(Int(push.longitudeE7)) <= 1_800_000_000
        return exists ? nil : .outOfRange
    }
}
