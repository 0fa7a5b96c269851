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
    /// This machine's time zone, for `time = local`.
    case localZone(LocalZone)
    /// Somebody said `auto on` or `auto off`.
    case auto(Bool)
    /// The time that `Rig.nextDeadline` asked for has come.
    case wake
    /// An orderly end: voids to all, recordings as `at_exit` says, links closed.
    case shutdown
}

/// The system clock as read together with `now`.
package struct SystemClock: Equatable, Sendable {
    /// As the system clock says.
    package var time: UnixTime
    /// Whether something disciplines it (adjtimex says so).
    package var synchronised: Bool
    /// How wrong it may be, by the kernel's own account (`maxerror`); nil where that is unknown.
    package var maxError: TimeSpan?

    /// A clock that may be wrong by more does not tell how late fixes are.
    package static let maxUsefulError = TimeSpan.milliseconds(100)

    /// - Parameter maxError: nil for unknown.
    package init(time: UnixTime, synchronised: Bool, maxError: TimeSpan? = nil) {
        self.time = time
        self.synchronised = synchronised
        self.maxError = maxError
    }

    /// Whether it is known to be right to a tenth of a second.
    package var isPrecise: Bool {
        guard synchronised, let maxError else { return false }
        return maxError <= Self.maxUsefulError
    }
}
