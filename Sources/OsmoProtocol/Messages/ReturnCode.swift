/// How a camera took a command (protocol 3). Accepted is not done: 1D02 tells.
package struct ReturnCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let success = ReturnCode(rawValue: 0x00)
    package static let parseError = ReturnCode(rawValue: 0x01)
    package static let failed = ReturnCode(rawValue: 0x02)
    package static let undefined = ReturnCode(rawValue: 0xFF)

    /// In words, for people; 0xNN where there is none.
    package var description: String {
        switch self {
        case .success: "success"
        case .parseError: "parse error"
        case .failed: "execution failed"
        case .undefined: "undefined"
        default: hexadecimalWord(rawValue)
        }
    }
}
