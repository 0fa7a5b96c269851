/// The GATT service through which cameras are driven (protocol 1.2), as BlueZ writes UUIDs.
package enum GATTProfile {
    /// The service that holds both characteristics.
    package static let service = "0000fff0-0000-1000-8000-00805f9b34fb"
    /// Camera to us: notifications.
    package static let notifyCharacteristic = "0000fff4-0000-1000-8000-00805f9b34fb"
    /// Us to camera: writes.
    package static let writeCharacteristic = "0000fff5-0000-1000-8000-00805f9b34fb"

    /// What an ATT write has in front of its value.
    package static let writeOverhead = 3
    /// The smallest MTU that carries a GPS push in one write. Frames are never fragmented: cameras
    /// reject the pieces.
    package static let minimumMTU = GPSPush.frameLength + writeOverhead
}
