import Navigation

/// The way over the ground in so few points that a page can hold it: whoever moves less than about a
/// point of the picture draws nothing.
struct PathThinner {
    /// Units of the drawing along its longer side.
    static let size = 10_000.0
    /// Points that are kept.
    static let maxPoints = 20_000

    struct Point: Equatable {
        var x: Int
        var y: Int
        /// Of the speed: 0 is the slowest.
        var level: Int
        /// The rig was not followed to here.
        var isStart: Bool
    }

    let frame: MapFrame
    private(set) var points: [Point] = []
    /// Units; grows where there are too many points.
    private var tolerance = 8
    private var waitsForStart = true

    init(_ frame: MapFrame) { self.frame = frame }

    /// - Parameter startsSegment: the rig was not followed from the last row to this one.
    mutating func add(_ record: TrackRecord, level: Int, startsSegment: Bool) {
        let place = frame.place(latitudeE8: record.latitudeE8, longitudeE8: record.longitudeE8)
        let point = Point(
            x: Int(place.x.rounded()), y: Int(place.y.rounded()), level: level,
            isStart: startsSegment || points.isEmpty)
        if point.isStart { waitsForStart = false }
        if !point.isStart, let last = points.last, Self.distance(last, point) < tolerance { return }
        points.append(point)
        while points.count > Self.maxPoints {
            tolerance *= 2
            thin()
        }
    }

    private mutating func thin() {
        var kept: [Point] = []
        for point in points {
            if !point.isStart, let last = kept.last, Self.distance(last, point) < tolerance {
                continue
            }
            kept.append(point)
        }
        // Nothing but starts: every other one goes.
        if kept.count > Self.maxPoints {
            kept = kept.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        }
        points = kept
    }

    private static func distance(_ one: Point, _ other: Point) -> Int {
        max(abs(one.x - other.x), abs(one.y - other.y))
    }

    /// The data of an SVG path for each level of speed.
    func paths(levels: Int) -> [String] {
        var texts = [String](repeating: "", count: levels)
        var ends = [Point?](repeating: nil, count: levels)
        for (before, point) in zip(points, points.dropFirst()) where !point.isStart {
            let level = min(max(0, point.level), levels - 1)
            if ends[level] != before { texts[level] += "M\(before.x) \(before.y)" }
            texts[level] += "l\(point.x - before.x) \(point.y - before.y)"
            ends[level] = point
        }
        return texts
    }
}

/// A piece of the earth as a drawing, to scale: degrees become units of it, north is up.
struct MapFrame: Equatable {
    private let west: Int64
    private let north: Int64
    private let metresPerDegree: (latitude: Double, longitude: Double)
    /// Units in a metre.
    let scale: Double
    let width: Double
    let height: Double

    static func == (one: MapFrame, other: MapFrame) -> Bool {
        one.west == other.west && one.north == other.north && one.scale == other.scale
    }

    /// - Parameters:
    ///   - latitudes: 1e-8 degrees.
    ///   - longitudes: likewise; west is greater where the way crosses 180 degrees.
    init(latitudes: ClosedRange<Int64>, longitudes: (west: Int64, east: Int64)) {
        let middle = Place(
            latitudeDegrees: Double(latitudes.lowerBound + latitudes.upperBound) / 2e8,
            longitudeDegrees: 0)
        let north = Place(latitudeDegrees: middle.latitudeDegrees + 0.01, longitudeDegrees: 0)
        let east = Place(latitudeDegrees: middle.latitudeDegrees, longitudeDegrees: 0.01)
        metresPerDegree = (
            middle.displacement(to: north).north * 100,
            max(1, middle.displacement(to: east).east * 100)
        )
        var wide = longitudes.east - longitudes.west
        if wide < 0 { wide += 36_000_000_000 }
        // A rig that stood still has a map, too: 20 m of it.
        let metresWide = max(20, Double(wide) / 1e8 * metresPerDegree.longitude)
        let high = latitudes.upperBound - latitudes.lowerBound
        let metresHigh = max(20, Double(high) / 1e8 * metresPerDegree.latitude)
        scale = PathThinner.size * 0.92 / max(metresWide, metresHigh)
        let margin = PathThinner.size * 0.04
        width = max(metresWide * scale + 2 * margin, PathThinner.size * 0.4)
        height = max(metresHigh * scale + 2 * margin, PathThinner.size * 0.25)
        let left = (width - Double(wide) / 1e8 * metresPerDegree.longitude * scale) / 2
        let top = (height - Double(high) / 1e8 * metresPerDegree.latitude * scale) / 2
        west = longitudes.west - Int64(left / scale / metresPerDegree.longitude * 1e8)
        self.north = latitudes.upperBound + Int64(top / scale / metresPerDegree.latitude * 1e8)
    }

    /// Units from the left and from the top.
    func place(latitudeE8: Int64, longitudeE8: Int64) -> (x: Double, y: Double) {
        var east = longitudeE8 - west
        if east < 0 { east += 36_000_000_000 }
        if east > 36_000_000_000 { east -= 36_000_000_000 }
        return (
            Double(east) / 1e8 * metresPerDegree.longitude * scale,
            Double(north - latitudeE8) / 1e8 * metresPerDegree.latitude * scale
        )
    }
}
