/// BlueZ's own D-Bus names (doc/*-api.txt of BlueZ).
package enum BlueZName {
    /// The bus name of bluetoothd.
    package static let service = "org.bluez"
    /// The interface of an adapter.
    package static let adapter = "org.bluez.Adapter1"
    /// The interface of a device.
    package static let device = "org.bluez.Device1"
    /// The interface of a GATT service.
    package static let gattService = "org.bluez.GattService1"
    /// The interface of a GATT characteristic.
    package static let characteristic = "org.bluez.GattCharacteristic1"
    /// The interface where agents register.
    package static let agentManager = "org.bluez.AgentManager1"
    /// The interface that an agent serves.
    package static let agent = "org.bluez.Agent1"
    /// Where the agent manager is.
    package static let root = "/org/bluez"
}
