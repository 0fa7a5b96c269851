package import Clock

/// How the track is kept: the `[track]` section.
package struct TrackSettings: Equatable, Sendable {
    /// When a new set of files is begun without a command.
    package enum Rotation: Equatable, Sendable {
        /// With each day of UTC.
        case day
        /// Before a file would grow beyond so many bytes; each gets one row at least.
        case size(Int64)
    }

    /// What is kept when a file is begun and every ten minutes; the oldest goes first.
    package enum Keep: Equatable, Sendable {
        case all
        /// Files that were begun within so many days, 1 to 36,500; the others go.
        case days(Int)
        /// So many bytes in all; the oldest files beyond them go.
        case size(Int64)
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
    /// When a new set of files begins.
    package var rotation = Rotation.day
    /// Between two syncs to the disk.
    package var sync = TimeSpan.seconds(5)
    /// When pushes are logged.
    package var pushes = Pushes.auto
    /// Which files are kept.
    package var keep = Keep.all
    /// Nothing is written while less is free, bytes.
    package var minimumFree: Int64 = 32 << 20
    /// Pushes a second as configured: what counts as a gap between them depends on it.
    package var rate = 10

    /// The defaults of `[track]`; nil for no track.
    package init(directory: String? = nil) { self.directory = directory }

    /// A pause between two pushes that is worth an event: 200 ms at 10 Hz, two periods below 10.
    package var pushGap: TimeSpan { max(.milliseconds(200), .seconds(2.0 / Double(rate))) }
}
