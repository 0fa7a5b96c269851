extension [UInt8] {
    /// The two bytes at `offset`, lowest first.
    func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    /// The four bytes at `offset`, lowest first.
    @inline(__always) func littleEndian32(at offset: Int) -> UInt32 {
        // Checks the bounds once for all four bytes.
        let bytes = self[offset..<offset + 4]
        return UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
            | UInt32(bytes[offset + 2]) << 16 | UInt32(bytes[offset + 3]) << 24
    }

    /// Appends two bytes, lowest first.
    mutating func append(littleEndian value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Appends four bytes, lowest first.
    mutating func append(littleEndian value: UInt32) {
        append(littleEndian: UInt16(truncatingIfNeeded: value))
        append(littleEndian: UInt16(truncatingIfNeeded: value >> 16))
    }

    /// Appends four bytes of two's complement, lowest first.
    mutating func append(littleEndian value: Int32) {
        append(littleEndian: UInt32(bitPattern: value))
    }
}

#if compiler(>=6.3)
    extension Span<UInt8> {
        /// The four bytes at `offset`, lowest first.
        @inline(__always) func littleEndian32(at offset: Int) -> UInt32 {
            // Checks the bounds once for all four bytes.
            let bytes = extracting(offset..<offset + 4)
            return UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
                | UInt32(bytes[3]) << 24
        }
    }
#endif

extension MutableByteSpan {
    /// Puts two bytes at `offset`, lowest first.
    mutating func store(_ value: UInt16, at offset: Int) {
        self[offset] = UInt8(truncatingIfNeeded: value)
        self[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }

    /// Puts four bytes at `offset`, lowest first.
    mutating func store(_ value: UInt32, at offset: Int) {
        store(UInt16(truncatingIfNeeded: value), at: offset)
        store(UInt16(truncatingIfNeeded: value >> 16), at: offset + 2)
    }

    /// Puts four bytes of two's complement at `offset`, lowest first.
    mutating func store(_ value: Int32, at offset: Int) {
        store(UInt32(bitPattern: value), at: offset)
    }
}
