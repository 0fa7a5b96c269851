package import Clock

/// A position in a clip, and the frames that show it.
package struct HeldRun: Equatable, Sendable {
    /// The position that those frames hold.
    package var place: HeldPlace
    /// Clock of the first frame that shows it.
    package var first: Int64
    /// Clock of the frame before that one; nil where `first` is the clip's first frame, since
    /// nobody knows when that position came.
    package var before: Int64?
    /// Clock of the last frame that shows it.
    package var last: Int64
}

/// A frame at which the stored second became another one.
package struct SecondFlip: Equatable, Sendable {
    /// The stored second, since 1970 if the text's zone were UTC.
    package var seconds: Int64
    /// Clock of the first frame that shows it.
    package var first: Int64
    /// Clock of the frame before `first`, which still shows the second before.
    package var before: Int64
}

/// What a clip holds, read once from its first frame to its last.
///
/// Clocks are the camera's: microseconds since it was turned on.
package struct FilmedClip: Equatable, Sendable {
    /// What the first telemetry says of the camera; empty where the clip has none.
    package var camera = CameraTelemetry()
    /// 3-4-1-4 of the telemetry, `DJI AC004`; empty where no frame has it.
    package var cameraCode = ""
    /// When the clip was made, by the camera's calendar; nil where the container has no time.
    package var creation: UnixTime?
    /// Length of the clip by its container.
    package var durationSeconds = 0.0
    /// Frames that hold a clock.
    package var frames = 0
    /// Frames whose telemetry could not be read, or has no clock.
    package var damagedFrames = 0
    /// The file ends before its last frames, as after a power cut.
    package var isCut = false
    /// Clock of the first frame that has one.
    package var firstClock: Int64 = 0
    /// Clock of the last frame that has one.
    package var lastClock: Int64 = 0
    /// Seconds between the first and the last frame, as the container shows them.
    package var shownSeconds = 0.0
    /// The clock jumped between frames: the file holds two power-ups.
    package var clockBroke = false
    /// Frames that hold a position.
    package var framesWithFix = 0
    /// Of those, the frames whose position does not lie on the grid of 1e-7 degrees that pushes
    /// have.
    package var framesOffGrid = 0
    /// The first position that the clip holds; nil where it holds none.
    package var firstFix: HeldRun?
    /// The last position that the clip holds; nil where it holds none.
    package var lastFix: HeldRun?
    /// The longest stretch without a fix between two frames that have one, microseconds.
    package var longestGap: Int64 = 0
    /// Stretches without a fix between two frames that have one.
    package var gaps = 0
    /// The positions in their order, at most `maxRuns`.
    package var runs: [HeldRun] = []
    /// Where the stored second changed from one frame to the next, at most `maxFlips`.
    package var flips: [SecondFlip] = []
    /// The clip holds more positions than `maxRuns`, and the later ones are ignored.
    package var hasMoreRuns = false

    /// Positions of a clip that are kept: enough for eleven hours at 10 Hz.
    package static let maxRuns = 400_000
    /// Changes of the stored second that are kept.
    package static let maxFlips = 40_000

    /// The mean interval between frames, microseconds of the camera's clock.
    package var frameInterval: Double {
        frames > 1 ? Double(lastClock - firstClock) / Double(frames - 1) : 0
    }

    /// How much faster the clip is shown than it was filmed: 1 for what is no timelapse.
    package var speedUp: Double {
        shownSeconds > 0 && lastClock > firstClock
            ? Double(lastClock - firstClock) / 1e6 / shownSeconds : 1
    }

    /// Time was sped up: frames are shown closer together than they were filmed.
    package var isTimelapse: Bool { speedUp > 1.5 }

    /// What the camera is called: the name that its schema gives, else the name that it states.
    package var model: String { camera.model ?? (camera.product.isEmpty ? "?" : camera.product) }
}
