/// 1D05: asks for status pushes (protocol 3.7). The pushes are the answer; some cameras send a
/// return code besides.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | 0 off, 1 once, 2 periodic, 3 periodic and on change |
/// | 1 | u8 | frequency in 0.1 Hz; must be 20 |
/// | 2 | 4 bytes | reserved |
package struct StatusSubscription: Message {
    package static let opcode = Opcode.subscription
    package static let type = FrameType.push

    /// When pushes are wanted.
    package struct Mode: RawRepresentable, Hashable, Sendable {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let off = Mode(rawValue: 0)
        package static let once = Mode(rawValue: 1)
        package static let periodic = Mode(rawValue: 2)
        package static let periodicAndOnChange = Mode(rawValue: 3)
    }

    package var mode: Mode
    /// In 0.1 Hz.
    package var frequency: UInt8

    package init(mode: Mode = .periodicAndOnChange, frequency: UInt8 = 20) {
        self.mode = mode
        self.frequency = frequency
    }

    package init?(payload: [UInt8]) {
        guard payload.count >= 2 else { return nil }
        mode = Mode(rawValue: payload[0])
        frequency = payload[1]
    }

    package var payload: [UInt8] { [mode.rawValue, frequency, 0, 0, 0, 0] }
}
