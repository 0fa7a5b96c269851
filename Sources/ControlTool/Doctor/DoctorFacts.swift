import LineProtocol

/// What `doctor` found on this machine. What could not be found out is nil.
struct DoctorFacts: Equatable {
    /// gpsd, as its own socket shows it.
    struct GPSD: Equatable {
        var release = "?"
        /// The major version of its protocol; libgps reads 3.
        var protocolMajor: Int?
        var devices: [String] = []
        /// Epochs a second, measured over some seconds.
        var rateHertz: Double?
        /// 0 and 1 none, 2, 3.
        var mode: Int?
        var hasSpeed = false
        var hasCourse = false
    }

    /// An adapter, as bluetoothd shows it.
    struct Adapter: Equatable {
        var name: String
        var address: String
        var isPowered = true
        /// `central`, `peripheral`; nil where bluetoothd does not say.
        var roles: [String]?
    }

    /// A switch of rfkill for Bluetooth.
    struct RadioSwitch: Equatable {
        var name: String
        var isSoftBlocked = false
        var isHardBlocked = false
    }

    /// A folder that the daemon writes into.
    struct Folder: Equatable {
        var path: String
        /// What it holds, for people.
        var use: String
        var exists = true
        /// Whether the daemon's user may write there.
        var isWritable = true
        /// Megabytes that are free on its disk.
        var freeMegabytes: Int?
    }

    /// Who may use the control socket.
    enum SocketAccess: Equatable {
        case open
        /// It is there, and this user may not use it.
        case forbidden(group: String)
        case missing
    }

    /// The systemd unit.
    enum Unit: Equatable { case missing, disabled, enabled }

    /// nil where nobody answers.
    var gpsd: GPSD?
    /// libgps as geotagd was linked with it, and those that are installed.
    var neededLibrary: String?
    var installedLibraries: [String] = []

    var hasBus = true
    var hasBluetoothd = true
    /// BlueZ's version.
    var bluezVersion: String?
    var adapters: [Adapter] = []
    var switches: [RadioSwitch] = []
    /// `LEAutoSecurity` of bluetoothd's input.conf.
    var autoSecurity: Bool?
    /// Files in bluetoothd's cache.
    var cacheFiles: Int?
    /// The kernel's release and version.
    var kernel = ""

    /// The daemon's `status json`.
    var status: JSONValue?
    var socket = SocketAccess.open
    /// Processes called geotagd that are no simulation.
    var daemons = 1
    var unit = Unit.enabled
    /// The machine's clock is synchronised.
    var isClockSynchronised: Bool?
    var folders: [Folder] = []
    /// A fault of the configuration, as `geotagd --check-config` says it.
    var configurationFault: String?
}
