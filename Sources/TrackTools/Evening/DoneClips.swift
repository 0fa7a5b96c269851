import Glibc
import TrackFormat

/// `clips.csv` of an evening: the clips that are done, so that another run does only what is new.
struct DoneClips {
    /// Its first line, with its LF.
    ///
    /// | column | content |
    /// | --- | --- |
    /// | `clip`, `bytes` | path and size, by which a clip is known again |
    /// | `camera`, `model`, `serial` | as `match` says them |
    /// | `start_utc`, `end_utc` | to a millisecond |
    /// | `start_us`, `end_us` | microseconds since 1970 |
    /// | `frames`, `speed_up`, `tier`, `uncertainty_s` | as `match` says them |
    /// | `name` | of the files that were written of it, without ending |
    static let header =
        "clip,bytes,camera,model,serial,start_utc,end_utc,start_us,end_us,frames,speed_up,tier,"
        + "uncertainty_s,name\n"
    /// Rows that are read.
    static let maxRows = 20_000

    private(set) var clips: [PlacedClip] = []
    private var sizes: [String: Int64] = [:]
    let path: String

    /// - Parameter path: need not exist; rows that are damaged are done again.
    init(_ path: String) {
        self.path = path
        guard let reader = try? LineReader(path) else { return }
        while clips.count < Self.maxRows, let line = try? reader.next() {
            guard line.isWhole, line.fits, let (clip, size) = try? Self.row(line.bytes) else {
                continue
            }
            clips.append(clip)
            sizes[clip.path] = size
        }
    }

    /// Whether a clip is in it as it lies there now.
    func has(_ path: String) -> Bool { sizes[path] == Self.size(path) }

    /// Those of these paths, and no others.
    func clips(of paths: Set<String>) -> [PlacedClip] { clips.filter { paths.contains($0.path) } }

    /// Writes it anew, with these clips.
    static func write(_ clips: [PlacedClip], to path: String) throws(TrackToolFault) {
        let output = try TextOutput(path)
        try output.write(header)
        for clip in clips.sorted(by: { ($0.start, $0.path) < ($1.start, $1.path) }) {
            try output.write(line(clip))
        }
        try output.finish()
    }

    private static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : -1
    }

    private static func line(_ clip: PlacedClip) -> RowText {
        var row = RowText()
        row.append(field: clip.path)
        row.append(",\(size(clip.path))")
        for text in [clip.camera ?? "", clip.model, clip.serial] {
            row.append(",")
            row.append(stripped: text)
        }
        for time in [clip.start, clip.end] {
            row.append(",")
            row.append(utc: Int64((time / 1000).rounded()))
        }
        row.append(",\(Int64(clip.start.rounded())),\(Int64(clip.end.rounded())),\(clip.frames)")
        row.column(clip.speedUp, decimals: 3)
        row.append("," + clip.tier)
        row.column(clip.uncertainty, decimals: 6)
        row.append(",")
        row.append(field: clip.base)
        row.newline()
        return row
    }

    private static func row(
        _ line: UnsafeRawBufferPointer
    ) throws(LineFault) -> (PlacedClip, Int64) {
        var cursor = FieldCursor(line)
        let path = try cursor.quotedText()
        let size = try cursor.number(decimals: 0, in: 0...(1 << 53))
        func text() throws(LineFault) -> String {
            String(decoding: try cursor.text(), as: UTF8.self)
        }
        let camera = try text()
        let model = try text()
        let serial = try text()
        for _ in 0..<2 { _ = try cursor.time(separator: UInt8(ascii: "T")) }
        let start = try cursor.number(decimals: 0, in: 0...(1 << 53))
        let end = try cursor.number(decimals: 0, in: 0...(1 << 53))
        let frames = try cursor.number(decimals: 0, in: 0...(1 << 40))
        let speedUp = try cursor.number(decimals: 3, in: 1...(1 << 40))
        let tier = try text()
        let uncertainty = try cursor.number(decimals: 6, in: 0...(1 << 50))
        let base = try cursor.quotedText()
        try cursor.end()
        guard start < end, !base.isEmpty, !base.contains("/") else { throw .value(column: 7) }
        let clip = PlacedClip(
            path: path, camera: camera.isEmpty ? nil : camera, model: model, serial: serial,
            start: Double(start), end: Double(end), frames: Int(frames),
            speedUp: Double(speedUp) / 1000, tier: tier, uncertainty: Double(uncertainty) / 1e6,
            base: base)
        return (clip, size)
    }
}
