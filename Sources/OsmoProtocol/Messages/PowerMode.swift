/// 001A: sleep, or be normal (protocol 3.6). After a sleep nothing may be sent any more.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | 0 normal, 3 sleep |
package struct PowerMode: Message, RawRepresentable {
    package static let opcode = Opcode.power
    package static let type = FrameType.request

    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let normal = PowerMode(rawValue: 0)
    package static let sleep = PowerMode(rawValue: 3)

    package init?(payload: [UInt8]) {
        guard let first = payload.first else { return nil }
        rawValue = first
    }

    package var payload: [UInt8] { [rawValue] }
}
