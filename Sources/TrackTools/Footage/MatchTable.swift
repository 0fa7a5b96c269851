import Clock
import Footage
import LineProtocol

/// The results of `match`, as a table for people and as JSON.
struct MatchTable {
    private let clips: [MatchedClip]
    private let hasPushes: Bool

    /// - Parameter hasPushes: there was a push log.
    init(_ clips: [MatchedClip], hasPushes: Bool) {
        self.clips = clips
        self.hasPushes = hasPushes
    }

    private static let titles = [
        "CLIP", "CAMERA", "START UTC", "END UTC", "TIER", "± S", "DRIFT PPM", "LOST", "STORED",
        "TIME SHOULD BE",
    ]

    /// Titles, a line for each clip, and what holds for all clips.
    var lines: [String] {
        guard !clips.isEmpty else { return [] }
        let rows = [Self.titles] + clips.map(columns)
        let widths = Self.titles.indices.map { column in
            rows.map { $0[column].unicodeScalars.count }.max() ?? 0
        }
        var lines = rows.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                line += text
                let pad = widths[column] - text.unicodeScalars.count
                if column < row.count - 1 { line += String(repeating: " ", count: pad + 2) }
            }
            return line.trimmedEnd
        }
        if clips.contains(where: { $0.placement?.matches != nil }) {
            lines.append("")
            lines.append(
                "Starts by pushes are early by the least way of a push over the air, one constant "
                    + "for all clips: 15 to 45 ms.")
        }
        return lines
    }

    private func columns(_ clip: MatchedClip) -> [String] {
        guard let placement = clip.placement else {
            return [clip.item.name, Self.camera(clip), "unknown", "unknown"]
                + [String](repeating: "-", count: 6)
        }
        return [
            clip.item.name, Self.camera(clip), placement.start.isoText ?? "-",
            placement.end.isoText ?? "-", placement.tier.rawValue,
            placement.uncertainty.map { LineText.decimal($0, decimals: 3) } ?? "unknown",
            Self.drift(placement), Self.lost(clip),
            placement.storedMinutes.map { Self.zone($0) } ?? "-", Self.advice(placement) ?? "-",
        ]
    }

    private static func camera(_ clip: MatchedClip) -> String {
        clip.camera.map { "\($0) (\(clip.clip.model))" } ?? clip.clip.model
    }

    private static func drift(_ placement: Placement) -> String {
        guard let drift = placement.driftPPM else { return "-" }
        var text = LineText.decimal(drift, decimals: 1)
        if let interval = placement.driftIntervalPPM {
            text +=
                " (\(LineText.decimal(interval.lowerBound, decimals: 0)) to "
                + "\(LineText.decimal(interval.upperBound, decimals: 0)))"
        }
        return text
    }

    private static func lost(_ clip: MatchedClip) -> String {
        guard let lost = clip.lost, let sent = clip.sent else { return "-" }
        return "\(lost) of \(sent)"
    }

    /// `+02:00`: stored time less UTC.
    static func zone(_ minutes: Int) -> String {
        func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return (minutes < 0 ? "-" : "+") + digits(abs(minutes) / 60) + ":"
            + digits(abs(minutes) % 60)
    }

    /// What `[push] time` should be so that cameras store UTC; nil where it is not known.
    static func advice(_ placement: Placement) -> String? {
        guard let minutes = placement.cameraZoneMinutes else { return nil }
        return minutes == 0 ? "utc" : "utc" + zone(minutes)
    }

    /// A JSON line for each clip.
    var json: [String] { clips.map { object($0).line } }

    private func object(_ clip: MatchedClip) -> JSONValue {
        let placement = clip.placement
        let interval = placement?.driftIntervalPPM
        return .object([
            .init("clip", .text(clip.item.path)), .init("camera", .text(clip.camera)),
            .init("model", .text(clip.clip.model)),
            .init("serial", .text(clip.clip.camera.serial)),
            .init("start", .text(placement?.start.isoText)),
            .init("end", .text(placement?.end.isoText)),
            .init("start_s", .decimal(placement.map { $0.startMicroseconds / 1e6 }, places: 6)),
            .init("end_s", .decimal(placement.map { $0.endMicroseconds / 1e6 }, places: 6)),
            .init("tier", .text(placement?.tier.rawValue)),
            .init("uncertainty_s", .decimal(placement?.uncertainty, places: 6)),
            .init("drift_ppm", .decimal(placement?.driftPPM, places: 3)),
            .init(
                "drift_interval_ppm",
                interval.map {
                    .list([
                        .decimal($0.lowerBound, places: 3), .decimal($0.upperBound, places: 3),
                    ])
                } ?? .null),
            .init("matches", .integer(placement?.matches)),
            .init("pushes_sent", .integer(clip.sent)), .init("pushes_lost", .integer(clip.lost)),
            .init("stored_ahead_min", .integer(placement?.storedMinutes)),
            .init("pushed_ahead_min", .integer(placement?.statedMinutes)),
            .init("camera_zone_min", .integer(placement?.cameraZoneMinutes)),
            .init("push_time", .text(placement.flatMap(Self.advice))),
            .init("speed_up", .decimal(clip.clip.speedUp, places: 3)),
            .init("notes", .list((clip.notes + (placement?.notes ?? [])).map { .text($0) })),
        ])
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
