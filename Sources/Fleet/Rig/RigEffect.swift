package import LineProtocol
package import Navigation
import OsmoProtocol
package import RadioPort
package import TrackFormat

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
    /// As encoded, once for all.
    package var frame: [UInt8]
    /// Who gets it.
    package var links: [LinkID]
    /// nil for a void frame.
    package var position: CarriedPosition?

    /// One push to several cameras.
    package init(frame: [UInt8], links: [LinkID], position: CarriedPosition?) {
        self.frame = frame
        self.links = links
        self.position = position
    }
}
