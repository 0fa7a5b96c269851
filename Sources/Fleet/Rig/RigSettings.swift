package import Clock
package import OsmoProtocol

/// What the configuration decides for the core (contract 7).
package struct RigSettings: Equatable, Sendable {
    /// Which time is pushed: UTC with a fixed offset, or this machine's zone.
    package enum TimeField: Equatable, Sendable {
        /// UTC plus a fixed offset; UTC itself is the default (decision 41).
        case offset(TimeSpan)
        /// In the zone that `RigInput.localZone` last said.
        case local
    }
    /// Whether positions are carried forward between fixes, or held.
    package enum Motion: String, Sendable { case extrapolate, hold }
    /// Who may connect: cameras of the roster, or any.
    package enum Admission: String, Sendable { case roster, any }
    /// What cameras are told at the end: nothing, to stop recording, or to sleep.
    package enum AtExit: String, Sendable, CaseIterable { case leave, stop, sleep }

    /// Which receiver of gpsd's; nil for the best.
    package var device: String?
    /// Pushes a second, 1 to 10.
    package var rate = 10
    /// The same while no camera records; nil for as many.
    package var idleRate: Int?
    /// See `Motion`.
    package var motion = Motion.extrapolate
    /// See `TimeField`.
    package var timeField = TimeField.offset(.zero)
    /// See `Admission`.
    package var admission = Admission.roster
    /// Empty for all.
    package var adapters: [BluetoothAddress] = []
    /// Silence after which a ready camera is disconnected, 3 to 600 s.
    package var watchdog = TimeSpan.seconds(5)
    /// Failed connections in a row after which a camera is left alone; 0 for never.
    package var retries = 0
    /// See `AtExit`.
    package var atExit = AtExit.leave
    /// What is done without a command.
    package var auto = AutoSettings()
    /// Of the configuration and of the kept roster.
    package var roster: [RosterEntry] = []
    /// The file that configured cameras stand in, to be named in answers.
    package var configurationPath = "/etc/geotagd.conf"
    /// Ours towards cameras, constant for an installation (protocol 3.1).
    package var identity: ControllerIdentity
    /// Feeds jitter and confirmation codes.
    package var seed: UInt64 = 0
    /// No receiver's date is believed before this one.
    package var buildDate: UnixTime

    /// The defaults of the configuration, with an empty roster.
    package init(identity: ControllerIdentity, buildDate: UnixTime) {
        self.identity = identity
        self.buildDate = buildDate
    }
}

/// How cameras know this installation.
package struct ControllerIdentity: Equatable, Sendable {
    /// By which cameras recognise this controller (protocol 3.1).
    package var deviceID: UInt32
    /// That the controller tells as its own (protocol 3.1).
    package var address: BluetoothAddress

    /// An identity that was kept, or made at random.
    package init(deviceID: UInt32, address: BluetoothAddress) {
        self.deviceID = deviceID
        self.address = address
    }
}
