/// A message of Protocol Buffers as it is written. What is 0 or empty is left out, as proto3 has
/// it.
struct WireBytes {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ number: Int, _ value: UInt64) {
        guard value != 0 else { return }
        key(number, kind: 0)
        append(value)
    }

    /// Ten bytes where it is negative.
    mutating func signed(_ number: Int, _ value: Int32) {
        varint(number, UInt64(bitPattern: Int64(value)))
    }

    mutating func float(_ number: Int, _ value: Float) {
        guard value != 0 else { return }
        key(number, kind: 5)
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift)))
        }
    }

    mutating func double(_ number: Int, _ value: Double) {
        guard value != 0 else { return }
        key(number, kind: 1)
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
        }
    }

    mutating func text(_ number: Int, _ text: String) {
        guard !text.isEmpty else { return }
        key(number, kind: 2)
        append(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// A message within, also an empty one.
    mutating func message(_ number: Int, _ build: (inout WireBytes) -> Void) {
        var inner = WireBytes()
        build(&inner)
        key(number, kind: 2)
        append(UInt64(inner.bytes.count))
        bytes.append(contentsOf: inner.bytes)
    }

    private mutating func key(_ number: Int, kind: UInt64) { append(UInt64(number) << 3 | kind) }

    private mutating func append(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
