package import Clock
import LineProtocol
package import Navigation
package import OsmoProtocol
package import RadioPort

/// What `status` shows of the rig at one instant. nil is unknown.
package struct RigStatus: Equatable, Sendable {
    /// The receiver.
    package var gps: GPSStatus
    /// The schedule.
    package var push: PushStatus
    /// The roster in order, then at most 32 strangers in range.
    package var cameras: [CameraSummary]
    /// The Bluetooth adapters.
    package var adapters: [AdapterSummary]
    /// What it does by itself.
    package var auto: AutoStatus

    /// A snapshot of all parts.
    package init(
        gps: GPSStatus, push: PushStatus, cameras: [CameraSummary], adapters: [AdapterSummary],
        auto: AutoStatus = AutoStatus()
    ) {
        self.gps = gps
        self.push = push
        self.cameras = cameras
        self.adapters = adapters
        self.auto = auto
    }
}

/// What the rules are up to.
package struct AutoStatus: Equatable, Sendable {
    /// Rules are configured, and not switched off by `auto off`.
    package var isOn = false
    /// A trip is under way.
    package var isMoving = false
    /// The place that the vehicle is in; nil outside all of them.
    package var place: String?
    /// Cameras for which commands by hand hold something, in the order of the roster.
    package var hand: [String] = []

    /// The rules are on, and nothing is known.
    package init() {}
}

/// The receiver's side.
package struct GPSStatus: Equatable, Sendable {
    /// See `ReceiverState`.
    package var state: ReceiverState
    /// The last fix while it is fresh.
    package var fix: Fix?
    /// gpsd's path of the receiver; nil before one is known.
    package var device: String?
    /// The measured epoch rate.
    package var rateHertz: Double?
    /// Since the last fix's arrival.
    package var age: TimeSpan?
    /// Whether the receiver's time is believed.
    package var timeTrusted: Bool
    /// Whether positions are carried by a velocity that the receiver did not state.
    package var velocityDerived: Bool

    /// What `gps` says.
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
    /// The configured rate, 1 to 10 a second.
    package var targetHertz: Double
    /// Frames with a position handed to a link.
    package var sent: Int
    /// Frames that a link did not take, or that were withheld while paused.
    package var dropped: Int
    /// Void frames handed to a link.
    package var void: Int

    /// What `push` says; counts are of this run.
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
    /// Its name in the roster.
    package var name: String
    /// nil for strangers.
    package var number: Int?
    /// Its Bluetooth address.
    package var address: BluetoothAddress
    /// The adapter that holds or last held it.
    package var adapter: BluetoothAddress?
    /// Known once it has advertised or answered.
    package var model: CameraModel?
    /// How far the link is.
    package var state: CameraState
    /// When that last changed.
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
    /// What its GPS stream does.
    package var gps: CameraGPSState
    /// Positions that its link took in this run.
    package var pushed: Int
    /// Pushes that it did not get for want of credit.
    package var dropped: Int
    /// Void frames that its link took.
    package var void: Int
    /// Signal strength as last heard, dBm; nil before.
    package var rssi: Int?
    /// As its version reply says.
    package var product: String?
    /// As its version reply says.
    package var firmware: String?
    /// Links after the first one.
    package var reconnects: Int
    /// Why it is where it is, in a few words; nil when all is well.
    package var error: String?
    /// What last went wrong with its link, however well it is now, and when.
    package var lastError: String?
    /// When that was; nil without an error.
    package var lastErrorInstant: Instant?
    /// Four digits while somebody must tap the camera.
    package var confirmCode: Int?
    /// While asleep: how long waking by broadcast still works.
    package var wakeWindow: TimeSpan?
    /// MTU and write path; nil without a link.
    package var link: LinkParameters?
    /// Of the last command.
    package var roundTrip: TimeSpan?
    /// Modes that it refused or did not confirm in this session.
    package var refusedModes: [UInt8]
    /// Whether nobody is warned when it is absent.
    package var optional: Bool

    /// A camera of which no more is known.
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
    /// Its Bluetooth address.
    package var address: BluetoothAddress
    /// BlueZ's name of it, such as `hci0`.
    package var name: String
    /// Whether links may be made there now.
    package var usable: Bool
    /// Links that stand or are being made.
    package var links: Int
    /// Why it is not used, or that it is full.
    package var error: String?
    /// Whether the configuration allows it.
    package var allowed = true
    /// Whether it is turned on.
    package var powered = true
    /// rfkill holds it.
    package var blocked = false

    /// What `status` says of an adapter.
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
    /// Its number in the roster.
    package var rosterNumber: Int? { number }
}
