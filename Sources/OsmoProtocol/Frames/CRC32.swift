/// The checksum of a whole frame but for its last four bytes (protocol 2.4).
///
/// Reflected, polynomial 0x04C11DB7, register starting at 0x00003AA3, no final xor: not zlib's.
package enum CRC32 {
    /// The checksum of `bytes[range]`, eight bytes a step.
    package static func checksum(_ bytes: ByteSpan, in range: Range<Int>) -> UInt32 {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "range in bytes")
        let table = table
        var register: UInt32 = 0x3AA3
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            let low = register ^ bytes.littleEndian32(at: index)
            let high = bytes.littleEndian32(at: index + 4)
            register =
                table[0x700 | Int(low & 0xFF)] ^ table[0x600 | Int(low >> 8 & 0xFF)]
                ^ table[0x500 | Int(low >> 16 & 0xFF)] ^ table[0x400 | Int(low >> 24)]
            register ^=
                table[0x300 | Int(high & 0xFF)] ^ table[0x200 | Int(high >> 8 & 0xFF)]
                ^ table[0x100 | Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
            index += 8
        }
        while index < range.upperBound {
            register =
                register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ bytes[index])]
            index += 1
        }
        return register
    }

    /// Eight tables of 256 in a row: entry `256 * n + byte` is `byte` followed by n zero bytes.
    private static let table: [UInt32] = {
        var table: [UInt32] = (0..<256).map { byte in
            var register = UInt32(byte)
            for _ in 0..<8 {
                register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1
            }
            return register
        }
        for index in 256..<2048 {
            let previous = table[index - 256]
            table.append(previous >> 8 ^ table[Int(previous & 0xFF)])
        }
        return table
    }()
}
