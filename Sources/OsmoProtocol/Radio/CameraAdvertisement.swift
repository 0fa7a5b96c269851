/// What the manufacturer data of an advertisement says about its sender (protocol 1.1).
///
/// | offset | with company id removed | field |
/// | --- | --- | --- |
/// | 0 | | company 0x08AA, `AA 08` |
/// | 2 | 0 | u16 model |
/// | 4 | 2 | FA where R SDK is spoken |
/// | 5 | 3 | address, first octet first |
/// | 11 | 9 | more on some models |
package enum CameraAdvertisement: Equatable, Sendable {
    /// A camera that speaks R SDK (the FA flag is set), whether its model byte is known or not.
    case supported(CameraModel)
    /// A DJI camera that does not speak R SDK, with its name for people.
    case unsupported(String)
    /// A device that is no camera of DJI's, or sends too few bytes to tell.
    case notACamera

    /// SZ DJI Technology.
    package static let companyID: UInt16 = 0x08AA
    /// The byte that means R SDK.
    package static let supportFlag: UInt8 = 0xFA

    /// - Parameter manufacturerData: as it is on the air, the company id in front.
    package init(manufacturerData: [UInt8]) {
        guard manufacturerData.count >= 2 else {
            self = .notACamera
            return
        }
        self.init(
            companyID: manufacturerData.littleEndian16(at: 0),
            data: Array(manufacturerData.dropFirst(2)))
    }

    /// - Parameters:
    ///   - companyID: the key of BlueZ's ManufacturerData.
    ///   - data: its value, without the company id.
    package init(companyID: UInt16, data: [UInt8]) {
        guard companyID == Self.companyID, data.count >= 3 else {
            self = .notACamera
            return
        }
        let model = data.littleEndian16(at: 0)
        if data[2] == Self.supportFlag {
            self = .supported(Self.model(model))
        } else if let name = Self.unsupportedName(model) {
            self = .unsupported(name)
        } else {
            // DJI's drones, gimbals and microphones use the same company id.
            self = .notACamera
        }
    }

    /// The address that a camera's advertisement repeats; nil where it has none.
    ///
    /// - Parameter data: without the company id.
    package static func address(in data: [UInt8]) -> BluetoothAddress? {
        guard data.count >= 9, data[2] == supportFlag else { return nil }
        return BluetoothAddress(octets: data[3..<9])
    }

    /// What a camera of this model puts after the company id.
    package static func data(model: CameraModel, address: BluetoothAddress) -> [UInt8] {
        var data: [UInt8] = []
        data.append(littleEndian: modelNumber(model))
        data.append(supportFlag)
        data.append(contentsOf: address.octets)
        if model == .action5Pro { data.append(0) }
        return data
    }

    /// The same with the company id in front.
    package static func manufacturerData(model: CameraModel, address: BluetoothAddress) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: companyID)
        return bytes + data(model: model, address: address)
    }

    private static func model(_ number: UInt16) -> CameraModel {
        switch number {
        case 0x14: .action4
        case 0x15: .action5Pro
        case 0x17: .osmo360
        case 0x18: .action6
        default: .other(number)
        }
    }

    private static func modelNumber(_ model: CameraModel) -> UInt16 {
        switch model {
        case .action4: 0x14
        case .action5Pro: 0x15
        case .osmo360: 0x17
        case .action6: 0x18
        case .other(let number): number
        }
    }

    /// Cameras that are known to advertise without the flag. Units of other brands share the model
    /// bytes of supported ones but lack R SDK.
    private static func unsupportedName(_ number: UInt16) -> String? {
        switch number {
        case 0x10: "DJI Action 2"
        case 0x12: "Osmo Action 3"
        case 0x14, 0x15, 0x17, 0x18: model(number).description + " without R SDK"
        case 0x19: "Osmo Nano"
        case 0x20: "Osmo Pocket 3"
        case 0x21: "Osmo Pocket 4"
        case 0x22: "Osmo Pocket 4 Pro"
        default: nil
        }
    }
}
