/// What a frame is about: command set and command ID (protocol 3). Compared some times with each
/// frame, in other modules: inlined into them.
@usableFromInline package struct Opcode: Hashable, Sendable, CustomStringConvertible {
    @usableFromInline package var set: UInt8
    @usableFromInline package var id: UInt8

    @inlinable package init(set: UInt8, id: UInt8) {
        self.set = set
        self.id = id
    }

    @inlinable package static var version: Opcode { Opcode(set: 0x00, id: 0x00) }
    @inlinable package static var key: Opcode { Opcode(set: 0x00, id: 0x11) }
    @inlinable package static var restart: Opcode { Opcode(set: 0x00, id: 0x16) }
    @inlinable package static var gpsPush: Opcode { Opcode(set: 0x00, id: 0x17) }
    @inlinable package static var connection: Opcode { Opcode(set: 0x00, id: 0x19) }
    @inlinable package static var power: Opcode { Opcode(set: 0x00, id: 0x1A) }
    @inlinable package static var status: Opcode { Opcode(set: 0x1D, id: 0x02) }
    @inlinable package static var record: Opcode { Opcode(set: 0x1D, id: 0x03) }
    @inlinable package static var modeSwitch: Opcode { Opcode(set: 0x1D, id: 0x04) }
    @inlinable package static var subscription: Opcode { Opcode(set: 0x1D, id: 0x05) }
    @inlinable package static var statusText: Opcode { Opcode(set: 0x1D, id: 0x06) }

    /// Four hexadecimal digits: `1D02`.
    @usableFromInline package var description: String { [set, id].hexadecimal }
}
