/// 001A: sleep, or be normal (protocol 3.6). After a sleep nothing may be sent any more.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | 0 normal, 3 sleep |
package struct PowerMode: Message, RawRepresentable {
    /// 001A, to the camera.
    package static let opcode = Opcode.power
    /// CmdType 01: an answer is wanted, and its absence tolerated.
    package static let type = FrameType.request

    /// The byte as it stands in the frame.
    package var rawValue: UInt8
    /// Any byte makes a power mode, known or not.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Awake. A sleeping camera does not react to it: it is woken by the broadcast of protocol 3.9.
    package static let normal = PowerMode(rawValue: 0)
    /// Asleep: the link stays up, but nothing more may be sent on it.
    package static let sleep = PowerMode(rawValue: 3)

    /// nil for an empty payload; bytes after the first are ignored.
    package init?(payload: [UInt8]) {
        guard let first = payload.first else { return nil }
        rawValue = first
    }

    /// Always 1 byte.
    package var payload: [UInt8] { [rawValue] }
}
