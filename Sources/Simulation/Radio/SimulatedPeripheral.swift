package import Clock
package import OsmoProtocol
import RadioPort

/// Something that can be heard in the air, and what the radio knows of its link.
package struct SimulatedPeripheral: Sendable {
    /// Where the link stands, as bluetoothd sees it.
    enum Phase: Equatable, Sendable {
        /// Connected; services and notifications are being set up.
        case settingUp
        case open
        /// Disconnect was asked for, or the link is lost; its end has not been told yet.
        case closing
    }

    struct Link: Equatable, Sendable {
        var adapter: Int
        var phase: Phase
        /// The link is left over from an earlier run: BlueZ holds it and nobody uses it.
        var isLeftBehind = false
    }

    /// A Connect that has not ended.
    struct Attempt: Equatable, Sendable {
        var adapter: Int
        /// The link layer has found the camera, and the connection is being made.
        var isMeeting: Bool
    }

    /// The camera itself, with its side of the link.
    package internal(set) var camera: SimulatedCamera
    /// What its manufacturer data says.
    package let advertisement: CameraAdvertisement
    /// Whether it advertises, and how.
    package internal(set) var advertising = Advertising.on
    /// Near enough to be heard and reached.
    package internal(set) var isInRange = true
    /// Heard, but never answering a connection request.
    package internal(set) var isDeaf = false
    /// Connections that are not established (0x3E), percent.
    package internal(set) var refusedPercent = 0
    /// Until this instant nothing gets through on the link; nil where it is not stalled.
    package internal(set) var stalledUntil: Instant?
    /// While the link is stalled, what the camera sends still gets through.
    package internal(set) var isStalledOneWay = false
    /// dBm, at the first adapter.
    package var rssi = -60

    /// Attempts that failed by the radio's own faults, not by the camera's or the fleet's.
    package internal(set) var mishaps = 0

    var link: Link?
    var attempt: Attempt?
    /// Counts attempts and links, so that a task of an older one can be told from the present
    /// one's.
    var generation = 0
    /// The adapters at which the device is trusted, so that bluetoothd keeps it: a bit each.
    var trusted: UInt64 = 0
    /// Until when bluetoothd keeps the untrusted device, for each adapter.
    var knownUntil: [Instant]
    /// The adapters that are about to report the camera's advertisement: a bit each.
    var sighting: UInt64 = 0
    /// Writes and notifications that wait for the stall to end.
    var heldWrites: [[UInt8]] = []
    var heldNotifications: [[UInt8]] = []
    /// Whether frames are written to a descriptor or by WriteValue calls.
    var path = LinkParameters.WritePath.descriptor
    /// Until this instant the link takes no frame: a WriteValue is under way, or a buffer is full.
    var busyUntil = Instant.zero
    /// The camera's own next deadline.
    var deadline = Instant.never

    init(_ camera: SimulatedCamera, advertisement: CameraAdvertisement, adapters: Int) {
        self.camera = camera
        self.advertisement = advertisement
        knownUntil = Array(repeating: .zero, count: adapters)
        deadline = camera.nextDeadline ?? .never
    }

    var address: BluetoothAddress { camera.address }
    /// The link is open and frames pass.
    package var isOpen: Bool { link?.phase == .open }

    /// Grows with each link and each handshake: pauses are judged within one of them.
    var streamNumber: Int { generation + camera.handshakes }

    func isKnown(_ adapter: Int, at now: Instant) -> Bool {
        trusted & (1 << UInt64(adapter)) != 0 || now <= knownUntil[adapter]
            || link?.adapter == adapter
    }
}

/// An adapter, as the kernel and bluetoothd see it.
package struct SimulatedAdapter: Sendable {
    /// The adapter's own public address: what a camera sees of us.
    package let address: BluetoothAddress
    /// The number N in the kernel's name `hciN`, which changes when the adapter is plugged in
    /// again.
    package internal(set) var number: Int
    /// It is plugged in.
    package internal(set) var isPresent = true
    /// BlueZ's property `Powered`.
    package internal(set) var isPowered = true
    /// rfkill blocks it: it cannot be powered until that ends.
    package internal(set) var isBlocked = false
    /// BlueZ scans with it.
    package internal(set) var isDiscovering = false
    /// The links that its controller has room for.
    package internal(set) var maxLinks = 16
    /// The peripheral that a Connect is under way to; nil where there is none.
    var connecting: Int?

    var state: AdapterState {
        AdapterState(
            address: address, name: "hci\(number)", powered: isPowered,
            discovering: isDiscovering, blocked: isBlocked)
    }

    var isUsable: Bool { isPresent && isPowered && !isBlocked }
}
