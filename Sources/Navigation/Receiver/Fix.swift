package import Clock

/// One solution of the receiver: where the rig was at one epoch, in units that the names state.
///
/// Made only from reports that passed every check of finiteness and range (field notes A2): a
/// latitude here is a latitude. What the receiver did not say is nil, never 0.
package struct Fix: Equatable, Sendable {
    /// Whether the solution has a height. Where a receiver has no solution, there is no `Fix`.
    package enum Mode: Sendable {
        /// Horizontal position only: any height is a guess of the receiver.
        case twoD
        case threeD
    }

    /// Whether the receiver knows its height, too.
    package var mode: Mode
    /// The epoch as the receiver states it; nil before it knows the date.
    package var time: UnixTime?
    /// When its first report of this epoch reached us.
    package var arrival: Instant
    /// Degrees, north positive, -90 to 90.
    package var latitudeDegrees: Double
    /// Degrees, east positive, -180 to 180.
    package var longitudeDegrees: Double
    /// Height above mean sea level, metres.
    package var heightMetres: Double?
    /// Height above the WGS84 ellipsoid, metres.
    package var ellipsoidHeightMetres: Double?
    /// Speed over ground, metres a second. A speed without a course is not believed as motion: gpsd
    /// derives such speeds from two positions (field notes A9.1).
    package var speedMetresPerSecond: Double?
    /// Course over ground, true, degrees, 0 up to but not 360.
    package var courseDegrees: Double?
    /// Rate of climb, metres a second, up positive.
    package var climbMetresPerSecond: Double?
    /// Estimated horizontal error, metres (gpsd's eph).
    package var horizontalAccuracyMetres: Double?
    /// Estimated vertical error, metres (gpsd's epv).
    package var verticalAccuracyMetres: Double?
    /// Estimated error of the speed, metres a second (gpsd's eps), which gpsd overstates without
    /// bound at high rates.
    package var speedAccuracyMetresPerSecond: Double?
    /// Satellites used; nil where no sky report said so.
    package var satellites: Int?
    /// Horizontal dilution of precision.
    package var hdop: Double?
    /// How the receiver came to the position: plain GPS, corrected, simulated, …
    package var quality: FixQuality
    /// The receiver, as gpsd names it: a device path.
    package var device: String

    /// A fix; nothing is checked. `Receiver` makes them from reports that it has judged.
    package init(
        mode: Mode, time: UnixTime?, arrival: Instant, latitudeDegrees: Double,
        longitudeDegrees: Double, heightMetres: Double? = nil,
        ellipsoidHeightMetres: Double? = nil, speedMetresPerSecond: Double? = nil,
        courseDegrees: Double? = nil, climbMetresPerSecond: Double? = nil,
        horizontalAccuracyMetres: Double? = nil, verticalAccuracyMetres: Double? = nil,
        speedAccuracyMetresPerSecond: Double? = nil, satellites: Int? = nil, hdop: Double? = nil,
        quality: FixQuality = .unknown,
        device: String = ""
    ) {
        self.mode = mode
        self.time = time
        self.arrival = arrival
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
        self.heightMetres = heightMetres
        self.ellipsoidHeightMetres = ellipsoidHeightMetres
        self.speedMetresPerSecond = speedMetresPerSecond
        self.courseDegrees = courseDegrees
        self.climbMetresPerSecond = climbMetresPerSecond
        self.horizontalAccuracyMetres = horizontalAccuracyMetres
        self.verticalAccuracyMetres = verticalAccuracyMetres
        self.speedAccuracyMetresPerSecond = speedAccuracyMetresPerSecond
        self.satellites = satellites
        self.hdop = hdop
        self.quality = quality
        self.device = device
    }
}

/// How the solution was made: gpsd's TPV status (gps.h, STATUS_…).
package enum FixQuality: String, Sendable, CaseIterable {
    case unknown
    case gps
    case dgps
    case rtkFixed = "rtk-fixed"
    case rtkFloat = "rtk-float"
    case deadReckoning = "dr"
    case gnssDeadReckoning = "gnss-dr"
    case time
    case simulated
    case ppsFix = "pps"
}

extension Fix {
    /// Metres a second over ground, north and east; zero at rest, nil where the receiver did not
    /// say, or not completely.
    package var velocity: (north: Double, east: Double)? {
        guard let speed = speedMetresPerSecond else { return nil }
        guard let course = courseDegrees else { return speed == 0 ? (0, 0) : nil }
        let vector = GroundVector(length: speed, courseDegrees: course)
        return (vector.north, vector.east)
    }
}
