package import Clock
package import LineProtocol
import Navigation
import OsmoProtocol
package import RadioPort
package import TrackFormat

/// Epochs, and the track file that must be written of them.
package enum TrackExamples {
    /// 2026-07-01T10:00:00Z.
    package static let start = UnixTime(nanoseconds: 1_782_900_000_000_000_000)
    /// UTC less the monotonic clock.
    package static let boot = start - UnixTime(nanoseconds: 1_234_467_890_000)

    /// The file of field notes B2, which ExifTool, GPSBabel and pandas were tried with.
    package static let file = """
        datetime_utc_time,latitude,longitude,alt_msl_m,Speed (m/s),heading_deg,fix,sats,hdop,\
        climb_mps,hae_m,eph_m,epv_m,epoch_s,mono_s,seq,device,pushed,rec
        2026-07-01 10:00:00.100Z,48.13715400,11.57612400,520.12,15.000,285.84,3d,12,0.90,-0.300,\
        567.42,1.71,2.99,1782900000.100,1234.567890,1,/dev/ttyACM0,2,OP3+A5P
        2026-07-01 10:00:00.200Z,48.13715812,11.57610460,520.09,15.012,285.41,3d,12,0.90,-0.280,\
        567.39,1.71,2.99,1782900000.200,1234.667901,2,/dev/ttyACM0,2,OP3+A5P
        2026-07-01 10:00:00.300Z,-33.85678900,-70.12345600,,,,2d,5,1.90,,,8.71,,1782900000.300,\
        1234.767910,3,/dev/ttyACM0,0,

        """

    package static let epochs: [ClosedEpoch] = [
        ClosedEpoch(
            fix: Fix(
                mode: .threeD, time: start + .milliseconds(100),
                arrival: Instant(nanoseconds: 1_234_567_890_000), latitudeDegrees: 48.137154,
                longitudeDegrees: 11.576124, heightMetres: 520.12, ellipsoidHeightMetres: 567.42,
                speedMetresPerSecond: 15, courseDegrees: 285.84, climbMetresPerSecond: -0.3,
                horizontalAccuracyMetres: 1.71, verticalAccuracyMetres: 2.99, satellites: 12,
                hdop: 0.9, device: "/dev/ttyACM0"),
            sequence: 1, pushedCameras: 2, recording: ["OP3", "A5P"], timeTrusted: true),
        ClosedEpoch(
            fix: Fix(
                mode: .threeD, time: start + .milliseconds(200),
                arrival: Instant(nanoseconds: 1_234_667_901_000), latitudeDegrees: 48.13715812,
                longitudeDegrees: 11.5761046, heightMetres: 520.09, ellipsoidHeightMetres: 567.39,
                speedMetresPerSecond: 15.012, courseDegrees: 285.41, climbMetresPerSecond: -0.28,
                horizontalAccuracyMetres: 1.71, verticalAccuracyMetres: 2.99, satellites: 12,
                hdop: 0.9, device: "/dev/ttyACM0"),
            sequence: 2, pushedCameras: 2, recording: ["OP3", "A5P"], timeTrusted: true),
        // The height that a receiver guesses in a 2-D fix is not written.
        ClosedEpoch(
            fix: Fix(
                mode: .twoD, time: start + .milliseconds(300),
                arrival: Instant(nanoseconds: 1_234_767_910_000), latitudeDegrees: -33.856789,
                longitudeDegrees: -70.123456, heightMetres: 520, ellipsoidHeightMetres: 567,
                climbMetresPerSecond: 0.1, horizontalAccuracyMetres: 8.71,
                verticalAccuracyMetres: 20, satellites: 5, hdop: 1.9, device: "/dev/ttyACM0"),
            sequence: 3, pushedCameras: 0, recording: [], timeTrusted: true),
    ]

    /// An epoch at an instant of the run, by a clock that agrees with GPS.
    ///
    /// - Parameters:
    ///   - milliseconds: time since the run began.
    ///   - step: how far GPS time is off.
    package static func epoch(
        _ milliseconds: Int, trusted: Bool = true, step: TimeSpan = .zero, hasTime: Bool = true
    ) -> ClosedEpoch {
        let arrival = Instant.zero + .milliseconds(milliseconds)
        let time = start + .milliseconds(milliseconds) + step
        return ClosedEpoch(
            fix: Fix(
                mode: .threeD, time: hasTime ? time : nil, arrival: arrival,
                latitudeDegrees: 48 + Double(milliseconds) * 1e-7, longitudeDegrees: 11,
                heightMetres: 500),
            sequence: milliseconds / 100, pushedCameras: 1, recording: [], timeTrusted: trusted)
    }

    package static func notice(
        _ kind: Notice.Kind, _ milliseconds: Int, name: String = "-", utc: UnixTime? = nil,
        _ fields: [Field] = []
    ) -> Notice {
        Notice(
            kind: kind, name: name, fields: fields,
            instant: .zero + .milliseconds(milliseconds), utc: utc)
    }

    package static func link(_ last: UInt64) -> LinkID {
        LinkID(
            camera: BluetoothAddress(value: 0x6060_1F00_0000 | last),
            adapter: BluetoothAddress(value: 1))
    }
}
