extension [UInt8] {
    /// The two bytes at `offset`, lowest first.
    func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    /// The four bytes at `offset`, lowest first.
    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
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
