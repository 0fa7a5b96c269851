/// 1D04: change the mode (protocol 3.8). On an Osmo 360 it reaches the selected lens group only.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u32 | device_id of the camera, not checked |
/// | 4 | u8 | mode |
/// | 5 | 4 bytes | reserved |
package struct ModeSwitch: Message {
    /// 1D04, to the camera.
    package static let opcode = Opcode.modeSwitch
    /// CmdType 01: an answer is wanted, and its absence tolerated.
    package static let type = FrameType.request
    /// Bytes of the payload.
    package static let length = 9

    /// The camera's id from step 3 of the handshake; no camera is known to check it.
    package var deviceID: UInt32
    /// The mode to change to.
    package var mode: CameraMode
    /// 0 works; DJI's own example has `01 47 39 36`.
    package var reserved: UInt32

    /// A command that asks for `mode`. That it was accepted does not mean that the mode changed:
    /// 1D02 tells.
    package init(deviceID: UInt32, mode: CameraMode, reserved: UInt32 = 0) {
        self.deviceID = deviceID
        self.mode = mode
        self.reserved = reserved
    }

    /// nil for fewer than 5 bytes; the reserved bytes may be missing.
    package init?(payload: [UInt8]) {
        guard payload.count >= 5 else { return nil }
        deviceID = payload.littleEndian32(at: 0)
        mode = CameraMode(rawValue: payload[4])
        reserved = payload.count >= Self.length ? payload.littleEndian32(at: 5) : 0
    }

    /// Always 9 bytes.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: deviceID)
        bytes.append(mode.rawValue)
        bytes.append(littleEndian: reserved)
        return bytes
    }
}
