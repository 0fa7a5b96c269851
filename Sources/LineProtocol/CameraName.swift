/// What a camera may be called (contract 3.2): 1 to 32 of `A-Za-z0-9._-`, none of the words that
/// mean something else where a camera may stand, and not digits only, since those are numbers.
package enum CameraName {
    /// What no camera may be called.
    package static let reserved = ["all", "force"]

    /// In characters, each of one byte.
    package static let maxLength = 32

    /// Whether a camera may be given this name.
    package static func isValid(_ name: some StringProtocol) -> Bool {
        let bytes = name.utf8
        guard (1...maxLength).contains(bytes.count), !reserved.contains(String(name)) else {
            return false
        }
        return bytes.allSatisfy(isNameByte) && !bytes.allSatisfy(isDigit)
    }

    /// Whether a place may be given this name: as a camera's, and it may be digits.
    package static func isPlace(_ name: some StringProtocol) -> Bool {
        (1...maxLength).contains(name.utf8.count) && name.utf8.allSatisfy(isNameByte)
            && name != "-"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
