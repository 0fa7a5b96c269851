import Clock
import Fleet
import LineProtocol
import Navigation
import Simulation

/// What a track's replay comes to: a table and a plot.
struct MotionReport {
    private struct Row {
        var carrying: Carrying
        var pushes: [MotionReplay.Push]
    }

    private let track: RecordedTrack
    private let rows: [Row]

    /// - Parameter latency: seconds.
    init(track: RecordedTrack, hertz: Double, latency: Double) {
        self.track = track
        rows = Carrying.allCases.map { carrying in
            Row(
                carrying: carrying,
                pushes: MotionReplay.pushes(
                    of: track, hertz: hertz, latency: .seconds(latency), carrying: carrying))
        }
    }

    /// Metres: RMS, p95 and max over the ground, then of the height.
    var lines: [String] {
        let head = ["carrying", "pushes", "rms", "p95", "max", "height rms", "p95", "max"]
        return [MotionReport.line(head)]
            + rows.map { row in
                let ground = ErrorSummary(row.pushes.map(\.horizontal))
                let height = ErrorSummary(row.pushes.compactMap(\.vertical))
                return MotionReport.line(
                    [row.carrying.rawValue, String(row.pushes.count)]
                        + MotionReport.words(ground) + MotionReport.words(height))
            }
    }

    private static func words(_ summary: ErrorSummary?) -> [String] {
        guard let summary else { return ["-", "-", "-"] }
        return [summary.rms, summary.p95, summary.max].map { LineText.decimal($0, decimals: 3) }
    }

    private static func line(_ words: [String]) -> String {
        let columns = words.enumerated().map { index, word in
            let space = String(repeating: " ", count: max(0, (index == 0 ? 18 : 10) - word.count))
            return index == 0 ? word + space : space + word
        }
        return columns.joined(separator: " ")
    }
}

// MARK: - Plot

extension MotionReport {
    private static let width = 900.0
    private static let height = 300.0
    private static let colours: [Carrying: String] = [
        .hold: "#999999", .constantVelocity: "#3366cc", .extrapolate: "#cc3311",
    ]

    /// The horizontal error of every push over time, an SVG; logarithmic from 1 cm to 100 m.
    var plot: String {
        let first = track.samples.first?.seconds ?? 0
        let last = max(track.samples.last?.seconds ?? 1, first + 1)
        var body: [String] = []
        for power in -2...2 {
            let y = MotionReport.ordinate(decade: Double(power))
            let label = ["0.01 m", "0.1 m", "1 m", "10 m", "100 m"][power + 2]
            body.append("<path d='M60 \(y)H960' stroke='#dddddd'/>")
            body.append("<text x='52' y='\(y)' text-anchor='end'>\(label)</text>")
        }
        for (index, row) in rows.enumerated() {
            let colour = MotionReport.colours[row.carrying] ?? "black"
            let points = row.pushes.map { push in
                let x = 60 + (push.seconds - first) / (last - first) * MotionReport.width
                let decade = MotionReport.decade(push.horizontal)
                return
                    "\(LineText.decimal(x, decimals: 1)),\(MotionReport.ordinate(decade: decade))"
            }
            body.append(
                "<polyline fill='none' stroke='\(colour)' points='"
                    + points.joined(separator: " ") + "'/>")
            body.append(
                "<text x='\(80 + 200 * index)' y='345' fill='\(colour)'>\(row.carrying.rawValue)"
                    + "</text>")
        }
        body.append("<text x='960' y='345' text-anchor='end'>")
        body.append(
            "error over the ground, \(LineText.decimal(last - first, decimals: 0)) s</text>")
        return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1000 360'"
            + " font-family='sans-serif' font-size='12'>\n<rect width='1000' height='360'"
            + " fill='white'/>\n" + body.joined(separator: "\n") + "\n</svg>"
    }

    private static func ordinate(decade: Double) -> String {
        let share = (decade + 2) / 4
        return LineText.decimal(20 + height * (1 - share), decimals: 1)
    }

    /// The decimal logarithm within -2...2, by way of the exponent: a plot needs no more.
    private static func decade(_ metres: Double) -> Double {
        let bounded = min(max(metres, 0.01), 100)
        let octave = Double(bounded.exponent) + bounded.significand - 1
        return octave * 0.301_03
    }
}
