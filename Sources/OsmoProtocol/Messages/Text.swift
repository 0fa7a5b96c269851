/// The text of a zero-padded field, up to its first zero. Bytes that are not printable ASCII become
/// question marks, so that a damaged or hostile text cannot upset a terminal or a log.
func text(_ field: ArraySlice<UInt8>) -> String {
    let bytes = field.prefix { $0 != 0 }.map { byte -> UInt8 in
        (0x20...0x7E).contains(byte) ? byte : UInt8(ascii: "?")
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// Appends a text's first `width` bytes, zero padded to `width`.
func append(_ text: String, padded width: Int, to bytes: inout [UInt8]) {
    let characters = text.utf8.prefix(width)
    bytes.append(contentsOf: characters)
    bytes.append(contentsOf: repeatElement(0, count: width - characters.count))
}
