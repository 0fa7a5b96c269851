/// Boxes of MP4 as they are written: big-endian, each with its size in front.
struct BoxBytes {
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - version: for boxes that begin with version and flags; nil for those that do not.
    mutating func box(_ name: String, version: UInt8? = nil, _ build: (inout BoxBytes) -> Void) {
        var inner = BoxBytes()
        if let version { inner.number(UInt32(version) << 24) }
        build(&inner)
        number(UInt32(inner.bytes.count + 8))
        append(name)
        bytes.append(contentsOf: inner.bytes)
    }

    mutating func number(_ value: UInt32) {
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
        }
    }

    mutating func long(_ value: UInt64) {
        number(UInt32(truncatingIfNeeded: value >> 32))
        number(UInt32(truncatingIfNeeded: value))
    }

    mutating func short(_ value: UInt16) {
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: [UInt8](repeating: 0, count: count))
    }
}
