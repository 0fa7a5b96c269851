import Clock

/// The reports of one receiver that speak of the same instant (field notes A3, A9): several, some
/// of them incomplete, some with the place of the instant before.
struct Epoch: Equatable, Sendable {
    /// The times of two solutions of one epoch may differ by this much (A9.4); receivers give at
    /// most 40 a second.
    static let tolerance = TimeSpan.milliseconds(5)

    /// The time that its first report stated; nil where that stated none.
    let time: UnixTime?
    /// When the first report came.
    let arrival: Instant
    /// Whether it is later than the epoch before it: only then its fix is new.
    var advanced: Bool
    /// Whether it has the time of the epoch before it, which the receiver sent out twice.
    var isRepeat = false
    /// What the receiver's clock thinks of its time.
    let verdict: ReceiverClock.Verdict
    /// When the last report came.
    var lastReport: Instant
    /// The fix that its usable reports make together; nil before the first one.
    private(set) var fix: Fix?
    /// No report was usable. Says the same as `fix == nil`, and costs less.
    private(set) var isEmpty = true
    /// Whether its place was announced.
    var announced = false
    /// Whether its place is still that of the epoch before, although the rig moves, so that the fix
    /// is not told yet (A9.2).
    var withheld = false
    /// Whether a report without a course said that the rig stands, and the place agrees.
    var resting = false
    /// Whether its row for the track was given out; later reports may still bring a place.
    var closed = false
    /// Its number within the run, given with the first announcement.
    var sequence: Int?

    init(
        time: UnixTime?, arrival: Instant, advanced: Bool,
        verdict: ReceiverClock.Verdict = .fits
    ) {
        self.time = time
        self.verdict = verdict
        self.arrival = arrival
        self.advanced = advanced
        lastReport = arrival
    }

    /// Adds a usable report's fix; returns true where that changes the place.
    ///
    /// Reports of one epoch are completed by each other. A report without a course is the poorer
    /// one (coarse NMEA after binary): it does not move the place by what rounding explains.
    mutating func merge(_ other: Fix) -> Bool {
        guard var merged = fix else {
            fix = other
            isEmpty = false
            return true
        }
        let poorer = other.courseDegrees == nil && merged.courseDegrees != nil
        var moved = false
        let same =
            merged.latitudeDegrees == other.latitudeDegrees
            && merged.longitudeDegrees == other.longitudeDegrees
        if !same, !poorer || merged.place.displacement(to: other.place).length > Epoch.rounding {
            merged.latitudeDegrees = other.latitudeDegrees
            merged.longitudeDegrees = other.longitudeDegrees
            moved = true
        }
        if other.mode == .threeD { merged.mode = .threeD }
        if !poorer || moved || merged.heightMetres == nil {
            merged.heightMetres = other.heightMetres ?? merged.heightMetres
            merged.ellipsoidHeightMetres =
                other.ellipsoidHeightMetres ?? merged.ellipsoidHeightMetres
        }
        if other.courseDegrees != nil {
            // A speed that a report stated without a course does not belong to a course of another
            // report.
            let kept = merged.courseDegrees == nil ? nil : merged.speedMetresPerSecond
            merged.speedMetresPerSecond = other.speedMetresPerSecond ?? kept
            merged.courseDegrees = other.courseDegrees
        } else if !poorer {
            merged.speedMetresPerSecond = other.speedMetresPerSecond ?? merged.speedMetresPerSecond
        }
        merged.climbMetresPerSecond = other.climbMetresPerSecond ?? merged.climbMetresPerSecond
        merged.horizontalAccuracyMetres =
            other.horizontalAccuracyMetres ?? merged.horizontalAccuracyMetres
        merged.verticalAccuracyMetres =
            other.verticalAccuracyMetres ?? merged.verticalAccuracyMetres
        merged.speedAccuracyMetresPerSecond =
            other.speedAccuracyMetresPerSecond ?? merged.speedAccuracyMetresPerSecond
        merged.satellites = other.satellites ?? merged.satellites
        merged.hdop = other.hdop ?? merged.hdop
        if other.quality != .unknown { merged.quality = other.quality }
        fix = merged
        return moved
    }

    /// Metres by which rounding may move the place of a poorer report: NMEA with four decimals of a
    /// minute.
    private static let rounding = 1.0
}

extension Fix {
    /// Latitude and longitude together.
    package var place: Place {
        Place(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
    }
}
