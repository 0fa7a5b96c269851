package import Clock
package import LineProtocol
package import RadioPort
package import TrackFormat

/// Everything that the track learns of.
package enum TrackInput: Sendable {
    case epoch(ClosedEpoch)
    /// A row of the events file.
    case notice(Notice)
    /// A frame was handed to links; those that did not take it follow as `frameDropped`.
    case push(Push)
    /// A link did not take a frame, of a push or another one.
    case frameDropped(LinkID, frame: [UInt8])
    /// Whose names stand for which addresses in the push log.
    case roster([RosterEntry])
    /// A changed `[track]` section or push rate: counts from the next row on.
    case settings(TrackSettings)
    /// `track rotate`, SIGHUP: the next row begins new files.
    case rotate
    /// `track on`, `track off`; the end of the run is an `off`.
    case on
    case off
}

/// How dear a line is where not all can be kept: the least go first, the oldest of them before the
/// others.
package enum LineWorth: CaseIterable, Sendable {
    /// Of the push log.
    case push
    /// An epoch, or an event that another one often repeats.
    case usual
    /// Without it footage is not found: what recordings did, and marks.
    case recording

    /// An event's.
    init(_ kind: Notice.Kind) { self = kind == .record || kind == .mark ? .recording : .usual }
}

/// A finished row and where it belongs.
package struct TrackLine: Equatable, Sendable {
    /// Which of the files it belongs to.
    package var kind: TrackFileKind
    /// Counts the sets of files of a run, from 1: a new number asks for new files.
    package var fileSet: Int
    /// Names the files, where this line begins them.
    package var time: UnixTime
    /// Whole, with its LF.
    package var bytes: [UInt8]
    /// Decides what goes first while the disk takes nothing.
    package var worth: LineWorth

    /// A line of that set of files.
    package init(
        kind: TrackFileKind, fileSet: Int, time: UnixTime, bytes: [UInt8],
        worth: LineWorth = .usual
    ) {
        self.worth = worth
        self.kind = kind
        self.fileSet = fileSet
        self.time = time
        self.bytes = bytes
    }
}

/// What the journal wants done, in this order.
package enum TrackEffect: Equatable, Sendable {
    case line(TrackLine)
    /// What was written so far must survive a power cut, now and not at the next interval.
    case sync
    /// No more lines will come for the files that are open.
    case seal
    /// Something for the log and the clients; its row is under way already.
    case notice(Notice)
}

/// Why a set of files was begun or ended.
package enum TrackReason: String, Sendable {
    /// Time is trusted for the first time in this run.
    case start
    /// `track on`.
    case on
    /// A new day of UTC.
    case day
    /// A file has reached its size.
    case size
    /// `track rotate`, or SIGHUP.
    case command
    /// GPS time made a step.
    case step
    /// `track off`, or the end of the run.
    case off
}
