/// 0016 as a command: restart (protocol 3.4). Documented, never seen to work: expect no answer.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u32 | device_id |
/// | 4 | 4 bytes | reserved |
package struct Restart: Message {
    package static let opcode = Opcode.restart
    package static let type = FrameType.query

    package var deviceID: UInt32

    package init(deviceID: UInt32) { self.deviceID = deviceID }

    package init?(payload: [UInt8]) {
        guard payload.count >= 4 else { return nil }
        deviceID = payload.littleEndian32(at: 0)
    }

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
    package static let opcode = Opcode.restart
    package static let type = FrameType.response

    package var deviceID: UInt32
    package var code: ReturnCode

    package init(deviceID: UInt32, code: ReturnCode) {
        self.deviceID = deviceID
        self.code = code
    }

    package init?(payload: [UInt8]) {
        guard payload.count >= 5 else { return nil }
        deviceID = payload.littleEndian32(at: 0)
        code = ReturnCode(rawValue: payload[4])
    }

    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: deviceID)
        bytes.append(code.rawValue)
        bytes.append(littleEndian: UInt32(0))
        return bytes
    }
}
