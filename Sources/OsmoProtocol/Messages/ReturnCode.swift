/// How a camera answers a command (protocol 3). Success means only that the command was accepted;
/// the status push (1D02) shows whether it was carried out.
package struct ReturnCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The byte as it stands in the frame. What has no name below counts as a failure.
    package var rawValue: UInt8
    /// Any byte makes a return code, known or not.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// 00: the command was accepted.
    package static let success = ReturnCode(rawValue: 0x00)
    /// 01: the camera could not read the command.
    package static let parseError = ReturnCode(rawValue: 0x01)
    /// 02: the camera read the command and could not or would not do it.
    package static let failed = ReturnCode(rawValue: 0x02)
    /// FF: the camera gives no reason.
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
