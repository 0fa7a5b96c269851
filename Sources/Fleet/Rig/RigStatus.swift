package import Clock
import LineProtocol
package import Navigation
package import OsmoProtocol
package import RadioPort

/// What `status` shows of the rig at one instant. nil is unknown.
package struct RigStatus: Equatable, Sendable {
    package var gps: GPSStatus
    package var push: PushStatus
    /// The roster in order, then at most 32 strangers in range.
    package var cameras: [CameraSummary]
    package var adapters: [AdapterSummary]

    package init(
        gps: GPSStatus, push: PushStatus, cameras: [CameraSummary], adapters: [AdapterSummary]
    ) {
        self.gps = gps
        self.push = push
        self.cameras = cameras
        self.adapters = adapters
    }
}

/// The receiver's side.
package struct GPSStatus: Equatable, Sendable {
    package var state: ReceiverState
    /// The last fix while it is fresh.
    package var fix: Fix?
    package var device: String?
    /// The measured epoch rate.
    package var rateHertz: Double?
    /// Since the last fix's arrival.
    package var age: TimeSpan?
    package var timeTrusted: Bool
    /// Whether positions are carried by a velocity that the receiver did not state.
    package var velocityDerived: Bool

    package init(
        state: ReceiverState, fix: Fix?, device: String?, rateHertz: Double?, age: TimeSpan?,
        timeTrusted: Bool, velocityDerived: Bool = false
    ) {
        self.state = state
        self.fix = fix
        self.device = device
        self.rateHertz = rateHertz
        self.age = age
        self.timeTrusted = timeTrusted
        self.velocityDerived = velocityDerived
    }
}

/// The schedule's counters since start, over all cameras.
package struct PushStatus: Equatable, Sendable {
    /// Ticks a second with a position, measured over 10 s.
    package var rateHertz: Double
    package var targetHertz: Double
    /// Frames with a position handed to a link.
    package var sent: Int
    /// Frames that a link did not take, or that were withheld while paused.
    package var dropped: Int
    /// Void frames handed to a link.
    package var void: Int

    package init(rateHertz: Double, targetHertz: Double, sent: Int, dropped: Int, void: Int) {
        self.rateHertz = rateHertz
        self.targetHertz = targetHertz
        self.sent = sent
        self.dropped = dropped
        self.void = void
    }
}

/// Where a camera stands (contract 4.8).
package enum CameraState: String, Sendable, CaseIterable {
    case listed, absent, connecting, handshake, confirm, ready, asleep, backoff, refused
    case unsupported
}

/// What a camera's GPS stream does.
package enum CameraGPSState: String, Sendable, CaseIterable {
    case pushing, void, paused, off
}

/// One camera.
package struct CameraSummary: Equatable, Sendable {
    package var name: String
    /// nil for strangers.
    package var number: Int?
    package var address: BluetoothAddress
    /// The adapter that holds or last held it.
    package var adapter: BluetoothAddress?
    package var model: CameraModel?
    package var state: CameraState
    package var stateSince: Instant
    /// The last status push of this connection.
    package var status: CameraStatus?
    /// When it came.
    package var statusInstant: Instant?
    /// The last 1D06 texts.
    package var text: StatusText?
    /// Whether status pushes come: `status=ok|none`; nil while not ready.
    package var statusFresh: Bool?
    /// Recording, by status; nil unknown.
    package var recording: Bool?
    /// Seconds recorded, counted on between status pushes.
    package var recordSeconds: Int?
    package var gps: CameraGPSState
    package var pushed: Int
    package var dropped: Int
    package var void: Int
    package var rssi: Int?
    package var product: String?
    package var firmware: String?
    package var reconnects: Int
    /// Why it is where it is, in a few words; nil when all is well.
    package var error: String?
    /// What last went wrong with its link, however well it is now, and when.
    package var lastError: String?
    package var lastErrorInstant: Instant?
    /// Four digits while somebody must tap the camera.
    package var confirmCode: Int?
    /// While asleep: how long waking by broadcast still works.
    package var wakeWindow: TimeSpan?
    package var link: LinkParameters?
    /// Of the last command.
    package var roundTrip: TimeSpan?
    /// Modes that it refused or did not confirm in this session.
    package var refusedModes: [UInt8]
    package var optional: Bool

    package init(name: String, address: BluetoothAddress, state: CameraState, stateSince: Instant) {
        self.name = name
        self.address = address
        self.state = state
        self.stateSince = stateSince
        gps = .off
        pushed = 0
        dropped = 0
        void = 0
        reconnects = 0
        refusedModes = []
        optional = false
    }
}

/// One adapter.
package struct AdapterSummary: Equatable, Sendable {
    package var address: BluetoothAddress
    package var name: String
    package var usable: Bool
    /// Links that stand or are being made.
    package var links: Int
    /// Why it is not used, or that it is full.
    package var error: String?
    /// Whether the configuration allows it.
    package var allowed = true
    package var powered = true
    /// rfkill holds it.
    package var blocked = false

    package init(address: BluetoothAddress, name: String, usable: Bool, links: Int, error: String?)
    {
        self.address = address
        self.name = name
        self.usable = usable
        self.links = links
        self.error = error
    }
}

extension CameraSummary: Targetable {
    package var rosterNumber: Int? { number }
}
