/// A frame's CmdType: what answer it wants, or that it is one (protocol 2.2).
@usableFromInline package struct FrameType: RawRepresentable, Hashable, Sendable {
    /// The byte as it stands in the frame; values that nobody documents are kept.
    @usableFromInline package var rawValue: UInt8
    /// Any byte makes a type: what a camera sends is kept even where its meaning is unknown.
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A command that wants no answer.
    package static let push = FrameType(rawValue: 0x00)
    /// A command whose answer may be missing.
    package static let request = FrameType(rawValue: 0x01)
    /// A command that must be answered.
    package static let query = FrameType(rawValue: 0x02)
    /// The answer to any command.
    package static let response = FrameType(rawValue: 0x20)

    /// Whether bit 5 is set. Only this bit tells answers from commands.
    @inlinable package var isResponse: Bool { rawValue & 0x20 != 0 }
}
