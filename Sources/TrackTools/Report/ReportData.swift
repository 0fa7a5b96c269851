/// All that a report shows.
struct ReportData {
    /// A camera's part.
    struct Camera {
        var name: String
        var linked: LaneSpans
        var pushed: LaneSpans
        var recording: LaneSpans
        var clips: LaneSpans
        var recordings = 0
        var recordedMilliseconds: Int64 = 0
        var clipCount = 0
        var clipMilliseconds: Int64 = 0
        /// Pushes that the log has of it; nil without a log.
        var pushes: Int?
        var failures = 0
    }

    /// Levels of speed that the path tells apart.
    static let levels = 5

    /// The time line, milliseconds since 1970.
    let span: ClosedRange<Int64>
    var summary = TrackSummary()
    var path: PathThinner
    /// Kilometres an hour: where the highest level ends.
    var maxSpeed: Double
    /// Millimetres a second.
    var speeds: ChartColumns
    /// Centimetres.
    var heights: ChartColumns
    var fixes: LaneSpans
    /// Pauses of the track, the first of them.
    var gaps: [IntervalCounts.Gap] = []
    var gapCount = 0
    var gapMilliseconds: Int64 = 0
    var marks: [Mark] = []
    var failures: [FailedRecording] = []
    var cameras: [Camera] = []
    var hasPushLog = false
    /// Clips whose time is not known surely enough.
    var unplaced = 0

    /// Gaps that are listed.
    static let maxGaps = 20
    /// Cameras that have a lane; a rig has no more.
    static let maxCameras = 99
    /// Marks and failures that are listed.
    static let maxRows = 200

    init(_ summary: TrackSummary, span: ClosedRange<Int64>, frame: MapFrame) {
        self.summary = summary
        self.span = span
        path = PathThinner(frame)
        maxSpeed = NiceSteps.above(max(5, Double(summary.fastest?.speed ?? 0) * 0.0036 / 5)) * 5
        speeds = ChartColumns(span)
        heights = ChartColumns(span)
        fixes = LaneSpans(span)
    }

    /// The index of a camera, which is added where it is new; nil where there are too many.
    mutating func camera(_ name: String) -> Int? {
        if let index = cameras.firstIndex(where: { $0.name == name }) { return index }
        guard cameras.count < Self.maxCameras else { return nil }
        let empty = LaneSpans(span)
        cameras.append(
            Camera(name: name, linked: empty, pushed: empty, recording: empty, clips: empty))
        return cameras.count - 1
    }

    /// Of a speed, millimetres a second.
    func level(_ speed: Int64?) -> Int {
        let share = Double(speed ?? 0) * 0.0036 / maxSpeed
        return min(Self.levels - 1, max(0, Int(share * Double(Self.levels))))
    }
}
