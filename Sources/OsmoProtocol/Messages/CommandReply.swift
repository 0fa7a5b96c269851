/// The answer to a command that is answered by a return code alone: 0011, 0017, 001A, 1D03, 1D04,
/// 1D05 (protocol 3).
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | return code |
/// | 1 | 0 or 4 bytes | reserved; the documents have them on 1D03 and 1D04, cameras may not |
package struct CommandReply: Hashable, Sendable {
    /// Whether the camera accepted the command.
    package var code: ReturnCode
    /// The bytes behind the return code, as they came: none or four.
    package var reserved: [UInt8]

    /// An answer for a simulated camera to send.
    package init(code: ReturnCode, reserved: [UInt8] = []) {
        self.code = code
        self.reserved = reserved
    }

    /// nil for an empty payload.
    package init?(payload: [UInt8]) {
        guard let first = payload.first else { return nil }
        code = ReturnCode(rawValue: first)
        reserved = Array(payload.dropFirst())
    }

    /// Which commands are answered like this.
    package static func answers(_ opcode: Opcode) -> Bool {
        switch opcode {
        case .key, .gpsPush, .power, .record, .modeSwitch, .subscription: true
        default: false
        }
    }

    /// The return code, then the reserved bytes.
    package var payload: [UInt8] { [code.rawValue] + reserved }
}

extension Frame {
    /// A camera's answer to `command`.
    package init(_ reply: CommandReply, to command: Frame) {
        self.init(
            type: .response, sequence: command.sequence, opcode: command.opcode,
            payload: reply.payload)
    }

    /// The return code of an answer to any command that has one; nil for everything else.
    package var returnCode: ReturnCode? {
        guard type.isResponse, !isEncrypted else { return nil }
        switch opcode {
        case .connection: return ConnectionResponse(payload: payload)?.code
        case .restart: return RestartReply(payload: payload)?.code
        case .version:
            guard let reply = VersionReply(payload: payload) else { return nil }
            return ReturnCode(rawValue: UInt8(clamping: reply.result))
        default:
            return CommandReply.answers(opcode) ? CommandReply(payload: payload)?.code : nil
        }
    }
}
