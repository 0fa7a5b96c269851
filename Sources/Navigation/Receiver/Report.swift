package import Clock

/// What gpsd says of a receiver, one message: raw numbers as libgps hands them over, unchecked.
///
/// `nan` stands for "absent". `Receiver` judges them.
package enum Report: Equatable, Sendable {
    case position(PositionReport)
    case sky(SkyReport)
    /// A device came or went (DEVICE, or a line of DEVICES).
    case device(path: String, active: Bool)
}

/// A TPV object (gpsd_json(5)).
package struct PositionReport: Equatable, Sendable {
    /// gpsd's device path.
    package var device: String
    /// 0 unknown, 1 no fix, 2 2-D, 3 3-D.
    package var mode: Int
    /// gps.h STATUS_…: 0 unknown, 1 GPS, 2 DGPS, 3 RTK fixed, 4 RTK float, 5 DR, 6 GNSS+DR, 7 time,
    /// 8 simulated, 9 P(Y).
    package var status: Int
    /// The epoch as the receiver states it; nil where the report has none.
    package var time: UnixTime?
    /// Degrees, north positive.
    package var latitudeDegrees = Double.nan
    /// Degrees, east positive.
    package var longitudeDegrees = Double.nan
    /// Metres above mean sea level (gpsd's altMSL).
    package var heightMetres = Double.nan
    /// Metres above the WGS84 ellipsoid (gpsd's altHAE).
    package var ellipsoidHeightMetres = Double.nan
    /// Metres a second over ground.
    package var speedMetresPerSecond = Double.nan
    /// Degrees, true, clockwise from north (gpsd's track).
    package var courseDegrees = Double.nan
    /// Metres a second, up positive.
    package var climbMetresPerSecond = Double.nan
    /// Metres (gpsd's eph).
    package var horizontalAccuracyMetres = Double.nan
    /// Metres (gpsd's epv).
    package var verticalAccuracyMetres = Double.nan
    /// Estimated error of the speed, metres a second (gpsd's eps).
    package var speedAccuracyMetresPerSecond = Double.nan

    /// A report in which all numbers are absent, to be filled in.
    package init(device: String, mode: Int, status: Int = 0, time: UnixTime? = nil) {
        self.device = device
        self.mode = mode
        self.status = status
        self.time = time
    }
}

/// A SKY object: satellites and dilution.
package struct SkyReport: Equatable, Sendable {
    /// gpsd's device path.
    package var device: String
    /// Satellites used; nil where the message has none (gpsd 3.24 and later may send DOPs alone).
    package var satellitesUsed: Int?
    /// Horizontal dilution of precision; no unit.
    package var hdop = Double.nan

    /// A report, as gpsd sent it.
    package init(device: String, satellitesUsed: Int?, hdop: Double = .nan) {
        self.device = device
        self.satellitesUsed = satellitesUsed
        self.hdop = hdop
    }
}

/// What the gpsd client tells the core.
package enum ReceiverInput: Equatable, Sendable {
    /// The connection to gpsd stands and WATCH was sent.
    case connected
    /// No connection: never made, refused, or lost.
    case disconnected
    case report(Report)
    /// All reports that had come when the client read, in order. After a pause only the newest is
    /// pushed, but each of them goes into the track.
    case reports([Report])
}

/// The state of gpsd and its receivers, by the words of `status` (contract 4.9).
package enum ReceiverState: String, Sendable, CaseIterable {
    case disconnected, nodata, nofix, fix2d, fix3d, frozen
}
