package import Clock
package import OsmoProtocol

/// How a simulated camera films, and how its clocks are wrong.
package struct FilmSettings: Equatable, Sendable {
    /// Frames a second as a fraction.
    package struct Rate: Equatable, Sendable {
        /// So many frames …
        package var frames: Int64
        /// … in so many seconds.
        package var seconds: Int64

        /// The fraction, which is not reduced.
        package init(frames: Int64, seconds: Int64) {
            self.frames = frames
            self.seconds = seconds
        }

        /// `23.976`, `25`, `29.97`, `50`, `59.94`, …; nil for what no camera films.
        package init?(word: String) {
            switch word {
            case "23.976": self.init(frames: 24_000, seconds: 1001)
            case "29.97": self.init(frames: 30_000, seconds: 1001)
            case "59.94": self.init(frames: 60_000, seconds: 1001)
            case "119.88": self.init(frames: 120_000, seconds: 1001)
            default:
                guard let whole = Int64(word), (1...240).contains(whole) else { return nil }
                self.init(frames: whole, seconds: 1)
            }
        }

        /// The same as one number.
        package var perSecond: Double { Double(frames) / Double(seconds) }
    }

    /// What files are written of a recording.
    package enum Shape: String, Sendable, CaseIterable {
        case mp4 = "MP4"
        /// The small copy beside a clip.
        case lrf = "LRF"
        /// An Osmo 360's: a track for each lens, and a `camd` box.
        case osv = "OSV"
    }

    /// The model, which settles the schema of the telemetry.
    package var model: CameraModel
    /// The serial number that the telemetry states.
    package var serial: String
    /// The firmware that the telemetry states.
    package var firmware = "10.00.15.21"
    /// How fast files are shown; 29.97 a second unless told otherwise.
    package var rate = Rate(frames: 30_000, seconds: 1001)
    /// What file each chapter is written as.
    package var shape = Shape.mp4
    /// How much faster than true time the camera's clocks run, parts in a million.
    package var driftPPM = 0.0
    /// How far its calendar is ahead of UTC.
    package var clockAhead = TimeSpan.zero
    /// The zone that the camera is set to, without daylight saving, minutes east of Greenwich. The
    /// camera subtracts it from the pushed time before it stores that.
    package var zoneMinutes = 0
    /// The shortest time from when a push is sent until it arrives.
    package var leastDelay = TimeSpan.milliseconds(15)
    /// Standard deviation of the time that is added to `leastDelay`; negative sums count as 0.
    package var jitter = TimeSpan.zero
    /// The mean of that time.
    package var meanExtraDelay = TimeSpan.zero
    /// Pushes that are lost on the air, percent.
    package var lostPercent = 0.0
    /// Frames of a file; after them the next chapter begins.
    package var chapterFrames = FilmSettings.maxChapterFrames
    /// A timelapse keeps one of so many frames, and shows them at `rate`; 1 for ordinary video.
    package var keptFrames = 1
    /// The index stands before the data.
    package var indexFirst = false
    /// Offsets into the file have 64 bits (`co64`) although 32 would do.
    package var longOffsets = false

    /// Frames of one file at most: an hour at 60 frames a second.
    package static let maxChapterFrames = 216_000

    /// A camera whose clocks are right; an Osmo 360 writes OSV files, the others MP4.
    package init(model: CameraModel, serial: String) {
        self.model = model
        self.serial = serial
        if model == .osmo360 { shape = .osv }
    }

    /// The name that its telemetry's schema has.
    var schema: String {
        switch model {
        case .action4: "dvtm_ac203.proto"
        case .action5Pro, .other: "dvtm_ac204.proto"
        case .action6: "dvtm_ac206.proto"
        case .osmo360: "dvtm_oq101.proto"
        }
    }

    /// The name of the model that its footage states.
    var product: String {
        switch model {
        case .action4: "DJI Osmo Action 4"
        case .action5Pro, .other: "DJI OsmoAction5 Pro"
        case .action6: "DJI Osmo Action 6"
        case .osmo360: "Osmo 360"
        }
    }

    var cameraCode: String {
        switch model {
        case .action4: "DJI AC003"
        case .action5Pro, .other: "DJI AC004"
        case .action6: "DJI AC006"
        case .osmo360: "Osmo OQ001"
        }
    }

    /// The handler name of the telemetry track.
    var handler: String {
        switch model {
        case .action4, .action5Pro, .other: "DJI meta"
        case .action6, .osmo360: "CAM meta"
        }
    }
}
