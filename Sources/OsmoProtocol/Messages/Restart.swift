/// 0016 as a command: restart (protocol 3.4). Documented, never seen to work: expect no answer.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u32 | device_id |
/// | 4 | 4 bytes | reserved |
package struct Restart: Message {
    /// 0016, to the camera.
    package static let opcode = Opcode.restart
    /// CmdType 02, our choice: DJI does not say which.
    package static let type = FrameType.query

    /// Probably the camera's id from step 3 of the handshake; DJI does not say whose.
    package var deviceID: UInt32

    /// A command that asks the camera to restart.
    package init(deviceID: UInt32) { self.deviceID = deviceID }

    /// nil for fewer than 4 bytes; the reserved bytes may be missing.
    package init?(payload: [UInt8]) {
        guard payload.count >= 4 else { return nil }
        deviceID = payload.littleEndian32(at: 0)
    }

    /// Always 8 bytes.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: deviceID)
        bytes.append(littleEndian: UInt32(0))
        return bytes
    }
}

/// 0016 as an answer (protocol 3.4).
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u32 | device_id |
/// | 4 | u8 | return code |
/// | 5 | 4 bytes | reserved |
package struct RestartReply: Message {
    /// 0016, from the camera.
    package static let opcode = Opcode.restart
    /// CmdType 20: an answer.
    package static let type = FrameType.response

    /// The id that the command named.
    package var deviceID: UInt32
    /// Whether the camera accepted the command.
    package var code: ReturnCode

    /// An answer for a simulated camera to send.
    package init(deviceID: UInt32, code: ReturnCode) {
        self.deviceID = deviceID
        self.code = code
    }

    /// nil for fewer than 5 bytes; the reserved bytes may be missing.
    package init?(payload: [UInt8]) {
        guard payload.count >= 5 else { return nil }
        deviceID = payload.littleEndian32(at: 0)
        code = ReturnCode(rawValue: payload[4])
    }

    /// Always 9 bytes.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: deviceID)
        bytes.append(code.rawValue)
        bytes.append(littleEndian: UInt32(0))
        return bytes
    }
}
