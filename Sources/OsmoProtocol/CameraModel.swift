/// A camera model that speaks R SDK, known by its `device_id` in 0019 or its advertised model byte
/// (protocol 1.1).
package enum CameraModel: Hashable, Sendable, CustomStringConvertible {
    case action4
    case action5Pro
    case action6
    case osmo360
    /// A model that this table does not know yet; `deviceID` as the camera states it, or the model
    /// bytes of its advertisement while nothing better is known.
    case other(UInt16)

    /// The table of protocol 1.1: low 16 bits of device_id.
    package init(deviceID: UInt32) {
        switch deviceID {
        case 0xFF33: self = .action4
        case 0xFF44: self = .action5Pro
        case 0xFF55: self = .action6
        case 0xFF66: self = .osmo360
        default: self = .other(UInt16(truncatingIfNeeded: deviceID))
        }
    }

    /// Osmo Action 4, Osmo Action 5 Pro, Osmo Action 6, Osmo 360, else 0xNNNN.
    package var description: String {
        switch self {
        case .action4: return "Osmo Action 4"
        case .action5Pro: return "Osmo Action 5 Pro"
        case .action6: return "Osmo Action 6"
        case .osmo360: return "Osmo 360"
        case .other(let identifier):
            let digits = String(identifier, radix: 16, uppercase: true)
            return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
