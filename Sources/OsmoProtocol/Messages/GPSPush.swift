/// 0017: where the camera is (protocol 3.5). Longitude comes before latitude.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | i32 | date, year * 10000 + month * 100 + day |
/// | 4 | i32 | time, hour * 10000 + minute * 100 + second |
/// | 8 | i32 | longitude, degrees * 1e7, east positive |
/// | 12 | i32 | latitude, degrees * 1e7, north positive |
/// | 16 | i32 | height above mean sea level, mm |
/// | 20 | f32 | speed north, cm/s |
/// | 24 | f32 | speed east, cm/s |
/// | 28 | f32 | speed down, cm/s |
/// | 32 | u32 | vertical accuracy, mm |
/// | 36 | u32 | horizontal accuracy, mm |
/// | 40 | u32 | speed accuracy, cm/s |
/// | 44 | u32 | satellites; 0 makes the fix void |
package struct GPSPush: Message {
    /// 0017, to the camera.
    package static let opcode = Opcode.gpsPush
    /// CmdType 00: no camera answers it, and nothing waits for an answer.
    package static let type = FrameType.push
    /// Bytes of the payload.
    package static let length = 48
    /// Bytes of the frame.
    package static let frameLength = length + Frame.overhead

    /// 20260131 for 31 January 2026.
    package var date: Int32
    /// 235959, in the zone that the installation pushes.
    package var time: Int32
    /// Degrees times 10⁷, east positive, −1,800,000,000 to 1,800,000,000.
    package var longitudeE7: Int32
    /// Degrees times 10⁷, north positive, −900,000,000 to 900,000,000.
    package var latitudeE7: Int32
    /// Millimetres above mean sea level, below it negative. DJI names no datum.
    package var heightMillimetres: Int32
    /// Speed north, cm/s; negative southward. Never NaN or infinite.
    package var northCentimetresPerSecond: Float
    /// Speed east, cm/s; negative westward. Never NaN or infinite.
    package var eastCentimetresPerSecond: Float
    /// Speed down, cm/s; negative while climbing. Never NaN or infinite.
    package var downCentimetresPerSecond: Float
    /// Millimetres; the largest number where it is not known.
    package var verticalAccuracyMillimetres: UInt32
    /// Millimetres; the largest number where it is not known.
    package var horizontalAccuracyMillimetres: UInt32
    /// cm/s; the largest number where it is not known.
    package var speedAccuracyCentimetresPerSecond: UInt32
    /// Satellites used; 0 tells the camera that there is no fix.
    package var satellites: UInt32

    /// A void frame, which tells the camera that there is no position: all fields are 0 but date
    /// and time.
    package init(voidAtDate date: Int32, time: Int32) {
        self.date = date
        self.time = time
        longitudeE7 = 0
        latitudeE7 = 0
        heightMillimetres = 0
        northCentimetresPerSecond = 0
        eastCentimetresPerSecond = 0
        downCentimetresPerSecond = 0
        verticalAccuracyMillimetres = 0
        horizontalAccuracyMillimetres = 0
        speedAccuracyCentimetresPerSecond = 0
        satellites = 0
    }

    /// A position. Rounded to the nearest step, clamped to what the fields hold; a speed or an
    /// accuracy that is not finite becomes 0 or the largest.
    ///
    /// - Parameters:
    ///   - satellites: at least 1 is sent, since 0 would make the frame void.
    /// - Returns: nil if latitude, longitude or height is not finite: there is no position.
    package init?(
        date: Int32, time: Int32, latitudeDegrees: Double, longitudeDegrees: Double,
        heightMetres: Double, northMetresPerSecond: Double, eastMetresPerSecond: Double,
        downMetresPerSecond: Double, horizontalAccuracyMetres: Double,
        verticalAccuracyMetres: Double, speedAccuracyMetresPerSecond: Double, satellites: Int
    ) {
        guard latitudeDegrees.isFinite, longitudeDegrees.isFinite, heightMetres.isFinite else {
            return nil
        }
        self.date = date
        self.time = time
        longitudeE7 = scaled(longitudeDegrees, by: 1e7, within: 1_800_000_000)
        latitudeE7 = scaled(latitudeDegrees, by: 1e7, within: 900_000_000)
        heightMillimetres = scaled(heightMetres, by: 1e3, within: .max)
        northCentimetresPerSecond = centimetres(northMetresPerSecond)
        eastCentimetresPerSecond = centimetres(eastMetresPerSecond)
        downCentimetresPerSecond = centimetres(downMetresPerSecond)
        verticalAccuracyMillimetres = unsigned(verticalAccuracyMetres, by: 1e3)
        horizontalAccuracyMillimetres = unsigned(horizontalAccuracyMetres, by: 1e3)
        speedAccuracyCentimetresPerSecond = unsigned(speedAccuracyMetresPerSecond, by: 1e2)
        self.satellites = UInt32(clamping: max(1, satellites))
    }

    /// nil for fewer than 48 bytes. The values are not checked: a camera's view of any bytes.
    package init?(payload: [UInt8]) {
        guard payload.count >= Self.length else { return nil }
        func signed(at offset: Int) -> Int32 {
            Int32(bitPattern: payload.littleEndian32(at: offset))
        }
        func float(at offset: Int) -> Float {
            Float(bitPattern: payload.littleEndian32(at: offset))
        }
        date = signed(at: 0)
        time = signed(at: 4)
        longitudeE7 = signed(at: 8)
        latitudeE7 = signed(at: 12)
        heightMillimetres = signed(at: 16)
        northCentimetresPerSecond = float(at: 20)
        eastCentimetresPerSecond = float(at: 24)
        downCentimetresPerSecond = float(at: 28)
        verticalAccuracyMillimetres = payload.littleEndian32(at: 32)
        horizontalAccuracyMillimetres = payload.littleEndian32(at: 36)
        speedAccuracyCentimetresPerSecond = payload.littleEndian32(at: 40)
        satellites = payload.littleEndian32(at: 44)
    }

    /// Always 48 bytes.
    package var payload: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        bytes.change { store(in: &$0, at: 0) }
        return bytes
    }

    /// The frame tells the camera that there is no position (satellites 0).
    package var isVoid: Bool { satellites == 0 }

    /// Replaces `buffer` by the whole frame. Allocates nothing once the buffer has held one.
    package func encode(sequence: UInt16, into buffer: inout [UInt8]) {
        Frame.size(&buffer, to: Self.frameLength)
        buffer.change {
            Frame.begin(&$0, type: Self.type, sequence: sequence, opcode: Self.opcode)
            store(in: &$0, at: Frame.payloadOffset)
            Frame.end(&$0)
        }
    }

    private func store(in bytes: inout MutableByteSpan, at start: Int) {
        bytes.store(date, at: start)
        bytes.store(time, at: start + 4)
        bytes.store(longitudeE7, at: start + 8)
        bytes.store(latitudeE7, at: start + 12)
        bytes.store(heightMillimetres, at: start + 16)
        bytes.store(northCentimetresPerSecond.bitPattern, at: start + 20)
        bytes.store(eastCentimetresPerSecond.bitPattern, at: start + 24)
        bytes.store(downCentimetresPerSecond.bitPattern, at: start + 28)
        bytes.store(verticalAccuracyMillimetres, at: start + 32)
        bytes.store(horizontalAccuracyMillimetres, at: start + 36)
        bytes.store(speedAccuracyCentimetresPerSecond, at: start + 40)
        bytes.store(satellites, at: start + 44)
    }
}

/// `value * factor`, rounded, within ±`bound`; `value` finite.
private func scaled(_ value: Double, by factor: Double, within bound: Int32) -> Int32 {
    let limit = Double(bound)
    return Int32(min(max((value * factor).rounded(), -limit), limit))
}

/// `value * factor`, rounded, from 0 to the largest; the largest where `value` is not a number.
private func unsigned(_ value: Double, by factor: Double) -> UInt32 {
    let scaled = (value * factor).rounded()
    guard scaled < Double(UInt32.max) else { return .max }
    return UInt32(max(0, scaled))
}

/// Metres a second as centimetres; +0.0 at rest and where `value` is not finite.
private func centimetres(_ value: Double) -> Float {
    // Beyond any vehicle; keeps a wild value from becoming infinite.
    value.isFinite ? Float(min(max(value * 100, -1e9), 1e9)) + 0 : 0
}
