package import Clock
package import Fleet
package import OsmoProtocol

/// What /etc/geotagd.conf decides (contract 7), read and checked.
package struct Configuration: Equatable, Sendable {
    /// Section `[gps]`.
    package var gps = GPS()
    /// Section `[push]`.
    package var push = Push()
    /// Section `[fleet]`.
    package var fleet = Fleet()
    /// Section `[auto]`, and the `[place NAME]` sections in the file's order.
    package var auto = AutoSettings()
    /// Section `[control]`.
    package var control = Control()
    /// Section `[track]`.
    package var track = TrackSettings(directory: "/var/lib/geotagd/tracks")
    /// Section `[state]`.
    package var state = State()
    /// The `[camera NAME]` sections in the file's order.
    package var cameras: [RosterEntry] = []
    /// The values as the file writes them.
    var written = WrittenValues()

    /// The defaults of every key.
    package init() {}

    /// `[gps]`: where positions come from.
    package struct GPS: Equatable, Sendable {
        /// The host of gpsd.
        package var host = "127.0.0.1"
        /// The TCP port of gpsd.
        package var port: UInt16 = 2947
        /// gpsd's name of the receiver; nil for the best one.
        package var device: String?
    }

    /// `[push]`: what cameras are told, and how often.
    package struct Push: Equatable, Sendable {
        /// Pushes a second, 1 to 10.
        package var rate = 10
        /// Pushes a second while no camera records, 1 to 10; nil for `rate`.
        package var idleRate: Int?
        /// Whether a fix is carried forward between epochs.
        package var motion = RigSettings.Motion.extrapolate
        /// Which time the pushed time field has.
        package var time = RigSettings.TimeField.offset(.zero)
    }

    /// `[fleet]`: which cameras, by which adapters.
    package struct Fleet: Equatable, Sendable {
        /// Which cameras may connect.
        package var admit = RigSettings.Admission.roster
        /// Empty for all.
        package var adapters: [BluetoothAddress] = []
        /// Seconds of silence, 3 to 600.
        package var watchdog = 5
        /// Failed connections in a row, to 1000; 0 for ever.
        package var retries = 0
        /// What cameras are told when the daemon ends.
        package var atExit = RigSettings.AtExit.leave
    }

    /// `[control]`: where commands come from. nil for none.
    package struct Control: Equatable, Sendable {
        /// The path of the command FIFO.
        package var fifo: String? = "/run/geotagd/command"
        /// The path of the control socket.
        package var socket: String? = "/run/geotagd/control.sock"
        /// Owns both; nil for the process's own group.
        package var group: String?
    }

    /// `[state]`: what the daemon itself has to remember.
    package struct State: Equatable, Sendable {
        /// nil only in a simulation: identity and roster then last as long as the process.
        package var directory: String? = "/var/lib/geotagd"
        /// Where frames are captured for diagnosis; nil for nowhere.
        package var capture: String?
    }

    /// What `--simulate` begins with: nothing is written, no command is read but on stdin.
    package static var simulation: Configuration {
        var configuration = Configuration()
        configuration.control.fifo = nil
        configuration.control.socket = nil
        configuration.track.directory = nil
        configuration.state.directory = nil
        return configuration
    }
}

extension Configuration {
    /// What the core needs to know of it.
    ///
    /// - Parameters:
    ///   - roster: the configuration's cameras and the paired ones (`Roster`).
    ///   - seed: feeds jitter and confirmation codes.
    ///   - buildDate: no receiver's date is believed before it.
    package func rigSettings(
        identity: ControllerIdentity, roster: [RosterEntry], seed: UInt64, buildDate: UnixTime
    ) -> RigSettings {
        var settings = RigSettings(identity: identity, buildDate: buildDate)
        settings.device = gps.device
        settings.rate = push.rate
        settings.idleRate = push.idleRate
        settings.motion = push.motion
        settings.timeField = push.time
        settings.admission = fleet.admit
        settings.adapters = fleet.adapters
        settings.watchdog = .seconds(fleet.watchdog)
        settings.retries = fleet.retries
        settings.atExit = fleet.atExit
        settings.auto = auto
        settings.roster = roster
        settings.seed = seed
        return settings
    }

    /// What the track writer needs to know of it.
    package var trackSettings: TrackSettings {
        var settings = track
        settings.rate = min(push.idleRate ?? push.rate, push.rate)
        return settings
    }
}

/// The values of `section.key` as a file writes them, for people. Two configurations do not differ by
/// them: `10` and `010` are one rate.
struct WrittenValues: Equatable, Sendable {
    private var texts: [String: String] = [:]

    /// A key that the file does not name has its default.
    subscript(name: String) -> String {
        get { texts[name] ?? "default" }
        set { texts[name] = newValue }
    }

    static func == (_: WrittenValues, _: WrittenValues) -> Bool { true }
}
