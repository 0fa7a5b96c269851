/// A file that clips are read from: its size, and bytes at any place.
package protocol ByteSource {
    /// Bytes.
    var size: UInt64 { get }

    /// Replaces `buffer` by exactly `count` bytes from `offset` on.
    ///
    /// - Throws: `cut` where the file ends before, `unreadable`.
    func read(_ count: Int, at offset: UInt64, into buffer: inout [UInt8]) throws(ClipFault)
}

extension [UInt8] {
    /// A big-endian number of 1 to 8 bytes; what lies behind the end counts as 0.
    func bigEndian(at offset: Int, bytes: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in offset..<offset + bytes {
            value = value << 8 | UInt64(index < count ? self[index] : 0)
        }
        return value
    }
}
