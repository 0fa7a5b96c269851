package import OsmoProtocol

/// One camera by way of one adapter: what a link is known by, whether it stands or not.
///
/// Adapters are known by address, since hciN changes with every plug (field note D12).
@usableFromInline package struct LinkID: Hashable, Sendable {
    package var camera: BluetoothAddress
    /// The adapter that holds the link.
    package var adapter: BluetoothAddress

    /// A link, which need not exist.
    package init(camera: BluetoothAddress, adapter: BluetoothAddress) {
        self.camera = camera
        self.adapter = adapter
    }
}

/// What the fleet asks of the radio: BlueZ in the daemon, virtual air in the simulation.
///
/// No request answers at once; what comes of it comes as `RadioEvent`s. A request that makes no
/// sense any more (an adapter that is gone) is dropped without a word: the event that says why is
/// under way.
package enum RadioRequest: Equatable, Sendable {
    /// Turn the adapter on (Adapter1.Powered = true).
    case powerOn(adapter: BluetoothAddress)
    /// Turn it off (Powered = false), once and only where it holds no link: the last resort when
    /// it has gone deaf (field notes D5, D16). The fleet turns it on again.
    case powerOff(adapter: BluetoothAddress)
    /// Scan for cameras, with a filter for LE. Starting twice is no error.
    case startDiscovery(adapter: BluetoothAddress)
    case stopDiscovery(adapter: BluetoothAddress)
    /// Device1.Connect, sent once a `stopDiscovery` still out on that adapter is answered; ends with
    /// exactly one `connectEnded`, and after an `ok` the radio goes on by itself: services,
    /// characteristics, notifications, write descriptor, then `linkOpen`.
    case connect(LinkID)
    /// Device1.Disconnect: ends a link, a link being set up, or a pending Connect. A Connect that it
    /// ends still gets its `connectEnded`.
    case disconnect(LinkID)
    /// Keep the device for good (Trusted = true): BlueZ forgets others after 30 s.
    case trust(LinkID)
    /// Adapter1.RemoveDevice: the device and its cached services.
    case remove(LinkID)
    /// One whole frame to FFF5 of an open link, never queued here.
    case write(LinkID, frame: [UInt8])
    /// Broadcast the wake advertisement for that camera (protocol 3.9) from that adapter for about
    /// 2 s; ends with exactly one `wakeEnded`.
    case wake(LinkID)
}

/// What the radio reports to the fleet.
package enum RadioEvent: Equatable, Sendable {
    /// bluetoothd and the bus are there (true) or not. On false all adapters and links are gone.
    case available(Bool)
    /// An adapter appeared or changed.
    case adapter(AdapterState)
    /// An adapter appeared with the address of one that is in use (`inUse`, both as BlueZ names them):
    /// it is left alone until that one goes.
    case adapterIgnored(BluetoothAddress, name: String, inUse: String)
    /// Its links and pending Connects are over with it, whether or not their events still come.
    case adapterGone(BluetoothAddress)
    /// A camera was heard, or BlueZ knows it; at most one a second a camera and adapter.
    case sighting(Sighting)
    case connectEnded(LinkID, ConnectOutcome)
    /// Notifications are on and frames can be written.
    case linkOpen(LinkID, LinkParameters)
    /// The link could not be set up although connected. The fleet disconnects it.
    case setupFailed(LinkID, SetupFailure)
    /// The link is down, whatever its state was. Comes once for each `connectEnded(.ok)`.
    case linkClosed(LinkID)
    /// One notification of FFF4.
    case notification(LinkID, [UInt8])
    /// A frame, of `write` or of a push, was not taken: EAGAIN, EPIPE, or a WriteValue still in
    /// flight. Counted, not retried here; the frame tells the session what it was.
    case frameDropped(LinkID, frame: [UInt8])
    /// The wake broadcast is over, or never began.
    case wakeEnded(LinkID, WakeOutcome)
}

/// How a wake broadcast ended. Whether the camera woke its advertisement alone shows.
package enum WakeOutcome: Equatable, Sendable {
    /// It was on the air for as long as it takes.
    case sent
    /// This radio cannot do it, with the reason as a sentence.
    case unsupported(String)
    /// It could, but not now, with the reason.
    case failed(String)
}

/// An adapter as BlueZ shows it.
package struct AdapterState: Equatable, Sendable {
    /// Its Bluetooth address.
    package var address: BluetoothAddress
    /// The kernel's name of the moment, hci0: for people only.
    package var name: String
    /// Whether it is turned on.
    package var powered: Bool
    /// Whether somebody scans by it, another program included.
    package var discovering: Bool
    /// rfkill holds it (PowerState off-blocked), where BlueZ says so.
    package var blocked: Bool

    /// An adapter as BlueZ tells it.
    package init(
        address: BluetoothAddress, name: String, powered: Bool, discovering: Bool = false,
        blocked: Bool = false
    ) {
        self.address = address
        self.name = name
        self.powered = powered
        self.discovering = discovering
        self.blocked = blocked
    }
}

/// A camera heard by an adapter.
package struct Sighting: Equatable, Sendable {
    /// Who was heard, by which adapter.
    package var link: LinkID
    /// What the manufacturer data says it is.
    package var advertisement: CameraAdvertisement
    /// The advertised name, for display only (protocol 1.1): the user may change it.
    package var name: String?
    /// Received signal strength, dBm; nil where BlueZ has none (not heard in this scan, field D15).
    package var rssi: Int?
    /// BlueZ holds a link to it: left over by an earlier run, or made by somebody else.
    package var connected: Bool

    /// One advertisement.
    package init(
        link: LinkID, advertisement: CameraAdvertisement, name: String? = nil, rssi: Int? = nil,
        connected: Bool = false
    ) {
        self.link = link
        self.advertisement = advertisement
        self.name = name
        self.rssi = rssi
        self.connected = connected
    }
}

/// How Device1.Connect ended (field notes D1 to D7, D14).
package enum ConnectOutcome: Equatable, Sendable {
    case ok
    /// org.bluez.Error.InProgress, or "Operation already in progress".
    case inProgress
    /// The adapter is off.
    case notReady
    /// BlueZ does not know the device (any more): scan again.
    case unknownDevice
    /// le-connection-abort-by-local, br-connection-canceled: transient.
    case aborted
    /// Limited resources, connection limit: the adapter is full.
    case adapterFull
    /// The bus gave up waiting; a late success may follow as a link that opens (field D14).
    case noReply
    /// The bus or bluetoothd refuses us: AccessDenied.
    case denied
    /// Anything else, with BlueZ's own text.
    case failed(String)
}

/// Why a connected device could not be used.
package enum SetupFailure: Equatable, Sendable {
    /// Services resolved, FFF0 with FFF4 and FFF5 not among them after 2 s of grace (field D4, D9).
    case noCharacteristics
    /// StartNotify failed, with BlueZ's text.
    case notify(String)
    /// Neither AcquireWrite nor WriteValue is to be had.
    case write(String)
    /// The negotiated MTU cannot carry a GPS frame (66 + 3 bytes).
    case mtu(Int)
}

/// What an open link can do.
@usableFromInline package struct LinkParameters: Equatable, Sendable {
    @usableFromInline package enum WritePath: String, Sendable {
        /// An acquired descriptor.
        case descriptor = "fd"
        /// WriteValue calls.
        case call
    }

    /// ATT MTU in bytes; a frame may be 3 bytes shorter.
    package var mtu: Int
    /// How frames are written.
    package var path: WritePath

    /// A link's parameters as the radio found them.
    package init(mtu: Int, path: WritePath) {
        self.mtu = mtu
        self.path = path
    }
}
