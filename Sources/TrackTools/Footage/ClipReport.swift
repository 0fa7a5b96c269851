import Clock
import Footage
import LineProtocol
import TrackFormat

/// `geotagctl clip`: reports what a clip holds.
struct ClipReport {
    let path: String
    let clip: FilmedClip
    /// How many of the clip's positions a push log has, and how many there are; nil where there is
    /// no push log.
    var ours: (found: Int, of: Int)?

    /// The report for a person, in lines.
    var lines: [String] {
        let camera = clip.camera
        var lines = [path]
        func add(_ name: String, _ value: String) {
            let pad = String(repeating: " ", count: max(1, 12 - name.utf8.count))
            lines.append("  \(name)\(pad)\(value)")
        }
        add("camera", clip.model + (clip.cameraCode.isEmpty ? "" : " (\(clip.cameraCode))"))
        add("serial", camera.serial.isEmpty ? "unknown" : camera.serial)
        add("firmware", camera.firmware.isEmpty ? "unknown" : camera.firmware)
        add("schema", camera.schema.isEmpty ? "unknown" : camera.schema)
        add("span", spanText)
        add(
            "clock",
            "\(Self.seconds(clip.firstClock)) to \(Self.seconds(clip.lastClock)) s "
                + "since the camera was turned on")
        if let made = clip.creation?.isoText { add("made", "\(made) by the camera's calendar") }
        add("positions", positionsText)
        if clip.framesWithFix > 0 {
            add(
                "gaps",
                clip.gaps == 0
                    ? "none"
                    : "\(clip.gaps), the longest \(Self.seconds(clip.longestGap)) s")
        }
        for (name, run) in [("first fix", clip.firstFix), ("last fix", clip.lastFix)] {
            guard let run else { continue }
            add(name, "\(Self.place(run.place)) at \(Self.seconds(run.first - clip.firstClock)) s")
        }
        if let stored = clip.flips.first {
            let time = UnixTime(nanoseconds: stored.seconds * 1_000_000_000).isoText ?? ""
            add(
                "stored time",
                "\(time.dropLast(5)) at "
                    + "\(Self.seconds(stored.first - clip.firstClock)) s, zone unknown")
        }
        add("pushes", oursText)
        for note in notes { add("note", note) }
        return lines
    }

    private var spanText: String {
        let rate = clip.frameInterval > 0 ? 1e6 / clip.frameInterval : 0
        return "\(LineText.decimal(clip.lengthMicroseconds / 1e6, decimals: 3)) s, \(clip.frames) "
            + "frames, \(LineText.decimal(rate, decimals: 3)) a second"
    }

    private var positionsText: String {
        guard clip.framesWithFix > 0 else { return "none: no frame has a fix" }
        let share = 100 * Double(clip.framesWithFix) / Double(clip.frames)
        let seconds = clip.lengthMicroseconds / 1e6
        let rate = seconds > 0 ? Double(clip.runs.count) / seconds : 0
        return "\(clip.runs.count), \(LineText.decimal(rate, decimals: 1)) a second; "
            + "\(LineText.decimal(share, decimals: 1)) % of the frames have a fix"
    }

    private var oursText: String {
        guard clip.framesWithFix > 0 else { return "none" }
        if let ours {
            if ours.found == 0 { return "not ours: none of them is in the push log" }
            return "ours: \(ours.found) of \(ours.of) positions are in the push log"
        }
        return clip.framesOffGrid == 0
            ? "as a remote sends them, on the grid of 1e-7 degrees; whose, a push log would tell "
                + "(--track)"
            : "\(clip.framesOffGrid) frames lie off the grid of 1e-7 degrees: not pushed as they are"
    }

    /// Further remarks, a sentence each.
    var notes: [String] {
        var notes: [String] = []
        if clip.camera.model == nil { notes.append("a camera that is not known here") }
        if clip.isTimelapse {
            let factor = LineText.decimal(clip.speedUp, decimals: 1)
            notes.append("a timelapse: shown \(factor) times as fast as it was")
        }
        if clip.isCut { notes.append("cut: its last frames are missing") }
        if clip.clockBroke {
            notes.append("its clock begins anew within it: two clips in one file")
        }
        if clip.damagedFrames > 0 {
            notes.append("\(clip.damagedFrames) frames without telemetry that can be read")
        }
        if clip.hasMoreRuns { notes.append("more positions than are looked at") }
        return notes
    }

    static func seconds(_ microseconds: Int64) -> String {
        LineText.decimal(Double(microseconds) / 1e6, decimals: 3)
    }

    static func place(_ place: HeldPlace) -> String {
        var row = RowText()
        row.append(count: Int64(place.latitudeE7), decimals: 7)
        row.append(", ")
        row.append(count: Int64(place.longitudeE7), decimals: 7)
        row.append(", ")
        row.append(count: Int64(place.heightMillimetres), decimals: 3)
        return row.string + " m"
    }

    /// The report for `--json`.
    var json: JSONValue {
        let camera = clip.camera
        func fix(_ run: HeldRun?) -> JSONValue {
            guard let run else { return .null }
            return .object([
                .init("latitude", .decimal(Double(run.place.latitudeE7) / 1e7, places: 7)),
                .init("longitude", .decimal(Double(run.place.longitudeE7) / 1e7, places: 7)),
                .init("lat_e7", .integer(Int(run.place.latitudeE7))),
                .init("lon_e7", .integer(Int(run.place.longitudeE7))),
                .init("height_mm", .integer(Int(run.place.heightMillimetres))),
                .init("at_s", .decimal(Double(run.first - clip.firstClock) / 1e6, places: 6)),
            ])
        }
        return .object([
            .init("clip", .text(path)), .init("camera", .text(clip.model)),
            .init("code", .text(clip.cameraCode)), .init("serial", .text(camera.serial)),
            .init("firmware", .text(camera.firmware)), .init("schema", .text(camera.schema)),
            .init("frames", .integer(clip.frames)),
            .init("damaged_frames", .integer(clip.damagedFrames)),
            .init("length_s", .decimal(clip.lengthMicroseconds / 1e6, places: 6)),
            .init("container_s", .decimal(clip.durationSeconds, places: 6)),
            .init("speed_up", .decimal(clip.speedUp, places: 3)),
            .init("first_clock_us", .integer(Int(clip.firstClock))),
            .init("last_clock_us", .integer(Int(clip.lastClock))),
            .init("made", .text(clip.creation?.isoText)),
            .init("positions", .integer(clip.runs.count)),
            .init("frames_with_fix", .integer(clip.framesWithFix)),
            .init("frames_off_grid", .integer(clip.framesOffGrid)),
            .init("gaps", .integer(clip.gaps)),
            .init("longest_gap_s", .decimal(Double(clip.longestGap) / 1e6, places: 3)),
            .init("first_fix", fix(clip.firstFix)), .init("last_fix", fix(clip.lastFix)),
            .init(
                "stored_time",
                .text(
                    clip.flips.first.flatMap {
                        UnixTime(nanoseconds: $0.seconds * 1_000_000_000).isoText.map {
                            String($0.dropLast(5))
                        }
                    })),
            .init("ours", .integer(ours?.found)),
            .init("notes", .list(notes.map { .text($0) })),
        ])
    }
}
