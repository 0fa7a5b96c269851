/// What a frame is about: command set and command ID (protocol 3).
package struct Opcode: Hashable, Sendable, CustomStringConvertible {
    package var set: UInt8
    package var id: UInt8

    package init(set: UInt8, id: UInt8) {
        self.set = set
        self.id = id
    }

    package static let version = Opcode(set: 0x00, id: 0x00)
    package static let key = Opcode(set: 0x00, id: 0x11)
    package static let restart = Opcode(set: 0x00, id: 0x16)
    package static let gpsPush = Opcode(set: 0x00, id: 0x17)
    package static let connection = Opcode(set: 0x00, id: 0x19)
    package static let power = Opcode(set: 0x00, id: 0x1A)
    package static let status = Opcode(set: 0x1D, id: 0x02)
    package static let record = Opcode(set: 0x1D, id: 0x03)
    package static let modeSwitch = Opcode(set: 0x1D, id: 0x04)
    package static let subscription = Opcode(set: 0x1D, id: 0x05)
    package static let statusText = Opcode(set: 0x1D, id: 0x06)

    /// Four hexadecimal digits: `1D02`.
    package var description: String { [set, id].hexadecimal }
}
