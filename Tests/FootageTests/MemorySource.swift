@testable import Footage

/// A clip that lies in memory.
struct MemorySource: ByteSource {
    var bytes: [UInt8]

    var size: UInt64 { UInt64(bytes.count) }

    func read(_ count: Int, at offset: UInt64, into buffer: inout [UInt8]) throws(ClipFault) {
        guard count >= 0, offset <= size, UInt64(count) <= size - offset else { throw .cut }
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: bytes[Int(offset)..<Int(offset) + count])
    }
}
