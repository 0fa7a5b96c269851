import OsmoProtocol
import Testing

/// Checks every published and computed frame, field by field.
@Suite struct MessageVectorTests {
    @Test(
        "a frame's fields are read and its payload written back",
        arguments: Vector.of(kind: "frame"))
    func frameSFieldsReadPayload(vector: Vector) throws {
        let frame = try Frame(datagram: vector.bytes)
        switch (frame.opcode, frame.type.isResponse) {
        case (.version, false): check(frame, VersionQuery.self) { _ in [:] }(vector)
        case (.version, true): check(frame, VersionReply.self, fields(of:))(vector)
        case (.key, false): check(frame, KeyReport.self, fields(of:))(vector)
        case (.restart, false):
            check(frame, Restart.self) { ["device_id": .number(Double($0.deviceID))] }(vector)
        case (.restart, true): check(frame, RestartReply.self, fields(of:))(vector)
        case (.gpsPush, false): check(frame, GPSPush.self, fields(of:))(vector)
        case (.connection, false): check(frame, ConnectionRequest.self, fields(of:))(vector)
        case (.connection, true): check(frame, ConnectionResponse.self, fields(of:))(vector)
        case (.power, false):
            check(frame, PowerMode.self) { ["power_mode": .number(Double($0.rawValue))] }(vector)
        case (.status, false): check(frame, CameraStatus.self, fields(of:))(vector)
        case (.record, false): check(frame, RecordControl.self, fields(of:))(vector)
        case (.modeSwitch, false): check(frame, ModeSwitch.self, fields(of:))(vector)
        case (.subscription, false): check(frame, StatusSubscription.self, fields(of:))(vector)
        case (.statusText, false): check(frame, StatusText.self, fields(of:))(vector)
        case (_, true) where CommandReply.answers(frame.opcode):
            let reply = try #require(CommandReply(payload: frame.payload))
            #expect(vector.number("ret_code") == Double(reply.code.rawValue))
            #expect(frame.returnCode == reply.code)
            #expect(reply.payload == frame.payload)
            let length = vector.number("payload_len") ?? 1
            #expect(length == Double(1 + reply.reserved.count))
        default:
            #expect(vector.text("raw")?.uppercased() == frame.payload.hexadecimal)
            #expect(frame.returnCode == nil)
        }
    }

    /// Keys of a vector that are no fields of the message.
    private static let derived: Set<String> = ["payload_len", "slot_size", "sdk_field_len"]

    private func check<Content: Message>(
        _ frame: Frame, _ content: Content.Type,
        _ fields: @escaping (Content) -> [String: Vector.Value]
    ) -> (Vector) -> Void {
        { vector in
            guard let message = frame.read(Content.self) else {
                Issue.record("not read: \(vector.name)")
                return
            }
            let read = fields(message)
            for (key, value) in vector.fields where !Self.derived.contains(key) {
                #expect(same(read[key], value), "\(key): \(String(describing: read[key]))")
            }
            // A false length is not written again, and bytes after the known fields are not kept.
            guard vector.name != "status_text_length_lies" else { return }
            let known = content is CameraStatus.Type ? CameraStatus.length : Frame.maximumPayload
            #expect(message.payload == Array(frame.payload.prefix(known)))
            if frame.payload.count <= known, frame.type == Content.type {
                #expect(Frame(message, sequence: frame.sequence).encoded == vector.bytes)
            }
        }
    }

    private func same(_ read: Vector.Value?, _ expected: Vector.Value) -> Bool {
        switch (read, expected) {
        case (.number(let left)?, .number(let right)):
            // The file holds floats with seven digits.
            abs(left - right) <= abs(right) * 1e-6
        case (.text(let left)?, .text(let right)):
            left == right.prefix { $0 != "\0" }
        default:
            read == expected
        }
    }
}

private func numbers(_ pairs: [(String, Double?)]) -> [String: Vector.Value] {
    Dictionary(
        uniqueKeysWithValues: pairs.compactMap { key, value in
            value.map { (key, .number($0)) }
        })
}

private func fields(of message: VersionReply) -> [String: Vector.Value] {
    [
        "ack_result": .number(Double(message.result)), "product_id": .text(message.product),
        "sdk_version": .text(message.sdk),
    ]
}

private func fields(of message: KeyReport) -> [String: Vector.Value] {
    numbers([
        ("key_code", Double(message.key.rawValue)), ("key_mode", Double(message.mode)),
        ("key_value", Double(message.value)),
    ])
}

private func fields(of message: RestartReply) -> [String: Vector.Value] {
    numbers([
        ("device_id", Double(message.deviceID)), ("ret_code", Double(message.code.rawValue)),
    ])
}

private func fields(of message: GPSPush) -> [String: Vector.Value] {
    numbers([
        ("ymd", Double(message.date)), ("hms", Double(message.time)),
        ("lon_e7", Double(message.longitudeE7)), ("lat_e7", Double(message.latitudeE7)),
        ("height_mm", Double(message.heightMillimetres)),
        ("v_north_cms", Double(message.northCentimetresPerSecond)),
        ("v_east_cms", Double(message.eastCentimetresPerSecond)),
        ("v_down_cms", Double(message.downCentimetresPerSecond)),
        ("v_acc_mm", Double(message.verticalAccuracyMillimetres)),
        ("h_acc_mm", Double(message.horizontalAccuracyMillimetres)),
        ("speed_acc_cms", Double(message.speedAccuracyCentimetresPerSecond)),
        ("satellites", Double(message.satellites)),
    ])
}

private func fields(of message: ConnectionRequest) -> [String: Vector.Value] {
    var fields = numbers([
        ("device_id", Double(message.deviceID)), ("mac_len", Double(message.identity.count)),
        ("fw_version", Double(message.firmwareVersion)),
        ("conidx", Double(message.connectionIndex)),
        ("verify_mode", Double(message.verification.mode)),
        ("verify_data", Double(message.verification.data)),
    ])
    fields["mac"] = .text(message.address.map { $0.description.lowercased() } ?? "")
    return fields
}

private func fields(of message: ConnectionResponse) -> [String: Vector.Value] {
    numbers([
        ("device_id", Double(message.deviceID)), ("ret_code", Double(message.code.rawValue)),
        ("camera_number", Double(message.cameraNumber)),
    ])
}

private func fields(of message: RecordControl) -> [String: Vector.Value] {
    numbers([("device_id", Double(message.deviceID)), ("record_ctrl", message.starts ? 0 : 1)])
}

private func fields(of message: ModeSwitch) -> [String: Vector.Value] {
    var fields = numbers([
        ("device_id", Double(message.deviceID)), ("mode", Double(message.mode.rawValue)),
    ])
    let reserved = stride(from: 0, to: 32, by: 8).map {
        UInt8(truncatingIfNeeded: message.reserved >> $0)
    }
    fields["reserved"] = .text(reserved.hexadecimal)
    return fields
}

private func fields(of message: StatusSubscription) -> [String: Vector.Value] {
    numbers([
        ("push_mode", Double(message.mode.rawValue)), ("push_freq", Double(message.frequency)),
    ])
}

private func fields(of message: StatusText) -> [String: Vector.Value] {
    ["mode_name": .text(message.mode), "mode_param": .text(message.parameters)]
}

private func fields(of message: CameraStatus) -> [String: Vector.Value] {
    numbers([
        ("mode", Double(message.mode.rawValue)), ("status", Double(message.activity)),
        ("resolution", Double(message.resolution)), ("fps_idx", Double(message.frameRateIndex)),
        ("eis", Double(message.stabilization)), ("record_time_s", Double(message.recordTime)),
        ("fov", message.fieldOfView.map(Double.init)),
        ("photo_ratio", message.photoRatio.map(Double.init)),
        ("countdown_s", message.countdownSeconds.map(Double.init)),
        ("timelapse_interval", message.timelapseInterval.map(Double.init)),
        ("timelapse_duration_s", message.timelapseDurationSeconds.map(Double.init)),
        ("remain_capacity_mb", message.cardFreeMegabytes.map(Double.init)),
        ("remain_photos", message.remainingPhotos.map(Double.init)),
        ("remain_time_s", message.remainingSeconds.map(Double.init)),
        ("user_mode", message.userMode.map(Double.init)),
        ("power_mode", message.powerMode.map(Double.init)),
        ("mode_next", message.nextMode.map { Double($0.rawValue) }),
        ("temp_over", message.temperature.map(Double.init)),
        ("photo_countdown_ms", message.photoCountdownMilliseconds.map(Double.init)),
        ("loop_record_s", message.loopRecordSeconds.map(Double.init)),
        ("battery_pct", message.batteryPercent.map(Double.init)),
    ])
}
