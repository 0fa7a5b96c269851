/// The checksum of a frame's header, bytes 0 to 9 (protocol 2.3).
///
/// Reflected, polynomial 0x8005, register starting at 0x3AA3, no final xor.
package enum CRC16 {
    /// The checksum of `bytes[range]`.
    package static func checksum(_ bytes: ByteSpan, in range: Range<Int>) -> UInt16 {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "range in bytes")
        let table = table
        var register: UInt16 = 0x3AA3
        for index in range {
            register =
                register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ bytes[index])]
        }
        return register
    }

    private static let table: [UInt16] = (0..<256).map { byte in
        var register = UInt16(byte)
        for _ in 0..<8 {
            register = register & 1 == 1 ? register >> 1 ^ 0xA001 : register >> 1
        }
        return register
    }
}
