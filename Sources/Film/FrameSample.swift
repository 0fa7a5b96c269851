import OsmoProtocol

/// The telemetry of one frame, as a camera writes it into a sample of `djmd`.
struct FrameSample {
    /// The last push that the camera received; nil before the first.
    var push: GPSPush?
    /// `YYYY-MM-DD HH:MM:SS`, of the last push with a position.
    var storedTime: String
    var number: UInt64
    /// The camera's clock, microseconds.
    var clock: UInt64

    func encoded(_ settings: FilmSettings, isFirst: Bool) -> [UInt8] {
        var wire = WireBytes()
        if isFirst {
            wire.message(1) { clip in clip.message(1) { header(&$0, settings) } }
            wire.message(2) { stream(&$0, settings) }
        }
        wire.message(3) { frame in
            frame.message(1) { header in
                header.varint(1, number)
                header.varint(2, clock)
                header.varint(3, 1)
            }
            frame.message(2) { camera(&$0) }
            frame.message(4) { gimbal(&$0, settings) }
        }
        return wire.bytes
    }

    private func header(_ wire: inout WireBytes, _ settings: FilmSettings) {
        wire.text(1, settings.schema)
        wire.text(2, "02.00.16")
        wire.text(3, "01.00.05")
        wire.text(5, settings.serial)
        wire.text(6, settings.firmware)
        wire.varint(9, clock)
        wire.text(10, settings.product)
    }

    private func stream(_ wire: inout WireBytes, _ settings: FilmSettings) {
        wire.message(1) { $0.text(3, "video") }
        wire.message(3) { video in
            video.varint(1, 3840)
            video.varint(2, 2160)
            video.float(3, Float(settings.rate.perSecond))
        }
    }

    /// Exposure, colour and motion, which nothing here reads but each frame contains.
    private func camera(_ wire: inout WireBytes) {
        wire.message(3) { $0.float(1, 400) }
        wire.message(6) { $0.varint(1, 5600) }
        wire.message(9) { attitude in
            for field in 1...4 { attitude.float(field, field == 1 ? 1 : 0.001) }
        }
        wire.message(10) { acceleration in
            acceleration.float(2, 0.01)
            acceleration.float(3, 0.02)
            acceleration.float(4, 9.81)
        }
    }

    private func gimbal(_ wire: inout WireBytes, _ settings: FilmSettings) {
        wire.message(1) { device in
            device.text(4, settings.cameraCode)
            device.float(5, Float(settings.rate.perSecond))
        }
        guard let push, !push.isVoid else {
            wire.message(2) { gps in
                gps.message(1) { $0.varint(1, 1) }
                gps.varint(3, 1)
            }
            return
        }
        wire.message(2) { gps in
            gps.message(1) { place in
                place.varint(1, 1)
                place.double(2, Self.throughRadians(push.latitudeE7))
                place.double(3, Self.throughRadians(push.longitudeE7))
            }
            gps.signed(2, push.heightMillimetres)
            gps.varint(4, 1)
            gps.varint(5, 1)
            gps.message(6) { $0.text(1, storedTime) }
        }
        wire.message(3) { velocity in
            velocity.float(1, push.northCentimetresPerSecond / 100)
            velocity.float(2, push.eastCentimetresPerSecond / 100)
            velocity.float(3, push.downCentimetresPerSecond / 100)
        }
    }

    /// The place as cameras store it: they keep radians and write degrees, which changes the last
    /// digits.
    private static func throughRadians(_ place: Int32) -> Double {
        let radians = Double(place) / 1e7 * (Double.pi / 180)
        return radians * (180 / Double.pi)
    }
}
