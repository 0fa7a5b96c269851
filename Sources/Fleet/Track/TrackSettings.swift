package import Clock

/// How the track is kept: the `[track]` section.
package struct TrackSettings: Equatable, Sendable {
    /// When a new file is begun unasked.
    package enum Rotation: Equatable, Sendable {
        /// With each day of UTC.
        case day
        /// Before a file would grow beyond so many bytes; each gets one row at least.
        case size(Int)
    }

    /// What is deleted, oldest first, when a file is begun and every ten minutes.
    package enum Keep: Equatable, Sendable {
        case all
        /// Files whose name says that they were begun earlier, by GPS time.
        case days(Int)
        /// Files beyond so many bytes in all.
        case size(Int)
    }

    /// When each push gets a row in a file of its own.
    package enum Pushes: String, Sendable {
        /// While any camera records, and ten seconds around.
        case auto
        case on
        case off
    }

    /// nil for no track at all.
    package var directory: String?
    package var rotation = Rotation.day
    /// Between two syncs to the disk.
    package var sync = TimeSpan.seconds(5)
    package var pushes = Pushes.auto
    package var keep = Keep.all
    /// Nothing is written while less is free, bytes.
    package var minimumFree = 32 << 20
    /// Pushes a second as configured: what counts as a gap between them depends on it.
    package var rate = 10

    package init(directory: String? = nil) { self.directory = directory }

    /// A pause between two pushes that is worth an event: 200 ms at 10 Hz, two periods below 10.
    package var pushGap: TimeSpan { max(.milliseconds(200), .seconds(2.0 / Double(rate))) }
}
