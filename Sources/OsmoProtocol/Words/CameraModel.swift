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
            return "0x"
                + [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)].hexadecimal
        }
    }

    /// The low 16 bits of its device_id.
    package var deviceID: UInt32 {
        switch self {
        case .action4: 0xFF33
        case .action5Pro: 0xFF44
        case .action6: 0xFF55
        case .osmo360: 0xFF66
        case .other(let identifier): UInt32(identifier)
        }
    }

    /// How a camera of this model is named in a roster, before two octets of its address.
    package var namePrefix: String {
        switch self {
        case .action4: "action4-"
        case .action5Pro: "action5pro-"
        case .action6: "action6-"
        case .osmo360: "osmo360-"
        case .other: "camera-"
        }
    }

    /// The name for a roster: `action4-11e7`.
    package func proposedName(address: BluetoothAddress) -> String {
        namePrefix + address.octets.suffix(2).hexadecimal.lowercased()
    }
}
