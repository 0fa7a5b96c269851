import Clock

/// Keeps the last height of a 3-D fix, for 2-D fixes and for reports without a height.
struct HeightMemory: Equatable, Sendable {
    /// How long a height is kept (contract 8.5).
    static let lifetime = TimeSpan.seconds(60)

    private var known: Known?

    private struct Known: Equatable {
        var height: Double
        var ellipsoidHeight: Double?
        var accuracy: Double?
        var arrival: Instant
    }

    mutating func update(_ fix: Fix) {
        guard fix.mode == .threeD, let height = fix.heightMetres else { return }
        known = Known(
            height: height, ellipsoidHeight: fix.ellipsoidHeightMetres,
            accuracy: fix.verticalAccuracyMetres, arrival: fix.arrival)
    }

    /// `fix` with the last height where it has none of its own.
    ///
    /// - Parameter climb: metres a second, by which a 3-D fix has climbed since then.
    func completing(_ fix: Fix, climb: Double) -> Fix {
        guard fix.heightMetres == nil, let known,
            fix.arrival - known.arrival <= HeightMemory.lifetime
        else { return fix }
        let rise = fix.mode == .threeD ? climb * (fix.arrival - known.arrival).seconds : 0
        var completed = fix
        completed.heightMetres = known.height + rise
        completed.ellipsoidHeightMetres = known.ellipsoidHeight.map { $0 + rise }
        completed.verticalAccuracyMetres = known.accuracy
        return completed
    }
}
