/// Finds where the positions of some clips stand in the push logs. It holds the positions of the
/// clips only, not the logs, which may span a year.
package struct PushIndex: Sendable {
    /// A push that a position of a clip may be.
    struct Hit: Equatable, Sendable {
        var log: Int
        var monotonic: Int64
        /// The pushed time less UTC, seconds; nil where one of them is not known.
        var stated: Int32?
    }

    /// Pushes that are kept for a position. A rig that stands repeats its position for hours, which
    /// tells nothing.
    static let maxHits = 8
    /// Millimetres by which a rounded height may be off.
    private static let heightRounding: Int32 = 6

    private var entries: [UInt64: [Int]] = [:]
    private var places: [HeldPlace] = []
    fileprivate var found: [[Hit]] = []
    /// For each position whether more than `maxHits` pushes have it.
    private var isCommon: [Bool] = []
    fileprivate var numbers: [HeldPlace: Int] = [:]
    private(set) var clocks: [LogClock] = []
    /// Rows that were added so far.
    package private(set) var rows = 0

    /// An index of the positions in `clips`, to which the rows of push logs are added.
    package init(_ clips: [FilmedClip]) {
        for clip in clips {
            for run in clip.runs where numbers[run.place] == nil {
                let key = Self.key(run.place.latitudeE7, run.place.longitudeE7)
                numbers[run.place] = places.count
                entries[key, default: []].append(places.count)
                places.append(run.place)
            }
        }
        found = [[Hit]](repeating: [], count: places.count)
        isCommon = [Bool](repeating: false, count: places.count)
    }

    /// Adds a row; the rows of a log in their order.
    package mutating func take(_ push: SentPush) {
        rows += 1
        while clocks.count <= push.log { clocks.append(LogClock()) }
        if let utc = push.utcMicroseconds {
            clocks[push.log].take(monotonic: push.monotonicMicroseconds, utc: utc)
        }
        let reach: Int32 = push.isRounded ? 1 : 0
        for north in -reach...reach {
            for east in -reach...reach {
                let key = Self.key(
                    push.place.latitudeE7 &+ north, push.place.longitudeE7 &+ east)
                guard let candidates = entries[key] else { continue }
                for entry in candidates where fits(push, places[entry]) { add(push, to: entry) }
            }
        }
    }

    private func fits(_ push: SentPush, _ place: HeldPlace) -> Bool {
        if push.lacksHeight { return true }
        let difference = place.heightMillimetres.subtractingReportingOverflow(
            push.place.heightMillimetres)
        let bound = push.isRounded ? Self.heightRounding : 0
        return !difference.overflow && difference.partialValue.magnitude <= bound.magnitude
    }

    private mutating func add(_ push: SentPush, to entry: Int) {
        guard found[entry].count < Self.maxHits else {
            isCommon[entry] = true
            return
        }
        var stated: Int32?
        if let seconds = push.statedSeconds, let utc = push.utcMicroseconds {
            stated = Int32(clamping: seconds - utc / 1_000_000)
        }
        found[entry].append(
            Hit(log: push.log, monotonic: push.monotonicMicroseconds, stated: stated))
    }

    /// The pushes that this position may be; none where there are too many to tell.
    func hits(_ place: HeldPlace) -> [Hit] {
        guard let number = numbers[place], !isCommon[number] else { return [] }
        return found[number]
    }

    private static func key(_ latitude: Int32, _ longitude: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: latitude)) << 32 | UInt64(UInt32(bitPattern: longitude))
    }
}

extension PushIndex {
    /// How many of a clip's positions are pushes of these logs.
    package func found(in clip: FilmedClip) -> (found: Int, of: Int) {
        (clip.runs.count { isKnown($0.place) }, clip.runs.count)
    }

    private func isKnown(_ place: HeldPlace) -> Bool {
        numbers[place].map { !found[$0].isEmpty } ?? false
    }
}
