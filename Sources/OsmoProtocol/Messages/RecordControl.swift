/// 1D03: start or stop recording, in video modes (protocol 3.8).
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u32 | device_id of the camera, not checked |
/// | 4 | u8 | 0 start, 1 stop |
/// | 5 | 4 bytes | reserved |
package struct RecordControl: Message {
    /// 1D03, to the camera.
    package static let opcode = Opcode.record
    /// CmdType 01: an answer is wanted, and its absence tolerated.
    package static let type = FrameType.request
    /// Bytes of the payload.
    package static let length = 9

    /// The camera's id from step 3 of the handshake; no camera is known to check it.
    package var deviceID: UInt32
    /// true starts a recording, false stops it.
    package var starts: Bool

    /// A command that starts or stops. That it was accepted does not mean that it was done: 1D02
    /// tells.
    package init(deviceID: UInt32, starts: Bool) {
        self.deviceID = deviceID
        self.starts = starts
    }

    /// nil for anything but start and stop, too.
    package init?(payload: [UInt8]) {
        guard payload.count >= 5, payload[4] <= 1 else { return nil }
        deviceID = payload.littleEndian32(at: 0)
        starts = payload[4] == 0
    }

    /// Always 9 bytes.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: deviceID)
        bytes.append(starts ? 0 : 1)
        bytes.append(littleEndian: UInt32(0))
        return bytes
    }
}
