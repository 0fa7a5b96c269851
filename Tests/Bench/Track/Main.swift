import Clock
import Daemon
import Fleet
import Glibc
import Navigation
import Reactor
import TrackFormat
import TrackTools

/// `track-bench [ROWS] [FOLDER]`: how many rows a second the daemon's own path writes, from an
/// epoch on the loop to the file, and how many `geotagctl track` reads.
@main enum Main {
    static func main() {
        let words = CommandLine.arguments
        let rows = words.count > 1 ? Int(words[1]) ?? 864_000 : 864_000
        let folder = words.count > 2 ? words[2] : "/tmp/track-bench.\(getpid())"
        exit(TrackBench(rows: rows, folder: folder).run() ? 0 : 1)
    }
}

/// One run over as many epochs as a day has at 10 Hz.
struct TrackBench {
    /// Rows a second that the daemon's path has to write, at least.
    private static let goal = 200_000.0

    let rows: Int
    let folder: String

    func run() -> Bool {
        mkdir(folder, 0o755)
        let path = folder + "/track-20260701T000000Z.csv"
        show("one write(2) each and nothing else", measure(writeBare))
        let written = measure(writeTrack)
        show("written by the daemon's path, one write each", written)
        if let written { judge(Double(rows) / written.wall) }
        let silence = open("/dev/null", O_WRONLY)
        let output = dup(1)
        var isWhole = true
        for (verb, what) in [
            ("info", "read by track info"), ("check", "read by track check"),
            ("gpx", "turned into GPX"), ("kml", "turned into KML"),
            ("geojson", "turned into GeoJSON"),
        ] {
            dup2(silence, 1)
            let cost = measure { TrackCommand.run([verb, path]) == 0 }
            dup2(output, 1)
            show(what, cost)
            isWhole = isWhole && cost != nil
        }
        for kind in TrackFileKind.allCases {
            unlink("\(folder)/\(kind.rawValue)-20260701T000000Z.csv")
        }
        rmdir(folder)
        return isWhole
    }

    /// Wall and processor time.
    private struct Cost {
        var wall: Double
        var processor: Double
    }

    private func measure(_ work: () -> Bool) -> Cost? {
        let begin = MonotonicClock.now()
        let used = processorSeconds
        guard work() else { return nil }
        return Cost(
            wall: (MonotonicClock.now() - begin).seconds, processor: processorSeconds - used)
    }

    /// Processor time of all threads, which does not depend on what other programs do meanwhile.
    private var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func show(_ what: String, _ cost: Cost?) {
        let padded = what + String(repeating: " ", count: max(1, 46 - what.utf8.count))
        guard let cost else { return print("bench track  \(padded)failed") }
        let nanoseconds = Int(cost.processor / Double(rows) * 1e9)
        print(
            "bench track  \(padded)\(Int(Double(rows) / cost.wall)) rows/s, "
                + "\(nanoseconds) ns of processor time each")
    }

    private func judge(_ rowsPerSecond: Double) {
        let short = (1 - rowsPerSecond / Self.goal) * 100
        let verdict = short <= 0 ? "met" : "MISSED by \(Int(short.rounded(.up))) %"
        print(
            "goal: rows a second at least \(Int(Self.goal)): \(Int(rowsPerSecond)), \(verdict)")
    }

    /// Records epochs as fast as they are accepted, and keeps the queue between loop and disk below
    /// its bound.
    private func writeTrack() -> Bool {
        var settings = TrackSettings(directory: folder)
        settings.minimumFree = 0
        guard let loop = try? EventLoop(),
            let writer = try? TrackWriter(settings: settings, loop: loop, sink: { _ in })
        else { return false }
        let begin = MonotonicClock.now()
        for number in 0..<rows {
            writer.record(epoch(number), at: begin)
            while writer.queued > 2048 {
                loop.turn(until: MonotonicClock.now() + .microseconds(200))
            }
        }
        while !writer.isIdle { loop.turn(until: MonotonicClock.now() + .seconds(1)) }
        return writer.status.rows == rows && writer.close()
    }

    /// Writes the same bytes by system calls alone, to show the kernel's share.
    private func writeBare() -> Bool {
        let path = folder + "/floor"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0o644)
        guard descriptor >= 0 else { return false }
        defer {
            close(descriptor)
            unlink(path)
        }
        let row = TrackRow.line(epoch(1), time: time(1))
        for _ in 0..<rows {
            let count = row.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count != row.count { return false }
        }
        return true
    }

    /// 2026-07-01T00:00:00Z and a tenth of a second for each.
    private func time(_ number: Int) -> UnixTime {
        UnixTime(nanoseconds: 1_782_864_000_000_000_000 + Int64(number) * 100_000_000)
    }

    private func epoch(_ number: Int) -> ClosedEpoch {
        let way = Double(number) * 1.5
        let fix = Fix(
            mode: .threeD, time: time(number),
            arrival: Instant(nanoseconds: 60_000_000 + Int64(number) * 100_000_000),
            latitudeDegrees: 48 + way * 1e-7, longitudeDegrees: 11 + way * 1.3e-7,
            heightMetres: 520 + Double(number % 1000) / 100, ellipsoidHeightMetres: 567.42,
            speedMetresPerSecond: 15 + Double(number % 7) / 100, courseDegrees: 42.5,
            climbMetresPerSecond: 0.12, horizontalAccuracyMetres: 1.71,
            verticalAccuracyMetres: 2.99, satellites: 12, hdop: 0.9, device: "/dev/ttyACM0")
        return ClosedEpoch(
            fix: fix, sequence: number + 1, pushedCameras: 4, recording: ["front", "rear"],
            timeTrusted: true)
    }
}
