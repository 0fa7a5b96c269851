import Glibc
import Simulation

/// `geotag-sim motion`: how far pushed positions are from where the rig was, on a recorded track.
enum MotionCommand {
    static let usage = """
        usage: geotag-sim motion TRACK.csv [--rate 1] [--latency 0.15] [--plot FILE.svg]
        Columns: time_s,lat,lon,alt_m,speed_mps,course_deg,climb_mps. Prints, for each way to carry a
        fix to the instant of a push, the errors of the pushes in metres.
        """

    static func main(_ arguments: [String]) -> Int32 {
        guard let path = arguments.first, !path.hasPrefix("--") else { return misused(nil) }
        let options = Options(
            Array(arguments.dropFirst()), names: ["rate", "latency", "plot"])
        if let problem = options.problem { return misused(problem) }
        let rate: Double
        let latency: Double
        do throws(OptionFault) {
            rate = try options.decimal("rate", in: 0.2...40, standard: 1)
            latency = try options.decimal("latency", in: 0...0.5, standard: 0.15)
        } catch {
            return misused(error.text)
        }
        guard let text = read(path) else {
            Terminal.complain("geotag-sim motion: cannot read \(path)")
            return 66
        }
        do throws(RecordedTrack.ReadError) {
            let track = try RecordedTrack(csv: text)
            let report = MotionReport(track: track, hertz: rate, latency: latency)
            for line in report.lines { Terminal.say(line) }
            guard let plot = options["plot"] else { return 0 }
            return write(report.plot, to: plot)
        } catch {
            Terminal.complain("\(path):\(error.line): not a sample of a track")
            return 65
        }
    }

    private static func misused(_ problem: String?) -> Int32 {
        if let problem { Terminal.complain("geotag-sim motion: \(problem)") }
        Terminal.complain(usage)
        return Terminal.usageError
    }

    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }

    private static func write(_ text: String, to path: String) -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            Terminal.complain("geotag-sim motion: cannot write \(path)")
            return 73
        }
        defer { close(file) }
        Terminal.put(text, on: file)
        return 0
    }
}
