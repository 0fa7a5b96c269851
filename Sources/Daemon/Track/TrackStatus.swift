/// What `status` shows of the track.
package struct TrackStatus: Equatable, Sendable {
    /// The track being written, absolute; nil while none is open.
    package var path: String?
    /// Epochs in that file.
    package var rows = 0
    /// Lines that could not be written since the start: the disk was away for too long, or time was
    /// not trusted in time.
    package var unwritten = 0
    /// Why lines wait; nil when all is well.
    package var error: String?
    /// Whether a track is wanted: a folder is configured and nobody said `track off`.
    package var isOn: Bool

    /// No track is kept.
    package static let off = TrackStatus(isOn: false)
}
