import LineProtocol

/// What `doctor` found on this machine. Whatever could not be found out is nil.
struct DoctorFacts: Equatable {
    /// What gpsd's own socket shows of it.
    struct GPSD: Equatable {
        var release = "?"
        /// The major version of its protocol; libgps reads 3.
        var protocolMajor: Int?
        var devices: [String] = []
        /// Epochs a second, measured over some seconds.
        var rateHertz: Double?
        /// gpsd's mode of the fix: 0 and 1 none, 2 for 2-D, 3 for 3-D.
        var mode: Int?
        var hasSpeed = false
        var hasCourse = false
    }

    /// What bluetoothd shows of an adapter.
    struct Adapter: Equatable {
        var name: String
        var address: String
        var isPowered = true
        /// `central`, `peripheral`; nil where bluetoothd does not say.
        var roles: [String]?
    }

    /// A switch of rfkill that can block Bluetooth.
    struct RadioSwitch: Equatable {
        var name: String
        var isSoftBlocked = false
        var isHardBlocked = false
    }

    /// A folder that the daemon writes to.
    struct Folder: Equatable {
        var path: String
        /// What the daemon keeps in it, for people.
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
        /// The socket exists, but this user may not use it.
        case forbidden(group: String)
        case missing
    }

    /// The systemd unit.
    enum Unit: Equatable { case missing, disabled, enabled }

    /// nil where no gpsd answers.
    var gpsd: GPSD?
    /// The libgps that geotagd was linked with.
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
    /// Processes called geotagd, without simulations.
    var daemons = 1
    var unit = Unit.enabled
    /// The machine's clock is synchronised.
    var isClockSynchronised: Bool?
    var folders: [Folder] = []
    /// A fault of the configuration, as `geotagd --check-config` says it.
    var configurationFault: String?
}
