/// Summarises rows, one after another; memory does not grow with their number.
struct TrackSummary {
    /// The recordings of one camera: the clips that `track clips` lists.
    struct Recordings: Equatable {
        var count = 0
        var milliseconds: Int64 = 0
    }

    /// How complete the rows are; each file is judged by its own usual interval.
    struct Presence: Equatable {
        /// How many files have this usual interval, milliseconds.
        var files: [Int64: Int] = [:]
        var gaps = 0
        var missingRows: Int64 = 0
        /// The longest gaps, within files and between them.
        var longest: [IntervalCounts.Gap] = []
    }

    private(set) var rows = 0
    private(set) var rows3D = 0
    private(set) var first: TrackRecord?
    private(set) var last: TrackRecord?
    private(set) var metres = 0.0
    /// The greatest speed, millimetres a second, with its time.
    private(set) var fastest: (speed: Int64, milliseconds: Int64)?
    private(set) var heights: ClosedRange<Int64>?
    private(set) var latitudes: ClosedRange<Int64>?
    private(set) var longitudes = LongitudeBounds()
    /// The time in which the rig moved, and the distance, for its mean speed.
    private(set) var movingMilliseconds: Int64 = 0
    private(set) var movingMetres = 0.0
    private(set) var recordings: [String: Recordings] = [:]
    /// Rows of each receiver.
    var devices: [String: Int] {
        otherDevices.merging([device: deviceRows]) { $0 + $1 }.filter { $0.value > 0 }
    }
    /// Epochs that were pushed to at least one camera.
    private(set) var pushed = 0

    /// The rig counts as standing below this speed, millimetres a second.
    static let standing: Int64 = 500
    /// Receivers and cameras that are counted by name; no real file has so many.
    static let maxNames = 200

    /// The receiver of the last rows, counted here because it seldom changes.
    private var device = ""
    private var deviceRows = 0
    private var otherDevices: [String: Int] = [:]
    /// The intervals of the present file.
    private var intervals = IntervalCounts()
    private var file = 0
    private var closedFiles = Presence()
    /// Milliseconds since 1970; nil before a file's first row.
    private var lastInFile: Int64?

    /// How complete the rows of all files so far are.
    var presence: Presence {
        var presence = closedFiles
        guard let usual = intervals.usual, usual > 0 else { return presence }
        let gaps = intervals.gaps
        presence.files[usual, default: 0] += 1
        presence.gaps += gaps.count
        presence.missingRows += gaps.missingRows
        for gap in intervals.longestGaps {
            presence.longest.insert(gap, keeping: IntervalCounts.maxGaps)
        }
        return presence
    }

    /// Adds the recordings of these rows.
    mutating func take(_ clips: [Clip]) {
        for clip in clips
        where recordings[clip.camera] != nil || recordings.count < Self.maxNames {
            recordings[clip.camera, default: Recordings()].count += 1
            recordings[clip.camera, default: Recordings()].milliseconds += clip.milliseconds
        }
    }

    /// Adds the next row.
    ///
    /// - Parameters:
    ///   - startsSegment: the rig was not followed from the last row to this one.
    ///   - file: the number of the row's file.
    mutating func add(_ record: TrackRecord, startsSegment: Bool, file: Int = 1) {
        if file != self.file { begin(file, record) }
        rows += 1
        if record.is3D { rows3D += 1 }
        if record.pushed > 0 { pushed += 1 }
        if let last, record.milliseconds > last.milliseconds {
            advance(from: last, to: record, startsSegment: startsSegment)
        }
        if let lastInFile, record.milliseconds > lastInFile {
            let interval = record.milliseconds - lastInFile
            intervals.add(.init(begin: lastInFile, milliseconds: interval))
        }
        lastInFile = record.milliseconds
        if first == nil { first = record }
        count(record.device)
        if let speed = record.speedMillimetresPerSecond, speed > fastest?.speed ?? -1 {
            fastest = (speed, record.milliseconds)
        }
        if let height = record.heightCentimetres { Self.extend(&heights, to: height) }
        Self.extend(&latitudes, to: record.latitudeE8)
        longitudes.add(record.longitudeE8)
        last = record
    }

    /// Begins a new file: the time between two files is a pause, not a loss of rows.
    private mutating func begin(_ file: Int, _ record: TrackRecord) {
        closedFiles = presence
        if let last, let usual = intervals.usual {
            let pause = IntervalCounts.Gap(
                begin: last.milliseconds, milliseconds: record.milliseconds - last.milliseconds)
            if pause.milliseconds * 2 > usual * 3 {
                closedFiles.longest.insert(pause, keeping: IntervalCounts.maxGaps)
            }
        }
        intervals = IntervalCounts()
        lastInFile = nil
        self.file = file
    }

    private mutating func advance(
        from last: TrackRecord, to record: TrackRecord, startsSegment: Bool
    ) {
        let interval = record.milliseconds - last.milliseconds
        // The way through a pause is not known.
        guard !startsSegment else { return }
        // The noise of a rig that stands is no movement.
        let speed = record.speedMillimetresPerSecond ?? .max
        let way = last.distance(to: record)
        if speed >= Self.standing {
            metres += way
            movingMetres += way
            movingMilliseconds += interval
        }
    }

    private mutating func count(_ device: String) {
        if device != self.device {
            if otherDevices[self.device] != nil || otherDevices.count < Self.maxNames {
                otherDevices[self.device, default: 0] += deviceRows
            }
            self.device = device
            deviceRows = 0
        }
        deviceRows += 1
    }

    private static func extend(_ range: inout ClosedRange<Int64>?, to value: Int64) {
        guard let old = range else {
            range = value...value
            return
        }
        if !old.contains(value) { range = min(old.lowerBound, value)...max(old.upperBound, value) }
    }
}
