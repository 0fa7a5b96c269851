import OsmoProtocol

/// org.bluez.Adapter1: a Bluetooth adapter.
struct AdapterObject {
    let path: String
    let address: BluetoothAddress
    var powered = false
    var discovering = false
    /// rfkill holds it, where BlueZ is new enough to say so (PowerState, 5.66 on).
    var blocked = false

    /// nil where the properties hold no address.
    init?(path: String, properties: inout MessageReader) {
        var found: BluetoothAddress?
        var copy = properties
        copy.properties { name, value in
            if name == "Address" { found = value.string().flatMap { BluetoothAddress($0) } }
        }
        guard let found else { return nil }
        self.path = path
        address = found
        update(&properties)
    }

    /// The kernel's name of the moment: hci0.
    var name: String { String(path.split(separator: "/").last ?? "") }

    /// Takes over what an `a{sv}` says; what is of another type than documented is passed over.
    mutating func update(_ properties: inout MessageReader) {
        properties.properties { name, value in
            switch name {
            case "Powered": powered = value.bool() ?? powered
            case "Discovering": discovering = value.bool() ?? discovering
            case "PowerState": blocked = value.string().map { $0 == "off-blocked" } ?? blocked
            default: break
            }
        }
    }
}
