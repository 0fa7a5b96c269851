/// 0019 as an answer: steps 2 (the camera's receipt) and 4 (ours, mandatory) of the handshake
/// (protocol 3.1).
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u32 | device_id of the sender |
/// | 4 | u8 | return code |
/// | 5 | u32 | from us the camera's number, else 0 |
package struct ConnectionResponse: Message {
    /// 0019, the opcode of all four steps of the handshake.
    package static let opcode = Opcode.connection
    /// CmdType 20: an answer.
    package static let type = FrameType.response
    /// Bytes of the payload.
    package static let length = 9

    /// The sender's device_id.
    package var deviceID: UInt32
    /// From a camera in step 2 anything but success is a refusal (protocol 3.1).
    package var code: ReturnCode
    /// What the camera shows as its number: 0 for the only one, else from 1.
    package var cameraNumber: UInt32

    /// An answer: to a camera in step 4, from a simulated camera in step 2.
    package init(deviceID: UInt32, code: ReturnCode = .success, cameraNumber: UInt32 = 0) {
        self.deviceID = deviceID
        self.code = code
        self.cameraNumber = cameraNumber
    }

    /// The reserved bytes may be missing.
    package init?(payload: [UInt8]) {
        guard payload.count >= 5 else { return nil }
        deviceID = payload.littleEndian32(at: 0)
        code = ReturnCode(rawValue: payload[4])
        cameraNumber = payload.count >= Self.length ? payload.littleEndian32(at: 5) : 0
    }

    /// Always 9 bytes.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: deviceID)
        bytes.append(code.rawValue)
        bytes.append(littleEndian: cameraNumber)
        return bytes
    }
}
