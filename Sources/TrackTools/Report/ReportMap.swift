/// The path of a report: to scale, coloured by speed, with marks.
struct ReportMap {
    /// Marks nearer to each other than this share of the picture's width share a sign, so that signs
    /// do not cover each other on a phone.
    private static let together = 0.11
    /// Signs that are drawn.
    private static let maxPins = 60

    private let data: ReportData

    init(_ data: ReportData) { self.data = data }

    var html: String {
        let frame = data.path.frame
        let (width, height) = (Int(frame.width.rounded()), Int(frame.height.rounded()))
        var text = "<section>\n<h2>Path</h2>\n<div class=\"map\" style=\"width:\(cssWidth)\">"
        text += "<svg role=\"img\" aria-label=\"the path, coloured by speed\" "
        text += "viewBox=\"0 0 \(width) \(height)\">"
        for (level, path) in data.path.paths(levels: ReportData.levels).enumerated()
        where !path.isEmpty {
            text += "<path stroke=\"var(--s\(level))\" d=\"\(path)\"/>"
        }
        text += "</svg>"
        for pin in pins {
            text += "<span class=\"pin\" style=\"left:\(ReportText.number(pin.x * 100, 2))%;"
            text += "top:\(ReportText.number(pin.y * 100, 2))%\">\(pin.text)</span>"
        }
        return text + "</div>\n" + legend + scale + "</section>\n"
    }

    /// A tall path is drawn narrower, so that it fits a screen.
    private var cssWidth: String {
        let ratio = data.path.frame.width / data.path.frame.height
        return ratio >= 1.4 ? "100%" : "min(100%,\(ReportText.number(ratio * 38, 1))rem)"
    }

    /// Places are shares of the picture.
    private var pins: [(x: Double, y: Double, text: String)] {
        var pins: [(x: Double, y: Double, first: Int, count: Int)] = []
        let frame = data.path.frame
        for (number, mark) in data.marks.prefix(ReportData.maxRows).enumerated() {
            guard let place = mark.place else { continue }
            let point = frame.place(latitudeE8: place.latitude, longitudeE8: place.longitude)
            let (x, y) = (point.x / frame.width, point.y / frame.height)
            guard (0...1).contains(x), (0...1).contains(y) else { continue }
            let near = pins.firstIndex { pin in
                abs(pin.x - x) < Self.together
                    && abs(pin.y - y) * frame.height / frame.width < Self.together
            }
            if let near {
                pins[near].count += 1
            } else if pins.count < Self.maxPins {
                pins.append((x, y, number + 1, 1))
            }
        }
        return pins.map { ($0.x, $0.y, "\($0.first)" + ($0.count > 1 ? "+" : "")) }
    }

    private var legend: String {
        let step = data.maxSpeed / Double(ReportData.levels)
        let entries = (0..<ReportData.levels).map { level in
            let low = ReportText.number(step * Double(level), 0)
            let high = ReportText.number(step * Double(level + 1), 0)
            return "<span><i style=\"background:var(--s\(level))\"></i>\(low)–\(high) km/h</span>"
        }
        return "<div class=\"legend\">\(entries.joined())</div>\n"
    }

    /// A line of a round number of metres.
    private var scale: String {
        let frame = data.path.frame
        let quarter = frame.width / frame.scale / 4
        let metres = NiceSteps.above(max(1, quarter))
        let share = metres * frame.scale / frame.width * 100
        let name =
            metres >= 1000
            ? ReportText.number(
                metres / 1000, metres.remainder(dividingBy: 1000) == 0 ? 0 : 1) + " km"
            : ReportText.number(metres, 0) + " m"
        return """
            <div style="width:\(cssWidth);margin:0 auto"><span class="scale" \
            style="width:\(ReportText.number(share, 2))%"></span></div>
            <p style="width:\(cssWidth);margin:0 auto">\(name); north is up.</p>

            """
    }
}
