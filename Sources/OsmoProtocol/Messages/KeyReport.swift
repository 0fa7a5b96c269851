/// 0011: a key of a remote control was used (protocol 3.3).
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | key |
/// | 1 | u8 | 0 state (0 pressed, 1 released), 1 event |
/// | 2 | u16 | value: for events 0 short, 1 long, 2 double, … |
package struct KeyReport: Message {
    /// Which key.
    package struct Key: RawRepresentable, Hashable, Sendable {
        /// key_code, as it stands in the frame.
        package var rawValue: UInt8
        /// Any byte makes a key, known or not.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Record or shutter. Pressed long it puts the camera to sleep: never by accident.
        package static let record = Key(rawValue: 0x01)
        /// Quick switch.
        package static let quickSwitch = Key(rawValue: 0x02)
        /// After a wake broadcast: take a picture and sleep again.
        package static let snapshot = Key(rawValue: 0x03)
    }

    /// 0011, to the camera.
    package static let opcode = Opcode.key
    /// CmdType 01: an answer is wanted, and its absence tolerated.
    package static let type = FrameType.request
    /// Bytes of the payload.
    package static let length = 4

    /// The key that was used.
    package var key: Key
    /// 0 for a state, 1 for an event. It says how to read `value`.
    package var mode: UInt8
    /// In mode 0: 0 pressed, 1 released. In mode 1: 0 short, 1 long, 2 double, 3 triple, 4
    /// quadruple.
    package var value: UInt16

    /// Any report. To press a key, `short(_:)` is the one to use.
    package init(key: Key, mode: UInt8, value: UInt16) {
        self.key = key
        self.mode = mode
        self.value = value
    }

    /// A short press.
    package static func short(_ key: Key) -> KeyReport { KeyReport(key: key, mode: 1, value: 0) }

    /// nil for fewer than 4 bytes.
    package init?(payload: [UInt8]) {
        guard payload.count >= Self.length else { return nil }
        key = Key(rawValue: payload[0])
        mode = payload[1]
        value = payload.littleEndian16(at: 2)
    }

    /// Always 4 bytes.
    package var payload: [UInt8] {
        var bytes = [key.rawValue, mode]
        bytes.append(littleEndian: value)
        return bytes
    }
}
