import OsmoProtocol

/// org.bluez.GattCharacteristic1: one of the two through which cameras are driven.
struct CharacteristicObject {
    /// Which of the two it is.
    enum Role { case notify, write }

    let path: String
    let role: Role
    /// Its service's path.
    let service: String
    /// "notify", "write", "write-without-response" and so on.
    var flags: Set<String> = []
    /// Of the link; nil where BlueZ is too old to say (before 5.62).
    var mtu: Int?

    private static let maxFlags = 32

    /// nil for any other characteristic.
    init?(path: String, properties: inout MessageReader) {
        var role: Role?
        var service: String?
        var flags: Set<String> = []
        var mtu: Int?
        properties.properties { name, value in
            switch name {
            case "UUID":
                switch value.string() {
                case GATTProfile.notifyCharacteristic: role = .notify
                case GATTProfile.writeCharacteristic: role = .write
                default: break
                }
            case "Service": service = value.objectPath()
            case "Flags": flags = Set((value.strings() ?? []).prefix(Self.maxFlags))
            case "MTU": mtu = value.uint16().map(Int.init)
            default: break
            }
        }
        guard let role, let service else { return nil }
        self.path = path
        self.role = role
        self.service = service
        self.flags = flags
        self.mtu = mtu
    }

    /// Takes over what an `a{sv}` says.
    ///
    /// - Returns: a new value, which is how notifications arrive.
    mutating func update(_ properties: inout MessageReader) -> [UInt8]? {
        var notification: [UInt8]?
        properties.properties { name, value in
            switch name {
            case "Value": notification = value.bytes()
            case "MTU": mtu = value.uint16().map(Int.init) ?? mtu
            default: break
            }
        }
        return notification
    }
}
