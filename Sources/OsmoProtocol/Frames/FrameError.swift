/// Why bytes are not one readable frame: the first check that fails, in this order.
package enum FrameError: Error, Hashable, Sendable, CaseIterable {
    /// Fewer than the header's 12 bytes.
    case short
    /// Does not start with AA.
    case sof
    /// The header's checksum is wrong.
    case crc16
    /// The declared length leaves no room for an opcode.
    case length
    /// The declared length is more than there is.
    case truncated
    /// The frame's checksum is wrong.
    case crc32
    /// Bytes follow the frame.
    case trailing
    /// A version other than 0.
    case version
    /// The payload is enciphered: the frame is whole, but its payload cannot be read.
    case encrypted
}
