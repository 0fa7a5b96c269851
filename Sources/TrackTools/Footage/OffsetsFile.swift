import Clock
import Footage
import Glibc
import TrackFormat

/// `offsets-YYYYMMDD.csv`: what each day's clips showed of the cameras' clocks. It lies beside the
/// track, where later runs find it for clips without a fix.
struct OffsetsFile {
    /// Its first line, with its LF.
    ///
    /// | column | content |
    /// | --- | --- |
    /// | `utc` | of the clip's first frame |
    /// | `camera`, `model`, `serial` | the name in the roster, where it is known |
    /// | `clock_us` | the camera's clock at that frame |
    /// | `uncertainty_s`, `drift_ppm` | as `match` says them |
    /// | `calendar_ahead_s` | the camera's calendar less UTC |
    /// | `stored_ahead_min` | the stored time less UTC |
    /// | `clip` | the file's name |
    static let header =
        "utc,camera,model,serial,clock_us,uncertainty_s,drift_ppm,calendar_ahead_s,"
        + "stored_ahead_min,clip\n"
    /// Rows that are read from all such files together.
    static let maxRows = 20_000

    let folder: String
    private(set) var known: [KeptOffset] = []

    init(folder: String) {
        self.folder = folder
        for name in Self.names(in: folder) { read(folder + "/" + name) }
        if folder != ".", known.isEmpty { for name in Self.names(in: ".") { read("./" + name) } }
    }

    /// The folder for these files: that of the first track.
    static func folder(of inputs: MatchInputs, _ files: TrackInputs?) -> String {
        guard let files,
            let file = (files.pushes + files.tracks + files.events).first(where: {
                files.pipes[$0] == nil
            })
        else { return "." }
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("offsets-"), name.hasSuffix(".csv") { names.append(name) }
        }
        return names.sorted()
    }

    private mutating func read(_ path: String) {
        guard let reader = try? LineReader(path) else { return }
        while known.count < Self.maxRows, let line = try? reader.next() {
            if line.isWhole, line.fits, let row = try? Self.row(line.bytes) { known.append(row) }
        }
    }

    private static func row(_ line: UnsafeRawBufferPointer) throws(LineFault) -> KeptOffset {
        var cursor = FieldCursor(line)
        guard let milliseconds = try cursor.time(separator: UInt8(ascii: "T")) else {
            throw .value(column: 0)
        }
        func text() throws(LineFault) -> String {
            String(decoding: try cursor.text(), as: UTF8.self)
        }
        let camera = try text()
        let model = try text()
        let serial = try text()
        let clock = try cursor.number(decimals: 0, in: 0...(1 << 53))
        let uncertainty = try cursor.number(decimals: 3, in: 0...1_000_000_000)
        let drift = try cursor.measurement(decimals: 1)
        let calendar = try cursor.measurement(decimals: 1)
        let stored = try cursor.optional(decimals: 0, in: -900...900)
        _ = try cursor.text()
        try cursor.end()
        return KeptOffset(
            serial: serial, camera: camera, model: model, clock: clock, utc: milliseconds * 1000,
            uncertainty: Double(uncertainty) / 1e3 + 0.001, driftPPM: drift.map { Double($0) / 10 },
            calendarAhead: calendar.map { Double($0) / 10 }, storedMinutes: stored.map(Int.init))
    }

    /// Writes the offsets that are new.
    ///
    /// - Returns: where the file lies, if not beside the track, or why there is none; nil where all
    ///   went as usual.
    func keep(_ clips: [MatchedClip]) -> String? {
        var days: [String: String] = [:]
        for clip in clips {
            guard let kept = KeptOffset(clip), !known.contains(where: { $0.isSame(as: kept) })
            else { continue }
            days[Self.day(kept.utc), default: ""] += Self.line(kept, clip.item.name)
        }
        if days.isEmpty { return nil }
        if write(days, to: folder) { return nil }
        let code = errno
        if folder != ".", write(days, to: ".") {
            return
                "\(folder): \(String(cString: strerror(code))); the cameras' offsets are kept in "
                + "the present folder"
        }
        return "\(folder): \(String(cString: strerror(code))); the cameras' offsets are not kept"
    }

    private func write(_ days: [String: String], to folder: String) -> Bool {
        for day in days.keys.sorted() {
            let path = "\(folder)/offsets-\(day).csv"
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            let descriptor = open(path, flags, 0o640)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            // Refuses whatever somebody put there instead, such as a FIFO or a second name of
            // another file.
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_nlink == 1
            else {
                errno = ELOOP
                return false
            }
            let isNew = lseek(descriptor, 0, SEEK_END) == 0
            let text = (isNew ? Self.header : "") + (days[day] ?? "")
            let bytes = Array(text.utf8)
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count == bytes.count else { return false }
        }
        return true
    }

    private static func day(_ microseconds: Int64) -> String {
        let time = UnixTime(nanoseconds: microseconds * 1000)
        return CivilTime(time).map { String($0.compactText.prefix(8)) } ?? "unknown"
    }

    private static func line(_ kept: KeptOffset, _ name: String) -> String {
        var row = RowText()
        row.append(milliseconds: kept.utc / 1000, separator: UInt8(ascii: "T"))
        for text in [kept.camera, kept.model, kept.serial] {
            row.append(",")
            row.append(stripped: text)
        }
        row.append(",\(kept.clock)")
        row.column(kept.uncertainty, decimals: 3)
        row.column(kept.driftPPM, decimals: 1)
        row.column(kept.calendarAhead, decimals: 1)
        row.append("," + (kept.storedMinutes.map(String.init) ?? "") + ",")
        row.append(stripped: name)
        row.append("\n")
        return row.string
    }
}

extension KeptOffset {
    /// The offset that a clip shows; nil where the clip's own content did not place it.
    init?(_ clip: MatchedClip) {
        guard let placement = clip.placement, let uncertainty = placement.uncertainty,
            placement.tier <= .positions, placement.matches != nil || placement.tier == .positions,
            !clip.clip.camera.serial.isEmpty
        else { return nil }
        let start = placement.startMicroseconds
        self.init(
            serial: clip.clip.camera.serial, camera: clip.camera ?? "", model: clip.clip.model,
            clock: clip.clip.firstClock, utc: Int64(start.rounded()), uncertainty: uncertainty,
            driftPPM: placement.driftPPM,
            calendarAhead: clip.clip.creation.map { (Double($0.nanoseconds) / 1e3 - start) / 1e6 },
            storedMinutes: placement.storedMinutes)
    }

    /// Whether the other offset is of the same clip, from an earlier run.
    func isSame(as other: KeptOffset) -> Bool {
        serial == other.serial && clock == other.clock && abs(utc - other.utc) < 1_000_000
    }
}
