/// Reads rows of a track.
struct TrackParser {
    /// The same names repeat from row to row, so that each string is made only once.
    private var device = Interned()
    private var recording = Interned()

    private struct Interned {
        private var bytes: [UInt8] = []
        private(set) var text = ""

        mutating func read(_ new: UnsafeRawBufferPointer) -> String {
            if !bytes.elementsEqual(new) {
                bytes = Array(new)
                text = String(decoding: bytes, as: UTF8.self)
            }
            return text
        }
    }

    /// - Parameter line: without its LF.
    mutating func record(_ line: UnsafeRawBufferPointer) throws(LineFault) -> TrackRecord {
        var cursor = FieldCursor(line)
        guard let milliseconds = try cursor.time(separator: UInt8(ascii: " ")) else {
            throw .value(column: 0)
        }
        let latitude = try cursor.number(decimals: 8, in: -9_000_000_000...9_000_000_000)
        let longitude = try cursor.number(decimals: 8, in: -18_000_000_000...18_000_000_000)
        let height = try cursor.measurement(decimals: 2)
        let speed = try cursor.measurement(decimals: 3, least: 0)
        let heading = try cursor.optional(decimals: 2, in: 0...35_999)
        let is3D = try Self.is3D(&cursor)
        let satellites = try cursor.optional(decimals: 0, in: 0...999)
        let hdop = try cursor.measurement(decimals: 2)
        // Skips climb, height above the ellipsoid and the two errors.
        for decimals in [3, 2, 2, 2] { _ = try cursor.measurement(decimals: decimals) }
        guard try cursor.number(decimals: 3) == milliseconds else { throw .times }
        let monotonic = try cursor.number(decimals: 6, in: .min...(.max))
        let sequence = try cursor.number(decimals: 0, in: 0...(.max))
        let device = self.device.read(try cursor.text())
        let pushed = try cursor.number(decimals: 0, in: 0...9999)
        let recording = self.recording.read(try cursor.text())
        try cursor.end()
        return TrackRecord(
            milliseconds: milliseconds, latitudeE8: latitude, longitudeE8: longitude,
            heightCentimetres: height, speedMillimetresPerSecond: speed,
            headingCentidegrees: heading, is3D: is3D, satellites: satellites,
            hdopHundredths: hdop, monotonicMicroseconds: monotonic, sequence: sequence,
            device: device, pushed: pushed, recording: recording)
    }

    private static func is3D(_ cursor: inout FieldCursor) throws(LineFault) -> Bool {
        let column = cursor.column
        let fix = try cursor.text()
        if fix.elementsEqual("3d".utf8) { return true }
        if fix.elementsEqual("2d".utf8) { return false }
        throw .value(column: column)
    }
}
