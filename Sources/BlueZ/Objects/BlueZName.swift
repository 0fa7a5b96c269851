/// BlueZ's own D-Bus names (doc/*-api.txt of BlueZ).
package enum BlueZName {
    package static let service = "org.bluez"
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    package static let gattService = "org.bluez.GattService1"
    package static let characteristic = "org.bluez.GattCharacteristic1"
    package static let agentManager = "org.bluez.AgentManager1"
    package static let agent = "org.bluez.Agent1"
    /// Where the agent manager is.
    package static let root = "/org/bluez"
}
