package import Clock
package import Navigation
package import OsmoProtocol

extension GPSPush {
    /// The push that tells cameras of `position`; nil where there is nothing to be told: no time
    /// that could be right (contract 8.6).
    ///
    /// - Parameters:
    ///   - field: which zone the time is in.
    ///   - zone: this machine's, for `local`.
    package init?(
        _ position: CarriedPosition, field: RigSettings.TimeField, zone: LocalZone
    ) {
        let fix = position.fix
        guard let time = fix.time,
            let stamp = field.dateAndTime(of: time, zone: zone)
        else { return nil }
        let accuracy = PushedAccuracy(fix)
        let velocity = fix.velocity ?? (0, 0)
        self.init(
            date: stamp.date, time: stamp.time, latitudeDegrees: fix.latitudeDegrees,
            longitudeDegrees: fix.longitudeDegrees, heightMetres: fix.heightMetres ?? 0,
            northMetresPerSecond: velocity.north, eastMetresPerSecond: velocity.east,
            downMetresPerSecond: -(fix.climbMetresPerSecond ?? 0),
            horizontalAccuracyMetres: accuracy.horizontalMetres,
            verticalAccuracyMetres: accuracy.verticalMetres,
            speedAccuracyMetresPerSecond: accuracy.speedMetresPerSecond,
            satellites: fix.satellites ?? (fix.mode == .threeD ? 4 : 3))
        // Cameras take 0, 0 for "none": a centimetre north of it is a place.
        if latitudeE7 == 0, longitudeE7 == 0 { latitudeE7 = 1 }
    }

    /// The push that takes the last position back, at `time` where one is known.
    package init(voidAt time: UnixTime?, field: RigSettings.TimeField, zone: LocalZone) {
        let stamp = time.flatMap { field.dateAndTime(of: $0, zone: zone) }
        self.init(voidAtDate: stamp?.date ?? 0, time: stamp?.time ?? 0)
    }
}

/// The accuracy fields of a push: what the receiver estimates, or honest guesses.
struct PushedAccuracy: Equatable {
    /// A height that nobody knows (contract 8.5).
    static let unknownHeight = 9_999.0
    /// A ranging error that gpsd itself assumes without differential corrections, per dilution.
    private static let metresPerDilution = 5.0
    private static let horizontalDefault = 10.0
    /// A receiver knows height half as well as place.
    private static let verticalFactor = 1.5
    /// gpsd's eps is a bound that grows with the rate of fixes; beyond this it says nothing.
    private static let believableSpeed = 10.0
    private static let speedDefault = 0.5

    let horizontalMetres: Double
    let verticalMetres: Double
    let speedMetresPerSecond: Double

    init(_ fix: Fix) {
        horizontalMetres =
            fix.horizontalAccuracyMetres
            ?? fix.hdop.map { $0 * PushedAccuracy.metresPerDilution }
            ?? PushedAccuracy.horizontalDefault
        if fix.heightMetres == nil {
            verticalMetres = PushedAccuracy.unknownHeight
        } else {
            verticalMetres =
                fix.verticalAccuracyMetres ?? horizontalMetres * PushedAccuracy.verticalFactor
        }
        if fix.velocity == nil {
            speedMetresPerSecond = PushedAccuracy.believableSpeed
        } else {
            let said = fix.speedAccuracyMetresPerSecond.flatMap {
                $0 <= PushedAccuracy.believableSpeed ? $0 : nil
            }
            speedMetresPerSecond = said ?? PushedAccuracy.speedDefault
        }
    }
}
