import OsmoProtocol

/// org.bluez.Device1: a device that BlueZ hears, holds or remembers.
struct DeviceObject {
    let path: String
    let address: BluetoothAddress
    /// The adapter's path.
    let adapter: String
    /// As advertised; it may come later than the first advertisement, or never.
    var name: String?
    /// dBm; nil once BlueZ takes it back, as it does when a scan ends.
    var rssi: Int?
    var connected = false
    var servicesResolved = false
    var trusted = false
    var advertisement = CameraAdvertisement.notACamera
    /// It has the cameras' service, as BlueZ remembers when it has forgotten the advertisement.
    var hasCameraService = false

    /// Names longer than this are cut: they are for display only.
    static let maxNameLength = 64

    /// Worth telling of: a DJI camera, supported or not.
    var isCamera: Bool { advertisement != .notACamera || hasCameraService }

    /// nil where the properties hold no address or no adapter.
    init?(path: String, properties: inout MessageReader) {
        var address: BluetoothAddress?
        var adapter: String?
        var copy = properties
        copy.properties { name, value in
            switch name {
            case "Address": address = value.string().flatMap { BluetoothAddress($0) }
            case "Adapter": adapter = value.objectPath()
            default: break
            }
        }
        guard let address, let adapter else { return nil }
        self.path = path
        self.address = address
        self.adapter = adapter
        update(&properties)
    }

    /// Takes over what an `a{sv}` says; what is of another type than documented is passed over.
    ///
    /// - Returns: whether the device was heard, which BlueZ tells by its signal strength or data.
    @discardableResult
    mutating func update(_ properties: inout MessageReader) -> Bool {
        var isHeard = false
        let wasConnected = connected
        var resolved: Bool?
        properties.properties { name, value in
            switch name {
            case "Name":
                self.name =
                    value.string().map { String($0.prefix(Self.maxNameLength)) } ?? self.name
            case "RSSI":
                guard let strength = value.int16() else { return }
                rssi = Int(strength)
                isHeard = true
            case "Connected": connected = value.bool() ?? connected
            case "ServicesResolved": resolved = value.bool()
            case "Trusted": trusted = value.bool() ?? trusted
            case "UUIDs":
                let services = value.strings()
                hasCameraService = services?.contains(GATTProfile.service) ?? hasCameraService
            case "ManufacturerData":
                guard let data = Self.cameraData(&value) else { return }
                advertisement = CameraAdvertisement(
                    companyID: CameraAdvertisement.companyID, data: data)
                isHeard = true
            default: break
            }
        }
        // A link that ended takes its services with it, whether or not BlueZ says so.
        if wasConnected, !connected { servicesResolved = false }
        if let resolved { servicesResolved = resolved }
        return isHeard
    }

    /// Forgets what BlueZ takes back.
    mutating func invalidate(_ names: [String]) {
        if names.contains("RSSI") { rssi = nil }
    }

    /// The cameras' entry of an `a{qv}`.
    private static func cameraData(_ value: inout MessageReader) -> [UInt8]? {
        var found: [UInt8]?
        value.dictionary { entry in
            guard entry.uint16() == CameraAdvertisement.companyID, var data = entry.variant()
            else { return }
            found = data.bytes()
        }
        return found
    }
}
