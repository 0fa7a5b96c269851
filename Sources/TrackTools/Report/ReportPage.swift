/// A report as one HTML file: no script, nothing from elsewhere.
struct ReportPage {
    private let data: ReportData

    init(_ data: ReportData) { self.data = data }

    func write(to output: TextOutput) throws(TrackToolFault) {
        try output.write(head)
        try output.write(totals)
        try output.write(ReportMap(data).html)
        try output.write(charts)
        try output.write(lanes)
        try output.write(ReportTables(data).html)
        try output.write(
            "<footer>Made by geotagd. Times are UTC. Nothing in this page is loaded from anywhere."
                + "</footer>\n</main>\n</body>\n</html>\n")
    }

    private var title: String {
        let (begin, end) = (data.span.lowerBound, data.span.upperBound)
        let date = ReportText.instant(begin).prefix(10)
        let isOneDay = ReportText.instant(end).hasPrefix(date)
        return "Drive of \(date)" + (isOneDay ? "" : " to \(ReportText.instant(end).prefix(10))")
    }

    private var head: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'">
        <title>\(title)</title>
        <style>
        \(ReportStyle.text)
        </style>
        </head>
        <body>
        <main>
        <h1>\(title)</h1>
        <p>\(ReportText.instant(data.span.lowerBound)) to \
        \(ReportText.instant(data.span.upperBound)) UTC</p>

        """
    }

    // MARK: Totals

    private var totals: String {
        let summary = data.summary
        var entries: [(id: String, name: String, value: String)] = [
            (
                "duration", "Duration",
                ReportText.duration(data.span.upperBound - data.span.lowerBound)
            ),
            ("distance", "Distance", ReportText.number(summary.metres / 1000, 2) + " km"),
            ("moving", "Moving", ReportText.duration(summary.movingMilliseconds)),
        ]
        if summary.movingMilliseconds > 0 {
            let mean = summary.movingMetres / Double(summary.movingMilliseconds) * 3600
            entries.append(("mean", "Mean speed, moving", ReportText.number(mean, 1) + " km/h"))
        }
        if let fastest = summary.fastest {
            let speed = ReportText.number(Double(fastest.speed) * 0.0036, 1)
            let at = ReportText.clock(fastest.milliseconds)
            entries.append(("fastest", "Fastest", "\(speed) km/h at \(at)"))
        }
        if let heights = summary.heights {
            let low = ReportText.number(Double(heights.lowerBound) / 100, 0)
            let high = ReportText.number(Double(heights.upperBound) / 100, 0)
            entries.append(("heights", "Height", "\(low) to \(high) m"))
        }
        let share = Double(summary.rows3D) / Double(max(1, summary.rows)) * 100
        entries += [
            ("fixes", "Fixes", "\(summary.rows), \(ReportText.number(share, 1)) % 3-D"),
            ("gaps", "Gaps", Self.gaps(data)),
            ("recordings", "Recordings", Self.recordings(data)),
            ("failed", "Recordings that failed", String(data.failures.count)),
        ]
        let body = entries.map { entry in
            "<div><dt>\(entry.name)</dt><dd id=\"\(entry.id)\">\(entry.value)</dd></div>\n"
        }
        return "<dl class=\"totals\">\n\(body.joined())</dl>\n"
    }

    private static func gaps(_ data: ReportData) -> String {
        data.gapCount == 0
            ? "none" : "\(data.gapCount), in all \(ReportText.duration(data.gapMilliseconds))"
    }

    private static func recordings(_ data: ReportData) -> String {
        let count = data.cameras.reduce(0) { $0 + $1.recordings }
        let length = data.cameras.reduce(0) { $0 + $1.recordedMilliseconds }
        return count == 0 ? "none" : "\(count), in all \(ReportText.duration(length))"
    }

    // MARK: Charts

    private var charts: String {
        var text = "<section>\n<h2>Speed and height</h2>\n"
        if data.speeds.bounds != nil {
            text += chart(
                "speed", "km/h", data.speeds, from: 0, to: data.maxSpeed / 0.0036,
                labels: (ReportText.number(data.maxSpeed, 0), "0"))
        }
        if let bounds = data.heights.bounds {
            let step = NiceSteps.above(
                max(1, Double(bounds.upperBound - bounds.lowerBound) / 100 / 5))
            let low = (Double(bounds.lowerBound) / 100 / step).rounded(.down) * step
            let high = max(low + step, (Double(bounds.upperBound) / 100 / step).rounded(.up) * step)
            text += chart(
                "height", "m", data.heights, from: low * 100, to: high * 100,
                labels: (ReportText.number(high, 0), ReportText.number(low, 0)))
        }
        return text + axis + "</section>\n"
    }

    private func chart(
        _ name: String, _ unit: String, _ columns: ChartColumns, from low: Double, to high: Double,
        labels: (top: String, bottom: String)
    ) -> String {
        let path = columns.path(from: low, to: high)
        return """
            <div class="row chart"><b><span>\(labels.top)</span><span>\(name), \(unit)</span>\
            <span>\(labels.bottom)</span></b><svg role="img" aria-label="\(name) over time" \
            viewBox="0 0 \(ChartColumns.count) 100" preserveAspectRatio="none">\
            <path d="\(path)" fill="var(--chart)" stroke="var(--chart)" stroke-width="1" \
            vector-effect="non-scaling-stroke"/></svg></div>

            """
    }

    private var axis: String {
        let length = Double(max(1, data.span.upperBound - data.span.lowerBound))
        let ticks = NiceSteps.instants(data.span).map { tick in
            let share = Double(tick.milliseconds - data.span.lowerBound) / length * 100
            return "<span style=\"left:\(ReportText.number(share, 2))%\">\(tick.text)</span>"
        }
        return "<div class=\"row\"><b></b><div class=\"axis\">\(ticks.joined())</div></div>\n"
    }

    // MARK: Lanes

    private var lanes: String {
        var text = "<section>\n<h2>Fix</h2>\n"
        text += lane("fix", data.fixes)
        text += axis
        text += "<div class=\"legend\">"
        for (kind, name) in [("fix3d", "3-D"), ("fix2d", "2-D"), ("none", "no position")] {
            text += "<span><i style=\"background:var(--\(kind))\"></i>\(name)</span>"
        }
        text += "</div>\n</section>\n<h2>Cameras</h2>\n"
        if data.cameras.isEmpty { text += "<p>No camera is in these files.</p>\n" }
        for camera in data.cameras { text += self.camera(camera) }
        if data.unplaced > 0 {
            text += "<p>Clips whose time is not known surely enough: \(data.unplaced).</p>\n"
        }
        return text
    }

    private func camera(_ camera: ReportData.Camera) -> String {
        var words = [
            camera.recordings == 0
                ? "no recording"
                : "recordings \(camera.recordings), "
                    + ReportText.duration(camera.recordedMilliseconds)
        ]
        if camera.clipCount > 0 {
            words.append(
                "clips \(camera.clipCount), \(ReportText.duration(camera.clipMilliseconds))")
        }
        if let pushes = camera.pushes { words.append("pushes in the log \(pushes)") }
        var text = "<div class=\"camera\"><h3>\(ReportText.escaped(camera.name))</h3>\n"
        text += "<p>\(words.joined(separator: "; "))"
        if camera.failures > 0 {
            text += "; <span class=\"fail\">failed \(camera.failures)</span>"
        }
        text += "</p>\n" + lane("linked", camera.linked)
        if data.hasPushLog { text += lane("pushed", camera.pushed) }
        let failures = data.failures.filter { $0.camera == camera.name }.map(\.milliseconds)
        text += lane("recording", camera.recording, failures: failures)
        if camera.clipCount > 0 { text += lane("clips", camera.clips) }
        return text + axis + "</div>\n"
    }

    /// - Parameter failures: instants that get a sign, milliseconds since 1970.
    private func lane(_ name: String, _ lane: LaneSpans, failures: [Int64] = []) -> String {
        var text =
            "<div class=\"row lane\"><b>\(name)</b><svg role=\"img\" aria-label=\"\(name) over time\" "
            + "viewBox=\"0 0 10000 10\" preserveAspectRatio=\"none\">"
        for span in lane.spans {
            let begin = place(span.begin)
            let width = max(12, place(span.end) - begin)
            text += "<rect x=\"\(min(begin, 9988))\" width=\"\(width)\" height=\"10\" "
            text += "fill=\"var(--\(span.kind))\"/>"
        }
        for failure in failures {
            text += "<rect x=\"\(min(9950, max(0, place(failure) - 25)))\" width=\"50\" "
            text += "height=\"10\" fill=\"var(--fail)\"/>"
        }
        return text + "</svg></div>\n"
    }

    /// On the time line, 0 to 10000.
    private func place(_ milliseconds: Int64) -> Int {
        let length = Double(max(1, data.span.upperBound - data.span.lowerBound))
        let share = Double(milliseconds - data.span.lowerBound) / length
        return Int((min(max(share, 0), 1) * 10_000).rounded())
    }
}
