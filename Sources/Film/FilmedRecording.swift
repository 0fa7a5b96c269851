package import Clock

/// A file that a simulated camera filmed, and the true values that tests compare it with.
package struct FilmedRecording: Equatable, Sendable {
    /// `DJI_20260701120000_0001_D.MP4`.
    package var name: String
    /// The whole file.
    package var bytes: [UInt8]
    /// Frames in the file.
    package var frames: Int
    /// When its first frame was, by true time.
    package var first: Instant
    /// When its last frame was, by true time.
    package var last: Instant
    /// The camera's clock at its first frame, microseconds.
    package var firstClock: UInt64
}
