package import Clock

/// A clip's index (`moov`): the tracks, and where their samples stand.
package struct Movie: Sendable {
    /// When the clip was made, by the camera's calendar; nil where that is not set.
    package var creation: UnixTime?
    /// The length of the longest track.
    package var durationSeconds = 0.0
    var tracks: [MediaTrack] = []

    /// Tracks that are read; an Osmo 360 writes eight.
    static let maxTracks = 64

    /// The first track of telemetry. The second one of an Osmo 360 belongs to its other lens.
    var telemetry: MediaTrack? { tracks.first { $0.entries.contains("djmd") } }

    var video: MediaTrack? { tracks.first { $0.handler == "vide" } }

    /// Sample entries of other makers' telemetry.
    private static let foreign: [BoxName] = ["gpmd", "camm", "rtmd", "mebx", "CTMD", "priv"]

    /// The sample entry of another maker's telemetry; nil where there is none.
    var foreignMaker: String? {
        tracks.lazy.flatMap(\.entries).first { Self.foreign.contains($0) }?.text
    }
}

/// A track of a clip: how its samples are found.
struct MediaTrack: Sendable {
    var handler: BoxName = "none"
    /// Sample entries: `djmd`, `hvc1`, ….
    var entries: [BoxName] = []
    /// Ticks a second.
    var timescale: UInt32 = 0
    /// Ticks.
    var duration: UInt64 = 0
    var table = SampleTable()

    var durationSeconds: Double { timescale > 0 ? Double(duration) / Double(timescale) : 0 }
}

/// Where a track's tables stand in the file; none of them is ever read whole.
struct SampleTable: Sendable {
    /// A table of equal entries.
    struct Entries: Sendable, Equatable {
        var start: UInt64 = 0
        var count = 0
        /// Bytes of an entry.
        var width = 4
    }

    /// Runs of (samples, ticks).
    var times = Entries()
    /// Runs of (first chunk, samples in each, entry).
    var chunks = Entries()
    var offsets = Entries()
    /// Bytes of each sample; empty where all are of `fixedSize`.
    var sizes = Entries()
    var fixedSize: UInt32 = 0
    var samples = 0
}
