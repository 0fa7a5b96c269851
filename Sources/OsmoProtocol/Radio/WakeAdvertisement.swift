/// The broadcast that wakes one sleeping camera (protocol 3.9): a legacy connectable advertisement
/// whose payload is these eleven bytes and nothing else.
///
/// | offset | field |
/// | --- | --- |
/// | 0 | 0A, length |
/// | 1 | FF, manufacturer specific |
/// | 2 | `57 4B 50`, "WKP" |
/// | 5 | the camera's address, last octet first |
package enum WakeAdvertisement {
    /// The company id that BlueZ reads in the letters "WK": the key of ManufacturerData.
    package static let companyID: UInt16 = 0x4B57

    /// The whole advertising payload.
    package static func payload(for camera: BluetoothAddress) -> [UInt8] {
        [0x0A, 0xFF, 0x57, 0x4B] + companyData(for: camera)
    }

    /// The value that BlueZ's ManufacturerData wants beside `companyID`.
    package static func companyData(for camera: BluetoothAddress) -> [UInt8] {
        [0x50] + camera.octets.reversed()
    }

    /// The address of the camera that a payload wakes; nil for any other advertisement. Real
    /// cameras want exactly these bytes.
    package static func target(of payload: [UInt8]) -> BluetoothAddress? {
        guard payload.count == 11, payload.starts(with: [0x0A, 0xFF, 0x57, 0x4B, 0x50]) else {
            return nil
        }
        return BluetoothAddress(octets: payload[5...].reversed())
    }
}
