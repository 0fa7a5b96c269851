package import Clock

/// A position as a clip holds it: over the frames from the one that first shows it.
package struct HeldRun: Equatable, Sendable {
    /// The position that those frames hold.
    package var place: HeldPlace
    /// Clock of the first frame that shows it.
    package var first: Int64
    /// Clock of the frame before that one; nil for a clip's first frame, where nobody knows for how
    /// long it has been held.
    package var before: Int64?
    /// Clock of the last frame that shows it.
    package var last: Int64
}

/// A frame at which the stored second became another one.
package struct SecondFlip: Equatable, Sendable {
    /// Since 1970 if the text's zone were UTC.
    package var seconds: Int64
    /// Clock of the first frame that shows it, and of the one before.
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
    /// When the camera's clock says that it was made.
    package var creation: UnixTime?
    /// By its container.
    package var durationSeconds = 0.0
    /// Frames that hold a clock.
    package var frames = 0
    /// Frames whose telemetry could not be read, or has no clock.
    package var damagedFrames = 0
    /// The file ends before its last frames.
    package var isCut = false
    /// Clock of the first frame that has one.
    package var firstClock: Int64 = 0
    /// Clock of the last frame that has one.
    package var lastClock: Int64 = 0
    /// Times of the first and the last frame as they are shown, seconds.
    package var shownSeconds = 0.0
    /// The clock did not go on from frame to frame: two power-ups in one file.
    package var clockBroke = false
    /// Frames that hold a position.
    package var framesWithFix = 0
    /// Of those, the ones that do not lie on a push's grid.
    package var framesOffGrid = 0
    /// The first position that the clip holds; nil where it holds none.
    package var firstFix: HeldRun?
    /// The last position that the clip holds; nil where it holds none.
    package var lastFix: HeldRun?
    /// Longest stretch without a fix between two, microseconds.
    package var longestGap: Int64 = 0
    /// Stretches without a fix between two frames that have one.
    package var gaps = 0
    /// The positions in their order, at most `maxRuns`.
    package var runs: [HeldRun] = []
    /// Where the stored second changed from one frame to the next, at most `maxFlips`.
    package var flips: [SecondFlip] = []
    /// More positions than `maxRuns`: those behind are not looked at.
    package var hasMoreRuns = false

    /// Positions of a clip that are kept: eleven hours at 10 Hz.
    package static let maxRuns = 400_000
    /// Stored seconds of a clip that are kept.
    package static let maxFlips = 40_000

    /// Of the camera's clock, microseconds: the frame interval in the mean.
    package var frameInterval: Double {
        frames > 1 ? Double(lastClock - firstClock) / Double(frames - 1) : 0
    }

    /// How much faster it is shown than it was: 1 for what is no timelapse.
    package var speedUp: Double {
        shownSeconds > 0 && lastClock > firstClock
            ? Double(lastClock - firstClock) / 1e6 / shownSeconds : 1
    }

    /// Time was sped up: frames are shown closer together than they were taken.
    package var isTimelapse: Bool { speedUp > 1.5 }

    /// What the camera is called: by its schema, else as it calls itself.
    package var model: String { camera.model ?? (camera.product.isEmpty ? "?" : camera.product) }
}
