package import OsmoProtocol

/// A camera by way of an adapter. Adapters are known by address: hciN changes with every plug.
package struct BlueZLink: Hashable, Sendable {
    package var camera: BluetoothAddress
    package var adapter: BluetoothAddress

    package init(camera: BluetoothAddress, adapter: BluetoothAddress) {
        self.camera = camera
        self.adapter = adapter
    }
}

/// What `BlueZRadio` tells.
package enum BlueZEvent: Equatable, Sendable {
    /// bluetoothd is there, or not; on false every adapter and link is gone without further events.
    case available(Bool)
    case adapter(BlueZAdapter)
    case adapterGone(BluetoothAddress)
    /// A camera was heard, or found connected; at most one a second a link.
    case sighting(BlueZSighting)
    /// Ends a `connect`, exactly once.
    case connectEnded(BlueZLink, ConnectResult)
    case linkOpen(BlueZLink, OpenLink)
    /// Connected, but not usable; stays so until `disconnect`.
    case setupFailed(BlueZLink, SetupError)
    /// Once for each link that was told as connected or open.
    case linkClosed(BlueZLink)
    case notification(BlueZLink, [UInt8])
    /// bluetoothd refused a frame that it was called with.
    case frameDropped(BlueZLink, frame: [UInt8])
}

/// An adapter as BlueZ shows it.
package struct BlueZAdapter: Equatable, Sendable {
    package var address: BluetoothAddress
    /// The kernel's name of the moment: hci0.
    package var name: String
    package var powered: Bool
    package var discovering: Bool
    /// rfkill holds it, where BlueZ says so.
    package var blocked: Bool
}

/// A camera, supported or not, that an adapter heard.
package struct BlueZSighting: Equatable, Sendable {
    package var link: BlueZLink
    /// `notACamera` for a camera whose advertisement BlueZ has forgotten, but not its services.
    package var advertisement: CameraAdvertisement
    package var name: String?
    /// dBm; nil where BlueZ has none.
    package var rssi: Int?
    /// BlueZ holds a link to it.
    package var connected: Bool
}

/// Why a connected camera cannot be used.
package enum SetupError: Equatable, Sendable {
    /// Services resolved, but FFF4 and FFF5 are not among them.
    case noCharacteristics
    /// StartNotify failed, with BlueZ's words.
    case notify(String)
    /// There is no way to write, with BlueZ's words.
    case write(String)
    /// The MTU is too small for a GPS push.
    case mtu(Int)
}

/// What an open link can do.
package struct OpenLink: Equatable, Sendable {
    /// ATT MTU, bytes.
    package var mtu: Int
    /// Writes go to an acquired descriptor, not by WriteValue calls.
    package var hasDescriptor: Bool

    package init(mtu: Int, hasDescriptor: Bool) {
        self.mtu = mtu
        self.hasDescriptor = hasDescriptor
    }
}
