import LineProtocol

/// A row of an events file.
struct EventRecord: Equatable {
    /// Milliseconds since 1970; nil where time was not trusted.
    var milliseconds: Int64?
    /// CLOCK_MONOTONIC, microseconds.
    var monotonicMicroseconds: Int64
    var event: String
    /// The camera's name; empty where the event is about none.
    var camera: String
    /// The event's fields: `key=value …`.
    var detail: String
    /// In units of 1e-8 degrees; nil where the row has no place.
    var latitudeE8: Int64?
    var longitudeE8: Int64?

    /// - Parameter line: without its LF.
    init(_ line: UnsafeRawBufferPointer) throws(LineFault) {
        var cursor = FieldCursor(line)
        milliseconds = try cursor.time(separator: UInt8(ascii: "T"))
        monotonicMicroseconds = try cursor.number(decimals: 6, in: .min...(.max))
        event = String(decoding: try cursor.text(), as: UTF8.self)
        camera = String(decoding: try cursor.text(), as: UTF8.self)
        detail = try cursor.quotedText()
        latitudeE8 = try cursor.optional(decimals: 8, in: -9_000_000_000...9_000_000_000)
        longitudeE8 = try cursor.optional(decimals: 8, in: -18_000_000_000...18_000_000_000)
        _ = try cursor.optional(decimals: 0, in: 0...(.max))
        try cursor.end()
    }

    /// The value of a key in `detail`; nil where there is none.
    subscript(key: String) -> String? {
        for word in LineText.words(detail) {
            if word.hasPrefix(key + "=") { return String(word.dropFirst(key.utf8.count + 1)) }
        }
        return nil
    }
}
