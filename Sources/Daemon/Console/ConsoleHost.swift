package import Clock
package import LineProtocol

/// What stands behind the console: the daemon, or a test.
package protocol ConsoleHost: AnyObject {
    /// A command for the fleet. Answered through `Console.reply` and exactly one `replyEnd`.
    func submit(_ ticket: Ticket, _ command: FleetCommand, _ target: Target, at now: Instant)

    /// `track`, `mark`, `reload` and `quit`: answered like a command for the fleet, and by the
    /// daemon itself. Others do not come this far.
    func perform(_ ticket: Ticket, _ command: DaemonCommand, at now: Instant)

    /// Everything that `status` shows.
    func status(at now: Instant) -> DaemonStatus
}
