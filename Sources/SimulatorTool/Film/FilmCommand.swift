import Clock
import Film
import Glibc
import Navigation
import OsmoProtocol
import Simulation
import TrackFormat

/// `geotag-sim film`: a drive in virtual time, filmed by simulated cameras, with the files that the
/// daemon would have written of it.
enum FilmCommand {
    static let usage = """
        usage: geotag-sim film FOLDER [--seconds N] [--cameras N] [--models action4,…] [--seed N]
                               [--start UNIX_SECONDS] [--time_ahead MINUTES] [--log_drift PPM]
                               [--height METRES] [--speed PERCENT] [--filming KEY=VALUE,…]
        writes FOLDER/camN/DJI_….MP4, FOLDER/film.csv with what is true of them, and the track, the
        events and the push log of the drive into FOLDER/tracks
        \(FilmOptions.usage)
        """

    /// Recordings begin so many seconds into the drive, and end so many before its end.
    private static let margin = 5.0

    private struct Drive {
        var seconds: Int
        var start: UnixTime
        var aheadMinutes: Int
        var logDrift: Double
        var height: Double
        var share: Double
        var seed: UInt64
        var cameras: [String]
    }

    static func main(_ arguments: [String]) -> Int32 {
        guard let folder = arguments.first, !folder.hasPrefix("-") else {
            return refuse("which folder?")
        }
        let options = Options(
            Array(arguments.dropFirst()),
            names: [
                "seconds", "cameras", "models", "seed", "start", "time_ahead", "log_drift",
                "height", "speed", "filming",
            ])
        if let problem = options.problem { return refuse(problem) }
        do throws(OptionFault) {
            let drive = try drive(options)
            var filming = FilmOptions(cameras: try models(options, of: drive.cameras))
            if let word = filming.set(options["filming"] ?? "") {
                return refuse("\(word) is not understood")
            }
            return film(drive, filming, in: folder)
        } catch {
            return refuse(error.text)
        }
    }

    private static func drive(_ options: Options) throws(OptionFault) -> Drive {
        let count = try options.number("cameras", in: 1...99, standard: 4)
        let start = try options.number("start", in: 0...4_000_000_000, standard: 1_782_900_000)
        return Drive(
            seconds: try options.number("seconds", in: 20...86_400, standard: 60),
            start: UnixTime(nanoseconds: Int64(start) * 1_000_000_000),
            aheadMinutes: try options.number("time_ahead", in: -840...840, standard: 0),
            logDrift: Double(try options.number("log_drift", in: -500...500, standard: 25)) / 1e6,
            height: Double(try options.number("height", in: -500...9000, standard: 520)),
            share: Double(try options.number("speed", in: 0...100, standard: 100)) / 100,
            seed: UInt64(try options.number("seed", in: 0...Int.max, standard: 1)),
            cameras: (1...count).map { "cam\($0)" })
    }

    /// Each camera with its model: those that were named, in turn.
    private static func models(
        _ options: Options, of cameras: [String]
    ) throws(OptionFault) -> [(String, CameraModel)] {
        let words = (options["models"] ?? "").split(separator: ",")
        let models =
            words.isEmpty ? CameraCatalog.models : words.compactMap { CameraModel(word: $0) }
        guard words.isEmpty || models.count == words.count else {
            throw OptionFault(text: "--models takes action4, action5pro, action6, osmo360")
        }
        return cameras.enumerated().map { ($1, models[$0 % models.count]) }
    }

    private static func refuse(_ problem: String) -> Int32 {
        Terminal.complain("geotag-sim film: \(problem)\n\(usage)")
        return Terminal.usageError
    }

    private static func film(_ drive: Drive, _ filming: FilmOptions, in folder: String) -> Int32 {
        let begin = Instant(nanoseconds: 1_000_000_000_000)
        let utcAhead = drive.start - UnixTime(nanoseconds: begin.nanoseconds)
        guard
            let studio = FilmStudio(
                folder, filming, on: begin, utcAhead: utcAhead, seed: drive.seed),
            let logs = FilmLogs("\(folder)/tracks", from: drive.start)
        else {
            Terminal.complain("geotag-sim film: \(folder): \(String(cString: strerror(errno)))")
            return Terminal.unavailable
        }
        for (name, film) in filming.settings { logs.ready(name, film.model, at: begin) }
        let first = Int(margin * 10)
        let last = drive.seconds * 10 - first
        for tenth in 0..<drive.seconds * 10 {
            let passed = Double(tenth) / 10
            let now = begin + .seconds(passed)
            let logNow = begin + .seconds(passed * (1 + drive.logDrift))
            let isRecording = tenth >= first && tenth < last
            if tenth == first || tenth == last {
                // Cameras obey a little later, each at its own instant.
                let acted = now + .milliseconds(37)
                for line in studio.record(isRecording, at: acted) { Terminal.say(line) }
                for name in drive.cameras {
                    logs.record(
                        name, isRecording, time: drive.start + .seconds(passed), at: logNow)
                }
            }
            guard let (position, push) = push(drive, after: passed, at: logNow) else { continue }
            for line in studio.send(push, at: now) { Terminal.say(line) }
            logs.push(
                position, push, took: drive.cameras, recording: isRecording ? drive.cameras : [],
                at: logNow)
        }
        for line in studio.stop(at: begin + .seconds(drive.seconds)) { Terminal.say(line) }
        return logs.finish() ? 0 : Terminal.unavailable
    }

    /// What is pushed then. A receiver's place wanders by a metre, so that no lap repeats one.
    private static func push(
        _ drive: Drive, after seconds: Double, at now: Instant
    ) -> (CarriedPosition, GPSPush)? {
        var course = Course()
        course.heightMetres = drive.height
        let truth = course.truth(after: .seconds(seconds * drive.share))
        let phase = Double(drive.seed % 1000)
        let wander = { (period: Double) in Wave.sine((seconds + phase * 7) / period) * 1e-5 }
        let speed = truth.speedMetresPerSecond * drive.share
        let fix = Fix(
            mode: .threeD, time: drive.start + .seconds(seconds), arrival: now,
            latitudeDegrees: truth.latitudeDegrees + wander(31.7),
            longitudeDegrees: truth.longitudeDegrees + wander(43.3),
            heightMetres: truth.heightMetres + wander(19.1) * 1e5, speedMetresPerSecond: speed,
            courseDegrees: truth.courseDegrees,
            climbMetresPerSecond: truth.climbMetresPerSecond * drive.share, satellites: 12,
            device: "film")
        let position = CarriedPosition(
            fix: fix, instant: now, age: .milliseconds(40), epochSequence: Int(seconds * 10) + 1)
        let velocity = fix.velocity ?? (0, 0)
        guard let time = fix.time,
            let civil = CivilTime(time, offset: .seconds(60 * drive.aheadMinutes)),
            let push = GPSPush(
                date: Int32(civil.year * 10_000 + civil.month * 100 + civil.day),
                time: Int32(civil.hour * 10_000 + civil.minute * 100 + civil.second),
                latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees,
                heightMetres: fix.heightMetres ?? 0, northMetresPerSecond: velocity.north,
                eastMetresPerSecond: velocity.east,
                downMetresPerSecond: -(fix.climbMetresPerSecond ?? 0),
                horizontalAccuracyMetres: 2, verticalAccuracyMetres: 3,
                speedAccuracyMetresPerSecond: 0.3, satellites: 12)
        else { return nil }
        return (position, push)
    }
}

/// A wave, for what wanders.
private enum Wave {
    static func sine(_ turn: Double) -> Double { Glibc.sin(turn) }
}
