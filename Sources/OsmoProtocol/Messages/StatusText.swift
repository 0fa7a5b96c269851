/// 1D06, mode and parameters as the camera's own screen words them (protocol 3.7).
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | 1 |
/// | 1 | u8 | length of the mode's text |
/// | 2 | text of 21 | mode, zero padded |
/// | 23 | u8 | 2 |
/// | 24 | u8 | length of the parameters' text |
/// | 25 | text of 21 | parameters, zero padded |
///
/// Older firmware has slots of 20 bytes, so that everything from the second tag on stands one byte
/// earlier.
package struct StatusText: Message {
    /// 1D06, from the camera.
    package static let opcode = Opcode.statusText
    /// CmdType 00: the camera wants no answer.
    package static let type = FrameType.push
    /// Bytes of a text's slot in current firmware.
    package static let slot = 21
    /// The same in firmware before September 2025.
    package static let oldSlot = 20

    /// `VIDEO`
    package var mode: String
    /// `4K60 RS`
    package var parameters: String
    /// Bytes of a text's slot, 21 or 20.
    package var slotLength: Int

    /// A push for a simulated camera to send. A text that is longer than its slot is cut.
    package init(mode: String, parameters: String, slotLength: Int = StatusText.slot) {
        self.mode = mode
        self.parameters = parameters
        self.slotLength = slotLength
    }

    /// nil where the tags 1 and 2 do not stand where slots of 21 or of 20 bytes put them. A length
    /// that claims more than the slot is cut there.
    package init?(payload: [UInt8]) {
        let slots = [StatusText.slot, StatusText.oldSlot]
        let fitting = slots.first { payload.count >= 4 + 2 * $0 && payload[2 + $0] == 2 }
        guard let fitting, payload[0] == 1 else { return nil }
        func slot(at start: Int) -> String {
            text(payload[start + 1..<start + 1 + min(Int(payload[start]), fitting)])
        }
        mode = slot(at: 1)
        parameters = slot(at: 3 + fitting)
        slotLength = fitting
    }

    /// 46 bytes with slots of 21, 44 with slots of 20.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        for (tag, content) in [(UInt8(1), mode), (2, parameters)] {
            bytes.append(tag)
            bytes.append(UInt8(min(content.utf8.count, slotLength)))
            append(content, padded: slotLength, to: &bytes)
        }
        return bytes
    }
}
