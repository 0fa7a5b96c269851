import Clock
import OsmoProtocol

@testable import Film
@testable import Footage

/// A drive of a simulated rig: pushes at ten a second, and the clips that a camera films meanwhile.
struct Drive {
    /// UTC at the monotonic clock's zero: 2026-07-01T10:00:00Z.
    static let utcAhead = TimeSpan.seconds(1_782_900_000)
    static let start = Instant(nanoseconds: 100_000_000_000)

    var settings: FilmSettings
    /// When the camera was turned on.
    var poweredOn = Drive.start - .seconds(37)
    var heightMillimetres: Int32 = 520_000
    var seed: UInt64 = 1
    /// Pushed time less UTC.
    var pushedZone = TimeSpan.zero
    var pushes: [(sent: Instant, push: GPSPush)] = []

    init(_ settings: FilmSettings) { self.settings = settings }

    /// The push at `seconds` from `start`: 15 m/s on a curve.
    func push(at seconds: Double) -> GPSPush {
        let time =
            UnixTime(nanoseconds: (Drive.start + .seconds(seconds)).nanoseconds)
            + Drive.utcAhead + pushedZone
        let civil = CivilTime(time)!
        return GPSPush(
            date: Int32(civil.year * 10_000 + civil.month * 100 + civil.day),
            time: Int32(civil.hour * 10_000 + civil.minute * 100 + civil.second),
            latitudeDegrees: 48.1 + seconds * 0.000123, longitudeDegrees: 11.5 - seconds * 0.000089,
            heightMetres: Double(heightMillimetres) / 1e3 + seconds * 0.0137,
            northMetresPerSecond: 13.7, eastMetresPerSecond: -6.6, downMetresPerSecond: 0,
            horizontalAccuracyMetres: 2, verticalAccuracyMetres: 3,
            speedAccuracyMetresPerSecond: 0.3, satellites: 12)!
    }

    /// Pushes from 0 on for `seconds`, with a recording between two instants, all in seconds.
    mutating func film(_ recording: ClosedRange<Double>, of seconds: Double) -> [FilmedRecording] {
        var camera = FilmCamera(settings, on: poweredOn, utcAhead: Self.utcAhead, seed: seed)
        var files: [FilmedRecording] = []
        var isRecording = false
        for tenth in 0..<Int(seconds * 10) {
            let at = Double(tenth) / 10
            let now = Drive.start + .seconds(at)
            if !isRecording, at >= recording.lowerBound, at <= recording.upperBound {
                isRecording = true
                files += camera.record(true, at: Drive.start + .seconds(recording.lowerBound))
            }
            if isRecording, at > recording.upperBound {
                isRecording = false
                files += camera.record(false, at: Drive.start + .seconds(recording.upperBound))
            }
            let push = push(at: at)
            pushes.append((now, push))
            files += camera.send(push, at: now)
        }
        files += camera.record(false, at: Drive.start + .seconds(seconds))
        return files
    }
}

extension SentPush {
    /// The row of a push log for a push of the drive.
    init(_ push: GPSPush, at sent: Instant) {
        let utc = UnixTime(nanoseconds: sent.nanoseconds) + Drive.utcAhead
        self.init(
            log: 0, monotonicMicroseconds: sent.nanoseconds / 1000,
            utcMicroseconds: utc.nanoseconds / 1000, place: HeldPlace(push))
    }
}
