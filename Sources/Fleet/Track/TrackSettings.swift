package import Navigation

/// The `[track]` section: where the track is kept, and how (design section 6).
///
/// | key | value | default |
/// | --- | --- | --- |
/// | `directory` | PATH, or `none` for no track at all | `/var/lib/geotagd/tracks` |
/// | `rotate` | `day` (UTC), or a size `N`, `NK`, `NM`, `NG` in bytes | `day` |
/// | `sync` | seconds between fdatasyncs, 1 to 300 | `5` |
/// | `pushes` | `on` or `off`: a row for each push, in a file of its own | `off` |
/// | `keep` | `all`, `N days` (1 to 36500), or a size as for `rotate`: what is older or beyond goes | `all` |
/// | `min_free` | a size as for `rotate`, 0 allowed: nothing is written while less is free | `32M` |
package struct TrackSettings: Equatable, Sendable {
    /// When a new file is begun unasked.
    package enum Rotation: Equatable, Sendable {
        /// With each day of UTC.
        case day
        /// Before a file would grow beyond so many bytes, at least 4096.
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

    /// nil for no track at all.
    package var directory: String?
    package var rotation = Rotation.day
    package var sync = Span.seconds(5)
    package var pushes = false
    package var keep = Keep.all
    /// Bytes.
    package var minimumFree = 32 << 20
    /// Pushes a second as configured: what counts as a gap between them depends on it.
    package var rate = 10

    package init(directory: String? = nil) { self.directory = directory }

    /// `directory` for a service.
    package static let serviceDirectory = "/var/lib/geotagd/tracks"
    /// The smallest size to rotate at, in bytes: a header and some rows.
    package static let smallestRotation = 4096

    /// A pause between two pushes that is worth an event: 200 ms at 10 Hz, two periods below 10.
    package var pushGap: Span { max(.milliseconds(200), .seconds(2.0 / Double(rate))) }
}
