import Daemon
import Fleet
import Glibc
import Navigation
import Reactor
import TrackTools

/// `track-bench [ROWS] [FOLDER]`: how many rows a second the daemon's own path writes, from an epoch
/// on the loop to the file, and how many `geotagctl track` reads.
@main enum Main {
    static func main() {
        let words = CommandLine.arguments
        let rows = words.count > 1 ? Int(words[1]) ?? 864_000 : 864_000
        let folder = words.count > 2 ? words[2] : "/tmp/track-bench.\(getpid())"
        exit(TrackBench(rows: rows, folder: folder).run() ? 0 : 1)
    }
}

/// One run over as many epochs as a day at 10 Hz has.
struct TrackBench {
    let rows: Int
    let folder: String

    func run() -> Bool {
        mkdir(folder, 0o755)
        let floor = floorRate()
        let path = folder + "/track-20260701T000000Z.csv"
        guard let written = writeRate() else {
            print("bench track: the disk did not take all rows")
            return false
        }
        let silence = open("/dev/null", O_WRONLY)
        let output = dup(1)
        dup2(silence, 1)
        let info = seconds { TrackCommand.run(["info", path]) == 0 }
        let gpx = seconds { TrackCommand.run(["gpx", path]) == 0 }
        let kml = seconds { TrackCommand.run(["kml", path]) == 0 }
        let check = seconds { TrackCommand.run(["check", path]) == 0 }
        dup2(output, 1)
        show("written by the daemon's path, one write each", written)
        show("one write(2) each and nothing else", floor)
        show("read by track info", info.map { Double(rows) / $0 })
        show("read by track check", check.map { Double(rows) / $0 })
        show("turned into GPX", gpx.map { Double(rows) / $0 })
        show("turned into KML", kml.map { Double(rows) / $0 })
        for kind in TrackFileKind.allCases {
            unlink("\(folder)/\(kind.rawValue)-20260701T000000Z.csv")
        }
        rmdir(folder)
        return info != nil && gpx != nil && kml != nil && check != nil
    }

    private func show(_ what: String, _ rate: Double?) {
        let padded = what + String(repeating: " ", count: max(1, 48 - what.utf8.count))
        print("bench track  \(padded)\(rate.map { String(Int($0)) } ?? "failed") rows/s")
    }

    /// As fast as epochs are taken, with the queue between loop and disk kept short of its bound.
    private func writeRate() -> Double? {
        var settings = TrackSettings(directory: folder)
        settings.minimumFree = 0
        guard let loop = try? EventLoop(),
            let writer = try? TrackWriter(settings: settings, loop: loop, sink: { _ in })
        else { return nil }
        let begin = MonotonicClock.now()
        for number in 0..<rows {
            writer.record(epoch(number), at: begin)
            while writer.queued > 2048 { loop.turn(until: MonotonicClock.now() + .seconds(1)) }
        }
        while !writer.isIdle { loop.turn(until: MonotonicClock.now() + .seconds(1)) }
        let end = MonotonicClock.now()
        guard writer.status.rows == rows, writer.close() else { return nil }
        return Double(rows) / (end - begin).seconds
    }

    /// What the kernel alone takes.
    private func floorRate() -> Double? {
        let path = folder + "/floor"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0o644)
        guard descriptor >= 0 else { return nil }
        defer {
            close(descriptor)
            unlink(path)
        }
        let row = TrackRow.line(epoch(1), time: time(1))
        let took = seconds {
            for _ in 0..<rows {
                let count = row.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count != row.count { return false }
            }
            return true
        }
        return took.map { Double(rows) / $0 }
    }

    private func seconds(_ work: () -> Bool) -> Double? {
        let begin = MonotonicClock.now()
        guard work() else { return nil }
        return (MonotonicClock.now() - begin).seconds
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
