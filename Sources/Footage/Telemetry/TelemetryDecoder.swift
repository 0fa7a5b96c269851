import Clock

/// Decodes a sample of `djmd`. What it does not know is passed over.
///
/// | path | type | what |
/// | --- | --- | --- |
/// | 1-1-1, -5, -6, -10 | string | schema, serial number, firmware, product |
/// | 1-1-9 | uint64 | clock at the first frame, µs |
/// | 2-3-1, -2, -3 | uint32, uint32, float | width, height, frames a second |
/// | 3-1-1, -2 | uint64 | frame number, clock, µs |
/// | 3-4-1-4 | string | camera code |
/// | 3-4-2-1-1, -2, -3 | enum, double, double | 0 radians or 1 degrees, latitude, longitude |
/// | 3-4-2-2 | int32 | height, mm: below sea level in ten bytes |
/// | 3-4-2-3 | enum | 1: no fix |
/// | 3-4-2-6-1 | string | `YYYY-MM-DD HH:MM:SS` |
struct TelemetryDecoder {
    /// The frame's telemetry; nil where the sample has none.
    private(set) var frame: FrameTelemetry?
    /// The telemetry of the clip and the stream, as far as the samples have told it.
    private(set) var camera = CameraTelemetry()
    private(set) var hasCamera = false

    /// Decodes a sample; afterwards `frame` is the frame of this sample.
    mutating func take(_ bytes: [UInt8]) throws(WireFault) {
        frame = nil
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            guard case .bytes(let range) = field.value else { continue }
            switch field.number {
            case 1: try takeClip(WireReader(bytes, in: range))
            case 2: try takeStream(WireReader(bytes, in: range))
            case 3: frame = try Self.frame(WireReader(bytes, in: range))
            default: break
            }
        }
    }

    private mutating func takeClip(_ message: WireReader) throws(WireFault) {
        var message = message
        while let field = try message.next() {
            guard field.number == 1, case .bytes(let range) = field.value else { continue }
            hasCamera = true
            var header = WireReader(message.bytes, in: range)
            while let field = try header.next() {
                switch (field.number, field.value) {
                case (1, .bytes(let range)): camera.schema = header.text(range)
                case (5, .bytes(let range)): camera.serial = header.text(range)
                case (6, .bytes(let range)): camera.firmware = header.text(range)
                case (9, .varint(let value)): camera.microseconds = Self.clock(value)
                case (10, .bytes(let range)): camera.product = header.text(range)
                default: break
                }
            }
        }
    }

    private mutating func takeStream(_ message: WireReader) throws(WireFault) {
        var message = message
        while let field = try message.next() {
            guard field.number == 3, case .bytes(let range) = field.value else { continue }
            var video = WireReader(message.bytes, in: range)
            while let field = try video.next() {
                switch (field.number, field.value) {
                case (1, .varint(let value)): camera.width = value
                case (2, .varint(let value)): camera.height = value
                case (3, .fixed32(let value)):
                    let rate = Float(bitPattern: value)
                    if rate > 0, rate < 10_000 { camera.framesPerSecond = rate }
                default: break
                }
            }
        }
    }

    private static func frame(_ message: WireReader) throws(WireFault) -> FrameTelemetry {
        var message = message
        var frame = FrameTelemetry()
        while let field = try message.next() {
            guard case .bytes(let range) = field.value else { continue }
            let part = WireReader(message.bytes, in: range)
            if field.number == 1 { try takeHeader(part, into: &frame) }
            if field.number == 4 { try takeGimbal(part, into: &frame) }
        }
        return frame
    }

    private static func takeHeader(
        _ message: WireReader, into frame: inout FrameTelemetry
    ) throws(WireFault) {
        var message = message
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .varint(let value)): frame.sequence = value
            case (2, .varint(let value)): frame.microseconds = clock(value)
            default: break
            }
        }
    }

    private static func takeGimbal(
        _ message: WireReader, into frame: inout FrameTelemetry
    ) throws(WireFault) {
        var message = message
        while let field = try message.next() {
            guard case .bytes(let range) = field.value else { continue }
            if field.number == 2 {
                try takePosition(WireReader(message.bytes, in: range), into: &frame)
            } else if field.number == 1 {
                var device = WireReader(message.bytes, in: range)
                while let field = try device.next() {
                    guard field.number == 4, case .bytes(let range) = field.value else { continue }
                    frame.cameraCode = device.text(range)
                }
            }
        }
    }

    private static func takePosition(
        _ message: WireReader, into frame: inout FrameTelemetry
    ) throws(WireFault) {
        var message = message
        var coordinates = Coordinates()
        var height: Int32 = 0
        var status: UInt64 = 0
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)):
                try coordinates.take(WireReader(message.bytes, in: range))
            case (2, .varint(let value)): height = Int32(truncatingIfNeeded: value)
            case (3, .varint(let value)): status = value
            case (6, .bytes(let range)):
                var time = WireReader(message.bytes, in: range)
                while let field = try time.next() {
                    guard field.number == 1, case .bytes(let range) = field.value else { continue }
                    frame.storedSeconds = StoredTime.seconds(time.bytes[range])
                }
            default: break
            }
        }
        guard status != 1, let (latitude, longitude, isOnGrid) = coordinates.place else { return }
        frame.isOnGrid = isOnGrid
        frame.place = HeldPlace(
            latitudeE7: latitude, longitudeE7: longitude, heightMillimetres: height)
    }

    /// A clock of more than a hundred years is none.
    private static func clock(_ value: UInt64) -> Int64? {
        value < 1 << 52 ? Int64(value) : nil
    }
}

/// 3-4-2-1: the coordinates. A field that is missing means 0.
private struct Coordinates {
    private var isThere = false
    private var isDegrees = false
    private var latitude = 0.0
    private var longitude = 0.0

    mutating func take(_ message: WireReader) throws(WireFault) {
        var message = message
        isThere = true
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .varint(let unit)): isDegrees = unit == 1
            case (2, .fixed64(let bits)): latitude = Double(bitPattern: bits)
            case (3, .fixed64(let bits)): longitude = Double(bitPattern: bits)
            default: break
            }
        }
    }

    /// In 1e-7 degrees; nil where there is no place, which cameras also write as 0, 0.
    var place: (latitudeE7: Int32, longitudeE7: Int32, isOnGrid: Bool)? {
        let factor = isDegrees ? 1e7 : 1e7 * 180 / Double.pi
        let north = latitude * factor
        let east = longitude * factor
        guard isThere, north.isFinite, east.isFinite, abs(north) <= 900_000_000.5,
            abs(east) <= 1_800_000_000.5
        else { return nil }
        let (latitudeE7, longitudeE7) = (north.rounded(), east.rounded())
        if latitudeE7 == 0, longitudeE7 == 0 { return nil }
        let isOnGrid = abs(north - latitudeE7) < 0.01 && abs(east - longitudeE7) < 0.01
        return (Int32(latitudeE7), Int32(longitudeE7), isOnGrid)
    }
}

/// The text of 3-4-2-6-1.
enum StoredTime {
    /// `2026-07-01 10:00:00`, with any one byte between its numbers, as seconds since 1970 if its
    /// zone were UTC; nil for anything else.
    static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count >= 19 else { return nil }
        let start = text.startIndex
        func number(_ offset: Int, _ count: Int) -> Int? {
            var value = 0
            for byte in text[start + offset..<start + offset + count] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2)
        else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)?
            .unixTime().wholeSeconds
    }
}
