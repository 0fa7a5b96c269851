package import Clock
package import LineProtocol
package import Navigation
import OsmoProtocol
package import RadioPort

/// Everything that can happen to the rig.
package enum RigInput: Sendable {
    case receiver(ReceiverInput)
    case radio(RadioEvent)
    /// A command for the fleet. Answered by `reply`s and exactly one `replyEnd` with this ticket.
    case command(Ticket, FleetCommand, Target)
    /// The machine's own clock: for the time field without GPS time, and to judge GPS dates.
    case systemClock(SystemClock)
    /// Seconds that local time is ahead of UTC now, for `time = local`.
    case localOffset(TimeSpan)
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
