import Clock
import LineProtocol

/// All cameras of a rig on one time line, for editing programs: OpenTimelineIO, a track a camera.
/// A second of it is a second of UTC; it begins with the first clip.
struct Timeline {
    /// In which gaps are counted, so that they are right to a microsecond.
    private static let gapRate = 1_000_000.0

    private let clips: [PlacedClip]
    private let marks: [Mark]
    /// Microseconds since 1970.
    private let begin: Double

    init(_ clips: [PlacedClip], marks: [Mark]) {
        self.clips = clips.sorted { ($0.start, $0.path) < ($1.start, $1.path) }
        begin = clips.map(\.start).min() ?? 0
        let end = clips.map(\.end).max() ?? 0
        let first = begin
        self.marks = marks.filter {
            (first...max(first, end)).contains(Double($0.milliseconds) * 1000)
        }
    }

    /// The file's content.
    var text: String {
        let cameras = Dictionary(grouping: clips, by: \.cameraName).sorted { $0.key < $1.key }
        let tracks = cameras.map { track($0.key, $0.value) }
        return JSONValue.object([
            .init("OTIO_SCHEMA", .text("Timeline.1")), .init("name", .text("geotagd")),
            .init("metadata", .object([.init("geotagd", .object([Self.instant(begin)]))])),
            .init("global_start_time", .null),
            .init(
                "tracks",
                .object([
                    .init("OTIO_SCHEMA", .text("Stack.1")), .init("name", .text("tracks")),
                    .init("children", .list(tracks)),
                    .init("markers", .list(marks.map(marker))),
                ])),
        ]).line
    }

    private func track(_ camera: String, _ clips: [PlacedClip]) -> JSONValue {
        var children: [JSONValue] = []
        // Microseconds since `begin`.
        var place = 0.0
        for (number, clip) in clips.enumerated() {
            let start = clip.start - begin
            if start > place {
                children.append(
                    .object([
                        .init("OTIO_SCHEMA", .text("Gap.1")),
                        .init("source_range", Self.range(start - place, rate: Self.gapRate)),
                    ]))
                place = start
            }
            // A chapter is not longer than until the next one begins.
            let next = number + 1 < clips.count ? clips[number + 1].start - begin : .infinity
            let length = min(clip.shownSeconds * 1e6, max(0, next - place))
            children.append(item(clip, microseconds: length))
            place += length
        }
        return .object([
            .init("OTIO_SCHEMA", .text("Track.1")), .init("name", .text(camera)),
            .init("kind", .text("Video")), .init("children", .list(children)),
        ])
    }

    private func item(_ clip: PlacedClip, microseconds: Double) -> JSONValue {
        let rate = clip.shownSeconds > 0 ? Double(clip.frames) / clip.shownSeconds : 30
        return .object([
            .init("OTIO_SCHEMA", .text("Clip.1")), .init("name", .text(clip.name)),
            .init("source_range", Self.range(microseconds, rate: rate)),
            .init(
                "media_reference",
                .object([
                    .init("OTIO_SCHEMA", .text("ExternalReference.1")),
                    .init("target_url", .text(clip.path)),
                    .init("available_range", Self.range(clip.shownSeconds * 1e6, rate: rate)),
                ])),
            .init(
                "metadata",
                .object([
                    .init(
                        "geotagd",
                        .object([
                            Self.instant(clip.start), .init("tier", .text(clip.tier)),
                            .init("uncertainty_s", .decimal(clip.uncertainty, places: 6)),
                        ]))
                ])),
        ])
    }

    private func marker(_ mark: Mark) -> JSONValue {
        let place = Double(mark.milliseconds) * 1000 - begin
        return .object([
            .init("OTIO_SCHEMA", .text("Marker.2")), .init("name", .text(mark.text)),
            .init("color", .text("RED")),
            .init(
                "marked_range",
                .object([
                    .init("OTIO_SCHEMA", .text("TimeRange.1")),
                    .init("start_time", Self.time(place, rate: Self.gapRate)),
                    .init("duration", Self.time(0, rate: Self.gapRate)),
                ])),
        ])
    }

    private static func instant(_ microseconds: Double) -> JSONValue.Member {
        let time = UnixTime(nanoseconds: Int64((microseconds * 1e3).rounded()))
        return .init("start", .text(time.isoText))
    }

    private static func range(_ microseconds: Double, rate: Double) -> JSONValue {
        .object([
            .init("OTIO_SCHEMA", .text("TimeRange.1")), .init("start_time", time(0, rate: rate)),
            .init("duration", time(microseconds, rate: rate)),
        ])
    }

    private static func time(_ microseconds: Double, rate: Double) -> JSONValue {
        .object([
            .init("OTIO_SCHEMA", .text("RationalTime.1")),
            .init("rate", .decimal(rate, places: 6)),
            .init("value", .decimal(microseconds / 1e6 * rate, places: 6)),
        ])
    }
}
