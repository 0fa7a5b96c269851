/// A Bluetooth device address: six octets, written first octet first, `60:60:1F:60:11:E7`.
///
/// It and its conformances are usable from inlined code, because it is compared at every
/// notification and push.
@usableFromInline
package struct BluetoothAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The octets as one number, the first octet in bits 47 to 40.
    @usableFromInline package let value: UInt64

    /// - Parameter value: only its low 48 bits count.
    package init(value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }

    /// - Parameter octets: exactly six, first octet first; nil otherwise.
    package init?(octets: some Collection<UInt8>) {
        guard octets.count == 6 else { return nil }
        value = octets.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads `AA:BB:CC:DD:EE:FF` in either case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        var value: UInt64 = 0
        var count = 0
        for (index, byte) in text.utf8.enumerated() {
            guard index < 17 else { return nil }
            if index % 3 == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
                continue
            }
            guard let digit = hexadecimalDigit(byte) else { return nil }
            value = value << 4 | UInt64(digit)
            count += 1
        }
        guard count == 12 else { return nil }
        self.value = value
    }

    /// First octet first.
    package var octets: [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(40 - 8 * $0)) }
    }

    /// `60:60:1F:60:11:E7`: capitals, first octet first.
    @usableFromInline package var description: String {
        octets.map { [$0].hexadecimal }.joined(separator: ":")
    }

    /// Orders by the octets, the first one first.
    @inlinable package static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
        left.value < right.value
    }
}
