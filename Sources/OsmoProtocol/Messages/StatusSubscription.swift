/// 1D05: asks for status pushes (protocol 3.7). The pushes are the answer; some cameras send a
/// return code besides.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | 0 off, 1 once, 2 periodic, 3 periodic and on change |
/// | 1 | u8 | frequency in 0.1 Hz; must be 20 |
/// | 2 | 4 bytes | reserved |
package struct StatusSubscription: Message {
    /// 1D05, to the camera.
    package static let opcode = Opcode.subscription
    /// CmdType 00: the pushes are the answer.
    package static let type = FrameType.push

    /// When pushes are wanted.
    package struct Mode: RawRepresentable, Hashable, Sendable {
        /// push_mode, as it stands in the frame.
        package var rawValue: UInt8
        /// Any byte makes a mode, known or not.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No pushes any more.
        package static let off = Mode(rawValue: 0)
        /// One push, now.
        package static let once = Mode(rawValue: 1)
        /// Pushes at the frequency that is asked for.
        package static let periodic = Mode(rawValue: 2)
        /// Periodic pushes, and one more at each change: what geotagd asks for.
        package static let periodicAndOnChange = Mode(rawValue: 3)
    }

    /// When the camera is to push.
    package var mode: Mode
    /// In 0.1 Hz.
    package var frequency: UInt8

    /// What geotagd asks for, unless told otherwise: 2 Hz and at each change.
    package init(mode: Mode = .periodicAndOnChange, frequency: UInt8 = 20) {
        self.mode = mode
        self.frequency = frequency
    }

    /// nil for fewer than 2 bytes; the reserved bytes may be missing.
    package init?(payload: [UInt8]) {
        guard payload.count >= 2 else { return nil }
        mode = Mode(rawValue: payload[0])
        frequency = payload[1]
    }

    /// Always 6 bytes.
    package var payload: [UInt8] { [mode.rawValue, frequency, 0, 0, 0, 0] }
}
