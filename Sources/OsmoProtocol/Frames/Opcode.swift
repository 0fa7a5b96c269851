/// What a frame is about: command set and command ID (protocol 3). It is inlined into other
/// modules, which compare it several times for each frame.
@usableFromInline package struct Opcode: Hashable, Sendable, CustomStringConvertible {
    /// CmdSet, byte 12 of the frame: 00 general, 1D camera.
    @usableFromInline package var set: UInt8
    /// CmdID, byte 13 of the frame.
    @usableFromInline package var id: UInt8

    /// Any pair of bytes is an opcode, known or not.
    @inlinable package init(set: UInt8, id: UInt8) {
        self.set = set
        self.id = id
    }

    /// 0000: asks the camera for its version texts (protocol 3.2).
    @inlinable package static var version: Opcode { Opcode(set: 0x00, id: 0x00) }
    /// 0011: reports a key of a remote control as pressed (protocol 3.3).
    @inlinable package static var key: Opcode { Opcode(set: 0x00, id: 0x11) }
    /// 0016: restarts the camera (protocol 3.4).
    @inlinable package static var restart: Opcode { Opcode(set: 0x00, id: 0x16) }
    /// 0017: tells the camera where it is (protocol 3.5).
    @inlinable package static var gpsPush: Opcode { Opcode(set: 0x00, id: 0x17) }
    /// 0019: the handshake, sent as a command by both sides (protocol 3.1).
    @inlinable package static var connection: Opcode { Opcode(set: 0x00, id: 0x19) }
    /// 001A: sends the camera to sleep (protocol 3.6).
    @inlinable package static var power: Opcode { Opcode(set: 0x00, id: 0x1A) }
    /// 1D02: the camera's status push (protocol 3.7).
    @inlinable package static var status: Opcode { Opcode(set: 0x1D, id: 0x02) }
    /// 1D03: starts or stops recording (protocol 3.8).
    @inlinable package static var record: Opcode { Opcode(set: 0x1D, id: 0x03) }
    /// 1D04: changes the camera's mode (protocol 3.8).
    @inlinable package static var modeSwitch: Opcode { Opcode(set: 0x1D, id: 0x04) }
    /// 1D05: subscribes to the status push (protocol 3.7).
    @inlinable package static var subscription: Opcode { Opcode(set: 0x1D, id: 0x05) }
    /// 1D06: the camera's text push, sent when mode or parameters change (protocol 3.7).
    @inlinable package static var statusText: Opcode { Opcode(set: 0x1D, id: 0x06) }

    /// Four hexadecimal digits: `1D02`.
    @usableFromInline package var description: String { [set, id].hexadecimal }
}
