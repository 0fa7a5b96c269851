/// Reads single entries of a table in the file, a block at a time.
struct TableWindow {
    /// Bytes of a table that are in memory at once.
    static let maxBytes = 16_384

    let table: SampleTable.Entries
    private var buffer: [UInt8] = []
    /// The entry that `buffer` begins with.
    private var first = 0
    private var held = 0

    init(_ table: SampleTable.Entries) { self.table = table }

    /// A number within an entry.
    ///
    /// - Parameters:
    ///   - index: below the table's count.
    ///   - offset: bytes from the entry's start.
    mutating func number(
        _ index: Int, at offset: Int = 0, bytes: Int = 4, in source: some ByteSource
    ) throws(ClipFault) -> UInt64 {
        if index < first || index >= first + held {
            let count = min(table.count - index, Self.maxBytes / table.width)
            held = 0
            try source.read(
                count * table.width, at: table.start + UInt64(index * table.width), into: &buffer)
            first = index
            held = count
        }
        return buffer.bigEndian(at: (index - first) * table.width + offset, bytes: bytes)
    }
}
