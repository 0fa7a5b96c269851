/// The payload of one kind of frame.
package protocol Message: Equatable, Sendable {
    /// The command set and ID of the frames that carry it (protocol 3).
    static var opcode: Opcode { get }
    /// The CmdType that it travels with.
    static var type: FrameType { get }
    /// nil where the bytes cannot be this message. Longer than known is no fault.
    init?(payload: [UInt8])
    /// The bytes that its frame carries, without the opcode.
    var payload: [UInt8] { get }
}

extension Frame {
    /// A frame that carries `message`.
    ///
    /// - Parameter sequence: a command's own number; for an answer the command's.
    package init<Content: Message>(_ message: Content, sequence: UInt16) {
        self.init(
            type: Content.type, sequence: sequence, opcode: Content.opcode,
            payload: message.payload)
    }

    /// The message of this kind that the frame carries; nil for another one, for an answer in place
    /// of a command or the reverse, for an enciphered frame, and for bytes that make no sense.
    package func read<Content: Message>(_ content: Content.Type) -> Content? {
        guard opcode == Content.opcode, type.isResponse == Content.type.isResponse, !isEncrypted
        else { return nil }
        return Content(payload: payload)
    }
}
