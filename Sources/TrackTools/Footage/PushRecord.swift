import Clock
import Footage
import TrackFormat

/// A row of a push log, with the present header or the earlier one.
struct PushRecord: Equatable {
    /// The time of the pushed position, milliseconds since 1970; nil before time was trusted.
    var milliseconds: Int64?
    /// CLOCK_MONOTONIC when it was sent.
    var monotonicMicroseconds: Int64
    /// nil for a void frame.
    var place: HeldPlace?
    /// The position was computed from degrees and centimetres, because the log is older than the
    /// columns of integers.
    var isRounded: Bool
    var lacksHeight: Bool
    /// Date and time as sent, seconds since 1970 if their zone were UTC.
    var statedSeconds: Int64?
    /// When it was sent, microseconds since 1970.
    var sentMicroseconds: Int64?
    /// Names of cameras, joined by `+`.
    var took: String

    /// - Parameter line: without its LF; of either header.
    init(_ line: UnsafeRawBufferPointer) throws(LineFault) {
        var cursor = FieldCursor(line)
        milliseconds = try cursor.time(separator: UInt8(ascii: "T"))
        guard let monotonic = try cursor.number(decimals: 6) else { throw .value(column: 1) }
        monotonicMicroseconds = monotonic
        _ = try cursor.optional(decimals: 0, in: 0...(.max))
        _ = try cursor.number(decimals: 3)
        let latitude = try cursor.optional(decimals: 8, in: -9_000_000_000...9_000_000_000)
        let longitude = try cursor.optional(decimals: 8, in: -18_000_000_000...18_000_000_000)
        let height = try cursor.measurement(decimals: 2)
        for decimals in [3, 2, 3] { _ = try cursor.measurement(decimals: decimals) }
        _ = try cursor.text()
        took = String(decoding: try cursor.text(), as: UTF8.self)
        _ = try cursor.text()
        isRounded = cursor.hasEnded
        lacksHeight = isRounded && height == nil
        if cursor.hasEnded {
            if let latitude, let longitude {
                place = HeldPlace(
                    latitudeE7: Self.rounded(latitude), longitudeE7: Self.rounded(longitude),
                    heightMillimetres: Int32(clamping: (height ?? 0) * 10))
            }
        } else {
            try takeSent(&cursor)
        }
        try cursor.end()
    }

    /// Reads the columns that hold what was sent.
    private mutating func takeSent(_ cursor: inout FieldCursor) throws(LineFault) {
        let latitude = try cursor.optional(decimals: 0, in: -900_000_000...900_000_000)
        let longitude = try cursor.optional(decimals: 0, in: -1_800_000_000...1_800_000_000)
        let height = try cursor.optional(decimals: 0, in: Int64(Int32.min)...Int64(Int32.max))
        let date = try cursor.optional(decimals: 0, in: 0...99_999_999)
        let time = try cursor.optional(decimals: 0, in: 0...999_999)
        sentMicroseconds = try cursor.optional(decimals: 0, in: 0...(1 << 52))
        if let latitude, let longitude, let height {
            place = HeldPlace(
                latitudeE7: Int32(latitude), longitudeE7: Int32(longitude),
                heightMillimetres: Int32(height))
        }
        if let date = date.map(Int.init), let time = time.map(Int.init) {
            statedSeconds =
                CivilTime(
                    year: date / 10_000, month: date / 100 % 100, day: date % 100,
                    hour: time / 10_000, minute: time / 100 % 100, second: time % 100)?
                .unixTime().wholeSeconds
        }
    }

    private static func rounded(_ degreesE8: Int64) -> Int32 {
        Int32((degreesE8 + (degreesE8 < 0 ? -5 : 5)) / 10)
    }

    /// The row as `match` uses it; nil where no camera's link accepted it, and for void frames.
    func sent(log: Int) -> SentPush? {
        guard let place, !took.isEmpty else { return nil }
        return SentPush(
            log: log, monotonicMicroseconds: monotonicMicroseconds,
            utcMicroseconds: sentMicroseconds ?? milliseconds.map { $0 * 1000 }, place: place,
            isRounded: isRounded, lacksHeight: lacksHeight, statedSeconds: statedSeconds)
    }
}

/// Reads the good rows of push logs.
enum PushReader {
    /// Calls `body` with each row and the number of its file; cut and damaged rows are passed over.
    ///
    /// - Returns: the files with such rows.
    static func read(
        _ paths: [String], body: (PushRecord, Int) -> Void
    ) throws(TrackToolFault) -> [DamagedFile] {
        var files: [DamagedFile] = []
        for (number, path) in paths.enumerated() {
            let reader = try LineReader(path)
            guard try FirstLine.kind(of: reader) == .pushes else { throw .notOurs(path, .other) }
            var damaged = 0
            while let line = try reader.next() {
                if line.isWhole, line.fits, let record = try? PushRecord(line.bytes) {
                    body(record, number)
                } else {
                    damaged += 1
                }
            }
            if damaged > 0 { files.append(DamagedFile(path: path, lines: damaged)) }
        }
        return files
    }
}
