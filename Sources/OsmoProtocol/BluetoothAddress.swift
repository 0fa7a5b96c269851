/// A Bluetooth device address: six octets, written first octet first, `60:60:1F:60:11:E7`.
package struct BluetoothAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The octets as one number, the first octet in bits 47 to 40.
    package let value: UInt64

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
            guard let digit = Self.digit(byte) else { return nil }
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

    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(17)
        for (index, octet) in octets.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ":")) }
            text.append(Self.hexadecimal[Int(octet >> 4)])
            text.append(Self.hexadecimal[Int(octet & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
        left.value < right.value
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
