import Clock
import Navigation

/// Why the track does not place a clip.
package enum TrackRefusal: Error, Equatable, Sendable {
    /// The positions do not differ enough: the rig stood, or the clip holds none.
    case standing
    /// The track was never where the clip was filmed.
    case elsewhere
    /// The rig drove in laps: two times fit equally well.
    case ambiguous
    /// The track was there, but went another way; root of the mean square of the distances, metres.
    case differs(Double)

    /// The reason, for people: half a sentence without its full stop.
    package var words: String {
        switch self {
        case .standing: "its positions do not move enough to be laid along the track"
        case .elsewhere: "the track was never where it was filmed"
        case .ambiguous: "its way fits the track at two times"
        case .differs(let metres):
            "the track was there, but its way is another one (\(Int(metres.rounded())) m off)"
        }
    }
}

/// Lays the positions that a clip holds along a track, first roughly, then by least squares.
///
/// Give it all rows with `survey`, call `choose`, give it the rows of `stretches` again with
/// `collect`, then ask for `result`.
package struct TrackMatcher: Sendable {
    /// Positions of a clip that are compared.
    static let maxSamples = 600
    /// Rows that are kept of each stretch: five hours at 10 Hz.
    static let maxRows = 180_000
    /// Offsets that the survey tells apart, in seconds.
    private static let maxVotes = 200_000
    /// Rough offsets that are examined closely.
    private static let maxStretches = 3
    /// Degrees of a cell of the survey: 22 m.
    private static let cell = 2e-4
    /// How far the positions of a clip have to move, metres, and how fast.
    private static let minWay = 30.0
    private static let minSpeed = 1.0
    /// How near a row has to be to a position to vote for an offset, metres.
    private static let reach = 15.0
    private static let maxDifference = 8.0
    /// Rows farther apart are not joined, microseconds.
    private static let maxPause: Int64 = 2_500_000
    private static let margin: Int64 = 6_000_000
    private static let minCompared = 20

    private struct Position: Sendable {
        var clock: Double
        var place: Place
    }

    private struct Cell: Hashable, Sendable {
        var north: Int32
        var east: Int32
    }

    private let span: ClosedRange<Double>
    private var samples: [Position] = []
    private var cells: [Cell: [Int]] = [:]
    private var votes: [Int64: Int] = [:]
    private var speed = 0.0
    private var held: [[TrackPoint]] = []
    /// The spans of UTC, microseconds, whose rows `collect` wants.
    package private(set) var stretches: [ClosedRange<Int64>] = []
    private var offsets: [Double] = []

    /// A matcher for the way that this clip holds.
    ///
    /// - Throws: `standing` where its positions are too few, too near or too slow to be recognised.
    package init(_ clip: FilmedClip) throws(TrackRefusal) {
        span = Double(clip.firstClock)...Double(max(clip.firstClock, clip.lastClock))
        let moving = clip.runs.filter { $0.before != nil }
        let step = max(1, moving.count / Self.maxSamples)
        for number in stride(from: 0, to: moving.count, by: step) {
            let run = moving[number]
            samples.append(
                Position(
                    clock: Double(run.first + (run.before ?? run.first)) / 2,
                    place: Place(run.place)))
        }
        guard samples.count >= Self.minCompared else { throw .standing }
        var way = 0.0
        for (one, next) in zip(samples, samples.dropFirst()) {
            way += one.place.displacement(to: next.place).length
        }
        let seconds = (samples[samples.count - 1].clock - samples[0].clock) / 1e6
        speed = seconds > 0 ? way / seconds : 0
        guard way >= Self.minWay, speed >= Self.minSpeed else { throw .standing }
        for (number, sample) in samples.enumerated() {
            let home = Self.cell(of: sample.place)
            for north in -1...1 as ClosedRange<Int32> {
                for east in -1...1 as ClosedRange<Int32> {
                    let cell = Cell(north: home.north &+ north, east: home.east &+ east)
                    cells[cell, default: []].append(number)
                }
            }
        }
    }

    /// Compares a row with all positions of the clip: each one near to it votes for an offset.
    package mutating func survey(_ row: TrackPoint) {
        let place = Place(row)
        guard let near = cells[Self.cell(of: place)] else { return }
        for number in near {
            let sample = samples[number]
            guard sample.place.displacement(to: place).length <= Self.reach else { continue }
            let offset = Int64((Double(row.microseconds) - sample.clock) / 1e6)
            if votes[offset] != nil || votes.count < Self.maxVotes {
                votes[offset, default: 0] += 1
            }
        }
    }

    /// Ends the survey and chooses the offsets to examine.
    package mutating func choose() throws(TrackRefusal) {
        var left = votes
        while offsets.count < Self.maxStretches {
            // An offset between two whole seconds gets votes of both.
            guard
                let best = left.max(by: {
                    ($0.value + (left[$0.key + 1] ?? 0), -$0.key)
                        < ($1.value + (left[$1.key + 1] ?? 0), -$1.key)
                })
            else { break }
            let offset = (Double(best.key) + 1) * 1e6
            offsets.append(offset)
            stretches.append(
                Int64(span.lowerBound + offset) - Self.margin...Int64(span.upperBound + offset)
                    + Self.margin)
            for second in best.key - 3...best.key + 4 { left[second] = nil }
        }
        guard !offsets.isEmpty else { throw .elsewhere }
        held = offsets.map { _ in [] }
        votes = [:]
        cells = [:]
    }

    /// Adds a row of the chosen stretches, in the order of time.
    package mutating func collect(_ row: TrackPoint) {
        for (number, stretch) in stretches.enumerated()
        where stretch.contains(row.microseconds) && held[number].count < Self.maxRows {
            held[number].append(row)
        }
    }

    /// UTC less the camera's clock, microseconds, and how far that may be off, seconds.
    package func result() throws(TrackRefusal) -> (offset: Double, uncertainty: Double) {
        var found: [(offset: Double, square: Double, compared: Int)] = []
        for (number, rough) in offsets.enumerated() {
            if let close = closest(to: rough, in: held[number]) { found.append(close) }
        }
        found.sort { $0.square < $1.square }
        guard let best = found.first else { throw .elsewhere }
        // Laps of a circuit differ at least by the receiver's wander.
        if found.count > 1, found[1].square <= best.square * 4 + 0.01 { throw .ambiguous }
        let metres = best.square.squareRoot()
        guard metres <= Self.maxDifference else { throw .differs(metres) }
        // Errors of neighbouring positions are alike: ten of them count as one.
        let independent = max(1, Double(best.compared) / 10)
        return (best.offset, 0.15 + 3 * metres / speed / independent.squareRoot())
    }

    private func closest(
        to rough: Double, in rows: [TrackPoint]
    ) -> (offset: Double, square: Double, compared: Int)? {
        var best: (offset: Double, square: Double, compared: Int)?
        var center = rough
        for (reach, step) in [(2.5e6, 0.1e6), (0.1e6, 0.01e6)] {
            for number in 0...Int(2 * reach / step) {
                let offset = center - reach + Double(number) * step
                guard let (square, compared) = difference(offset, rows) else { continue }
                if best.map({ square < $0.square }) ?? true { best = (offset, square, compared) }
            }
            guard let best else { return nil }
            center = best.offset
        }
        return best
    }

    /// Mean square of the distances, square metres; nil where too few can be compared.
    private func difference(
        _ offset: Double, _ rows: [TrackPoint]
    ) -> (square: Double, compared: Int)? {
        var squares = 0.0
        var compared = 0
        var next = 0
        for sample in samples {
            let time = sample.clock + offset
            while next < rows.count, Double(rows[next].microseconds) < time { next += 1 }
            guard next > 0, next < rows.count else { continue }
            let (before, after) = (rows[next - 1], rows[next])
            let pause = after.microseconds - before.microseconds
            guard (1...Self.maxPause).contains(pause) else { continue }
            let share = (time - Double(before.microseconds)) / Double(pause)
            let way = Place(before).displacement(to: Place(after))
            let rest = Place(before).displacement(to: sample.place) - way * share
            squares += rest.length * rest.length
            compared += 1
        }
        guard compared >= Self.minCompared, compared * 2 >= samples.count else { return nil }
        return (squares / Double(compared), compared)
    }

    private static func cell(of place: Place) -> Cell {
        Cell(
            north: Int32((place.latitudeDegrees / cell).rounded(.down)),
            east: Int32((place.longitudeDegrees / cell).rounded(.down)))
    }
}

extension Place {
    fileprivate init(_ row: TrackPoint) {
        self.init(latitudeDegrees: row.latitudeDegrees, longitudeDegrees: row.longitudeDegrees)
    }

    fileprivate init(_ place: HeldPlace) {
        self.init(
            latitudeDegrees: Double(place.latitudeE7) / 1e7,
            longitudeDegrees: Double(place.longitudeE7) / 1e7)
    }
}
