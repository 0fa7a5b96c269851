/// What there is to say of rows, taken one by one: memory does not grow with their number.
struct TrackSummary {
    /// Of one camera, by the track's `rec`.
    struct Recordings: Equatable {
        var count = 0
        var milliseconds: Int64 = 0
    }

    private(set) var rows = 0
    private(set) var rows3D = 0
    private(set) var first: TrackRecord?
    private(set) var last: TrackRecord?
    private(set) var intervals = IntervalCounts()
    private(set) var metres = 0.0
    /// Metres a second, with its time.
    private(set) var fastest: (speed: Int64, milliseconds: Int64)?
    private(set) var heights: ClosedRange<Int64>?
    private(set) var latitudes: ClosedRange<Int64>?
    private(set) var longitudes: ClosedRange<Int64>?
    /// Seconds in which the rig moved, and how far, for its mean speed.
    private(set) var movingMilliseconds: Int64 = 0
    private(set) var movingMetres = 0.0
    private(set) var recordings: [String: Recordings] = [:]
    /// Rows of each receiver.
    var devices: [String: Int] {
        otherDevices.merging([device: deviceRows]) { $0 + $1 }.filter { $0.value > 0 }
    }
    /// Epochs that reached at least one camera.
    private(set) var pushed = 0

    /// Slower than this the rig stands, millimetres a second.
    static let standing: Int64 = 500
    /// Receivers and cameras that are told apart; a file does not have that many.
    static let maxNames = 200

    /// The receiver at hand, counted aside: it changes seldom.
    private var device = ""
    private var deviceRows = 0
    private var otherDevices: [String: Int] = [:]
    private var current: [Substring] = []
    private var currentText = ""

    mutating func add(_ record: TrackRecord, startsSegment: Bool) {
        rows += 1
        if record.is3D { rows3D += 1 }
        if record.pushed > 0 { pushed += 1 }
        if let last, record.milliseconds > last.milliseconds {
            advance(from: last, to: record, startsSegment: startsSegment)
        }
        if first == nil { first = record }
        count(record.device)
        if let speed = record.speedMillimetresPerSecond, speed > fastest?.speed ?? -1 {
            fastest = (speed, record.milliseconds)
        }
        if let height = record.heightCentimetres { Self.extend(&heights, to: height) }
        Self.extend(&latitudes, to: record.latitudeE8)
        Self.extend(&longitudes, to: record.longitudeE8)
        addRecording(record)
        last = record
    }

    private mutating func advance(
        from last: TrackRecord, to record: TrackRecord, startsSegment: Bool
    ) {
        let interval = record.milliseconds - last.milliseconds
        intervals.add(.init(begin: last.milliseconds, milliseconds: interval))
        // The way through a pause is not known.
        guard !startsSegment else { return }
        // Noise of a rig that stands is no way.
        let speed = record.speedMillimetresPerSecond ?? .max
        let way = last.distance(to: record)
        if speed >= Self.standing {
            metres += way
            movingMetres += way
            movingMilliseconds += interval
        }
        for name in current {
            recordings[String(name), default: Recordings()].milliseconds += interval
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

    private mutating func addRecording(_ record: TrackRecord) {
        guard record.recording != currentText else { return }
        let names = record.recording.split(separator: "+")
        for name in names where !current.contains(name) {
            if recordings[String(name)] != nil || recordings.count < Self.maxNames {
                recordings[String(name), default: Recordings()].count += 1
            }
        }
        current = names
        currentText = record.recording
    }

    private static func extend(_ range: inout ClosedRange<Int64>?, to value: Int64) {
        guard let old = range else {
            range = value...value
            return
        }
        if !old.contains(value) { range = min(old.lowerBound, value)...max(old.upperBound, value) }
    }
}
