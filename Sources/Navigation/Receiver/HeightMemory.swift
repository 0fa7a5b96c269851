/// The last height of a 3-D fix, for 2-D fixes and for reports that leave it out.
struct HeightMemory: Equatable, Sendable {
    /// Design section 5, Positions.
    static let lifetime = Span.seconds(60)

    private var known: Known?

    private struct Known: Equatable {
        var height: Double
        var ellipsoidHeight: Double?
        var accuracy: Double?
        var arrival: Instant
    }

    mutating func take(_ fix: Fix) {
        guard fix.mode == .threeD, let height = fix.heightMetres else { return }
        known = Known(
            height: height, ellipsoidHeight: fix.ellipsoidHeightMetres,
            accuracy: fix.verticalAccuracyMetres, arrival: fix.arrival)
    }

    /// `fix` with the last height where it has none of its own.
    func completing(_ fix: Fix) -> Fix {
        guard fix.heightMetres == nil, let known,
            fix.arrival - known.arrival <= HeightMemory.lifetime
        else { return fix }
        var completed = fix
        completed.heightMetres = known.height
        completed.ellipsoidHeightMetres = known.ellipsoidHeight
        completed.verticalAccuracyMetres = known.accuracy
        return completed
    }
}
