package import Navigation
package import OsmoProtocol

/// Everything that can happen to the rig.
package enum RigInput: Sendable {
    case receiver(ReceiverInput)
    case radio(RadioEvent)
    /// A command for the fleet. Answered by `reply`s and exactly one `replyEnd` with this ticket.
    case command(Ticket, FleetCommand, Target)
    /// The machine's own clock: for the time field without GPS time, and to judge GPS dates.
    case systemClock(SystemClock)
    /// Seconds that local time is ahead of UTC now, for `time = local`.
    case localOffset(Span)
    /// The time that `Rig.nextDeadline` asked for has come.
    case wake
    /// An orderly end: voids to all, recordings as `at_exit` says, links closed.
    case shutdown
}

/// The system clock as read together with `now`.
package struct SystemClock: Equatable, Sendable {
    package var time: UnixTime
    /// Whether something disciplines it (adjtimex says so).
    package var synchronised: Bool

    package init(time: UnixTime, synchronised: Bool) {
        self.time = time
        self.synchronised = synchronised
    }
}

/// Everything that the rig wants done, in this order.
package enum RigEffect: Sendable {
    case radio(RadioRequest)
    /// One frame for all these links: encoded once, written to each (decision 7).
    case push(Push)
    case reply(Ticket, ReplyLine)
    case replyEnd(Ticket, ReplyEnd)
    /// Something that people, logs and the events file want to know.
    case notice(Notice)
    /// An epoch is over: a row for the track.
    case epoch(ClosedEpoch)
    /// The roster changed and has to be kept.
    case saveRoster([RosterEntry])
    /// The shutdown is done as far as the fleet is concerned.
    case finished
}

/// A GPS frame on its way to the cameras.
package struct Push: Equatable, Sendable {
    package var frame: [UInt8]
    package var links: [LinkID]
    /// nil for a void frame.
    package var position: CarriedPosition?

    package init(frame: [UInt8], links: [LinkID], position: CarriedPosition?) {
        self.frame = frame
        self.links = links
        self.position = position
    }
}

/// An epoch with all that its reports said, and what became of it.
package struct ClosedEpoch: Equatable, Sendable {
    package var fix: Fix
    /// Counts epochs within a run, from 1.
    package var sequence: Int
    /// Distinct cameras that took at least one push carried from this epoch.
    package var pushedCameras: Int
    /// Names of the cameras that record, in roster order.
    package var recording: [String]
    /// Whether the receiver's time had earned its trust when the epoch closed (contract 8.7).
    package var timeTrusted: Bool

    package init(
        fix: Fix, sequence: Int, pushedCameras: Int, recording: [String], timeTrusted: Bool
    ) {
        self.fix = fix
        self.sequence = sequence
        self.pushedCameras = pushedCameras
        self.recording = recording
        self.timeTrusted = timeTrusted
    }
}

/// One thing that happened: `! KIND NAME key=value …` for clients, a row of the events file, a log
/// line. One vocabulary for the three.
package struct Notice: Equatable, Sendable {
    /// Contract 5.2; and those of contract 5.3 that only the file and the log have.
    package enum Kind: String, Sendable, CaseIterable {
        case camera, record, alarm, mode, battery, card, temperature, gps, track, adapter, mark
        case photo, clock, push, daemon
    }

    package var kind: Kind
    /// A camera's name, an adapter's address, or "-".
    package var name: String
    /// In order; keys are bare words.
    package var fields: [Field]
    package var instant: Instant
    /// nil before time is trusted.
    package var utc: UnixTime?

    package init(kind: Kind, name: String, fields: [Field], instant: Instant, utc: UnixTime?) {
        self.kind = kind
        self.name = name
        self.fields = fields
        self.instant = instant
        self.utc = utc
    }
}

/// A `key=value` of a reply or a notice. Quoting happens where it is written out.
package struct Field: Equatable, Sendable {
    package var key: String
    package var value: String

    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// A camera that the owner admitted.
package struct RosterEntry: Equatable, Sendable {
    /// Where the entry stands: the configuration's cannot be forgotten or renamed by command.
    /// `admitted` ones came with `admit = any` and are not kept.
    package enum Source: Sendable { case configuration, paired, admitted }

    package var name: String
    /// 1 to 99, distinct.
    package var number: Int
    package var address: BluetoothAddress
    /// Only this adapter may hold it; nil for any.
    package var adapter: BluetoothAddress?
    /// Its absence is no error of a command (`optional = yes`).
    package var optional: Bool
    package var source: Source

    package init(
        name: String, number: Int, address: BluetoothAddress, adapter: BluetoothAddress? = nil,
        optional: Bool = false, source: Source = .configuration
    ) {
        self.name = name
        self.number = number
        self.address = address
        self.adapter = adapter
        self.optional = optional
        self.source = source
    }
}

/// What the configuration decides for the core (contract 7).
package struct RigSettings: Equatable, Sendable {
    package enum TimeField: Equatable, Sendable {
        /// UTC plus a fixed offset; `utc+8` is the default, as DJI's documents have it.
        case offset(Span)
        /// What `RigInput.localOffset` last said.
        case local
    }
    package enum Motion: String, Sendable { case extrapolate, hold }
    package enum Admission: String, Sendable { case roster, any }
    package enum AtExit: String, Sendable, CaseIterable { case leave, stop, sleep }

    /// Which receiver of gpsd's; nil for the best.
    package var device: String?
    /// Pushes a second, 1 to 10.
    package var rate = 10
    package var motion = Motion.extrapolate
    package var timeField = TimeField.offset(.seconds(8 * 3600))
    package var admission = Admission.roster
    /// Empty for all.
    package var adapters: [BluetoothAddress] = []
    /// Silence after which a ready camera is disconnected, 3 to 600 s.
    package var watchdog = Span.seconds(5)
    /// Failed connections in a row after which a camera is left alone; 0 for never.
    package var retries = 0
    package var atExit = AtExit.leave
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

    package init(identity: ControllerIdentity, buildDate: UnixTime) {
        self.identity = identity
        self.buildDate = buildDate
    }
}

/// How cameras know this installation.
package struct ControllerIdentity: Equatable, Sendable {
    package var deviceID: UInt32
    package var address: BluetoothAddress

    package init(deviceID: UInt32, address: BluetoothAddress) {
        self.deviceID = deviceID
        self.address = address
    }
}
