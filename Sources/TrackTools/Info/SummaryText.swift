import LineProtocol
import TrackFormat

/// The summary of tracks as lines for a person.
struct SummaryText {
    private let summary: TrackSummary
    /// Whether instants are shown in local time as well.
    private let isLocal: Bool

    init(_ summary: TrackSummary, isLocal: Bool = false) {
        self.summary = summary
        self.isLocal = isLocal
    }

    /// - Parameter files: how many files the summary was made from.
    func lines(files: Int) -> [String] {
        guard let first = summary.first, let last = summary.last else { return [] }
        let span = last.milliseconds - first.milliseconds
        var lines = [
            line("files", String(files)),
            line("begin", instant(first.milliseconds)),
            line("end", instant(last.milliseconds)),
            line("span", Self.duration(span)),
            line("rows", "\(summary.rows), 3d \(share(summary.rows3D)), 2d \(share2D)"),
        ]
        lines += presenceLines
        lines += motionLines
        lines.append(line("pushed", "\(share(summary.pushed)) of the epochs to a camera"))
        for (device, count) in summary.devices.sorted(by: { $0.key < $1.key }) {
            lines.append(line("receiver", "\(device.isEmpty ? "-" : device), \(count) rows"))
        }
        for (name, recordings) in summary.recordings.sorted(by: { $0.key < $1.key }) {
            let duration = Self.duration(recordings.milliseconds)
            lines.append(
                line("camera", "\(name), recordings \(recordings.count), in all \(duration)"))
        }
        return lines
    }

    private var presenceLines: [String] {
        let presence = summary.presence
        guard !presence.files.isEmpty else { return [] }
        let isOne = presence.files.count == 1
        var lines = presence.files.sorted { $0.key < $1.key }.map { usual, files in
            line("rate", Self.rate(usual) + (isOne ? "" : " in \(Self.counted(files, "file"))"))
        }
        let rows = Int64(summary.rows)
        lines.append(
            line(
                "present",
                share(summary.rows, of: rows + presence.missingRows)
                    + ", " + Self.missing(presence.missingRows, in: presence.gaps)))
        for gap in presence.longest {
            lines.append(
                line("gap", "\(Self.duration(gap.milliseconds)) from \(instant(gap.begin))"))
        }
        return lines
    }

    /// `10.00 Hz, every 100 ms`.
    ///
    /// - Parameter interval: the usual one, milliseconds, more than 0.
    static func rate(_ interval: Int64) -> String {
        let hertz = LineText.fixed(100_000 / interval, unit: 100, decimals: 2)
        return "\(hertz) Hz, every \(interval) ms"
    }

    /// `9 rows missing in 1 gap`.
    static func missing(_ rows: Int64, in gaps: Int) -> String {
        "\(counted(Int(clamping: rows), "row")) missing in \(counted(gaps, "gap"))"
    }

    private static func counted(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }

    private var motionLines: [String] {
        var lines = [line("distance", Self.decimal(summary.metres / 1000, 3) + " km")]
        if let fastest = summary.fastest {
            lines.append(
                line(
                    "speed",
                    "highest \(Self.speed(Double(fastest.speed) / 1000)) at "
                        + instant(fastest.milliseconds)))
        }
        if summary.movingMilliseconds > 0 {
            let mean = summary.movingMetres / (Double(summary.movingMilliseconds) / 1000)
            lines.append(
                line(
                    "moving",
                    "\(Self.duration(summary.movingMilliseconds)), on average \(Self.speed(mean))"))
        }
        if let heights = summary.heights {
            lines.append(
                line(
                    "height",
                    "\(Self.fixed(heights.lowerBound, 2)) to "
                        + "\(Self.fixed(heights.upperBound, 2)) m above the sea"))
        }
        if let latitudes = summary.latitudes, let longitudes = summary.longitudes.ends {
            lines.append(
                line(
                    "bounds",
                    "\(Self.fixed(latitudes.lowerBound, 8)),"
                        + "\(Self.fixed(longitudes.west, 8)) to "
                        + "\(Self.fixed(latitudes.upperBound, 8)),"
                        + "\(Self.fixed(longitudes.east, 8))"))
        }
        return lines
    }

    private func line(_ name: String, _ text: String) -> String {
        name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + text
    }

    private var share2D: String { share(summary.rows - summary.rows3D) }

    private func share(_ part: Int, of whole: Int64? = nil) -> String {
        let whole = whole ?? Int64(summary.rows)
        return LineText.fixed(whole > 0 ? Int64(part) * 10_000 / whole : 0, unit: 100, decimals: 2)
            + " %"
    }

    private static func speed(_ metresPerSecond: Double) -> String {
        "\(decimal(metresPerSecond, 2)) m/s (\(decimal(metresPerSecond * 3.6, 1)) km/h)"
    }

    private static func decimal(_ number: Double, _ decimals: Int) -> String {
        LineText.decimal(number, decimals: decimals)
    }

    private static func fixed(_ count: Int64, _ decimals: Int) -> String {
        var text = RowText()
        text.append(count: count, decimals: decimals)
        return text.string
    }

    private func instant(_ milliseconds: Int64) -> String {
        guard isLocal else { return Self.utc(milliseconds) }
        let local = LocalTime.text(milliseconds, separator: UInt8(ascii: " "))
        return "\(Self.utc(milliseconds)), local \(local)"
    }

    /// `2026-07-01 10:00:00.100Z`, as the track has it.
    static func utc(_ milliseconds: Int64) -> String {
        var text = RowText()
        text.append(milliseconds: milliseconds, separator: UInt8(ascii: " "))
        return text.string
    }

    /// `1 h 02 min 03.4 s`
    static func duration(_ milliseconds: Int64) -> String {
        let tenths = (milliseconds + 50) / 100
        let seconds = "\(tenths / 10 % 60).\(tenths % 10) s"
        let padded = tenths / 10 % 60 < 10 ? "0" + seconds : seconds
        let minutes = tenths / 600 % 60
        let hours = tenths / 36_000
        if hours > 0 { return "\(hours) h \(minutes < 10 ? "0" : "")\(minutes) min \(padded)" }
        return minutes > 0 ? "\(minutes) min \(padded)" : seconds
    }
}
