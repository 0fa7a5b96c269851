/// Places a camera's clock by the seconds that it stored: the first push of a second makes the
/// stored second change at some frame.
package enum SecondsMatcher {
    /// Mean time from a second's beginning to the frame that shows it, at ten pushes a second,
    /// microseconds: half the pause between pushes, the way over the air and half a frame.
    private static let lateness = 80_000.0
    /// How far off the result may be, seconds.
    package static let uncertainty = 0.15
    private static let minFlips = 2

    /// Stored time less the camera's clock, microseconds; nil where no second begins in it.
    package static func offset(_ clip: FilmedClip) -> Double? {
        // A second whose first push was lost shows late; none shows early.
        let offsets = clip.flips.map {
            Double($0.seconds) * 1e6 - Double($0.before + $0.first) / 2 + lateness
        }.sorted()
        guard offsets.count >= minFlips else { return nil }
        // Not the very earliest change: a single stored second may be a jump of the receiver's
        // time.
        return offsets[offsets.count * 3 / 4]
    }
}
