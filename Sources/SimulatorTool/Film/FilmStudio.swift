import Clock
import Film
import Glibc
import OsmoProtocol
import Simulation

/// Writes what simulated cameras film into a folder, and beside it `film.csv`: what is true of it.
final class FilmStudio {
    /// Of `film.csv`, with its LF.
    static let header =
        "file,camera,model,serial,first_utc_us,last_utc_us,first_clock_us,frames,fps,drift_ppm,"
        + "calendar_ahead_s,zone_min,least_delay_ms\n"

    private let folder: String
    private var cameras: [(name: String, film: FilmCamera)]
    private let utcAhead: TimeSpan

    /// - Parameters:
    ///   - start: when cameras were last turned on, or a little later: each at its own moment.
    ///   - utcAhead: UTC less the monotonic clock.
    init?(
        _ folder: String, _ options: FilmOptions, on start: Instant, utcAhead: TimeSpan,
        seed: UInt64
    ) {
        self.folder = folder
        self.utcAhead = utcAhead
        cameras = options.settings.enumerated().map { number, camera in
            let poweredOn = start - .seconds(20 + 7 * number)
            return (
                camera.name,
                FilmCamera(
                    camera.film, on: poweredOn, utcAhead: utcAhead, seed: seed &+ UInt64(number))
            )
        }
        if mkdir(folder, 0o755) != 0, errno != EEXIST { return nil }
        guard append(Self.header, to: "film.csv", replacing: true) else { return nil }
    }

    /// UTC less the monotonic clock, as the machine has them.
    static var systemAhead: TimeSpan {
        var (wall, monotonic) = (timespec(), timespec())
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_MONOTONIC, &monotonic)
        return TimeSpan(
            nanoseconds: Int64(wall.tv_sec - monotonic.tv_sec) * 1_000_000_000
                + Int64(wall.tv_nsec - monotonic.tv_nsec))
    }

    /// Something happened to a camera.
    ///
    /// - Returns: a line for each file that was written.
    func add(_ note: CameraNote, of name: String, at now: Instant) -> [String] {
        guard let number = cameras.firstIndex(where: { $0.name == name }) else { return [] }
        let files =
            switch note {
            case .push(let push): cameras[number].film.send(push, at: now)
            case .recording(let isOn): cameras[number].film.record(isOn, at: now)
            case .restarted: cameras[number].film.restart(at: now)
            case .handshake, .decided, .authenticated, .command, .photo, .mode, .slept, .woke,
                .violation:
                cameras[number].film.pass(to: now)
            }
        return files.map { write($0, of: number, at: now) }
    }

    /// A push that went to all of them.
    func send(_ push: GPSPush, at now: Instant) -> [String] {
        cameras.indices.flatMap { number in
            cameras[number].film.send(push, at: now).map { write($0, of: number, at: now) }
        }
    }

    /// All begin or end to record.
    func record(_ isOn: Bool, at now: Instant) -> [String] {
        cameras.indices.flatMap { number in
            cameras[number].film.record(isOn, at: now).map { write($0, of: number, at: now) }
        }
    }

    /// The end of the run.
    func stop(at now: Instant) -> [String] { record(false, at: now) }

    private func write(_ file: FilmedRecording, of number: Int, at now: Instant) -> String {
        let (name, film) = cameras[number]
        let settings = film.settings
        // Cameras of one rig would give their clips one name: each has a card of its own.
        _ = mkdir("\(folder)/\(name)", 0o755)
        let path = "\(name)/\(file.name)"
        let isWritten = put(file.bytes, to: path, O_TRUNC)
        func microseconds(_ instant: Instant) -> Int64 {
            (UnixTime(nanoseconds: instant.nanoseconds) + utcAhead).nanoseconds / 1000
        }
        let row =
            "\(path),\(name),\(settings.model.word),\(settings.serial),\(microseconds(file.first)),"
            + "\(microseconds(file.last)),\(file.firstClock),\(file.frames),"
            + "\(settings.rate.perSecond),\(settings.driftPPM),\(settings.clockAhead.seconds),"
            + "\(settings.zoneMinutes),\(settings.minDelay.milliseconds)\n"
        let isListed = append(row, to: "film.csv", replacing: false)
        let word = isWritten && isListed ? "film" : "film-error"
        return "\(now.nanoseconds) \(name) \(word) \(folder)/\(path)"
    }

    private func append(_ text: String, to name: String, replacing: Bool) -> Bool {
        put(Array(text.utf8), to: name, replacing ? O_TRUNC : O_APPEND)
    }

    private func put(_ bytes: [UInt8], to name: String, _ flags: Int32) -> Bool {
        let path = "\(folder)/\(name)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o644)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
