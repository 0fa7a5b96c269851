package import Clock
import Fleet
package import LineProtocol

/// What the console asks of the daemon.
extension Daemon: ConsoleHost {
    /// Hands a command for cameras to the rig, which answers the ticket.
    package func submit(
        _ ticket: Ticket, _ command: FleetCommand, _ target: Target, at now: Instant
    ) {
        if case .pair = command, let reason = bluetoothState(at: now).reason {
            console?.replyEnd(ticket, .error(.notReady, reason))
            return
        }
        host.submit(.command(ticket, command, target), at: now)
    }

    /// Does a command for the daemon itself and answers the ticket.
    package func perform(_ ticket: Ticket, _ command: DaemonCommand, at now: Instant) {
        switch command {
        case .auto(let wish):
            host.submit(.auto(wish == .on), at: now)
            console?.replyEnd(ticket, .ok)
        case .track(let wish): console?.replyEnd(ticket, keepTrack(wish, at: now))
        case .mark(let text):
            let notice = Notice(
                kind: .mark, name: "-", fields: [Field("text", text)], instant: now,
                utc: host.rig.utc(at: now))
            tell(notice, at: now)
            console?.reply(ticket, ReplyLine(kind: "mark", name: "-", fields: notice.stamps))
            console?.replyEnd(ticket, .ok)
        case .reload: reload(ticket, at: now)
        case .quit:
            console?.replyEnd(ticket, .ok)
            end()
        case .help, .status, .cameras, .camera, .gps, .modes, .events, .logLevel:
            preconditionFailure("the console answers \(command) by itself")
        }
    }

    /// All of `status`, as of `now`.
    package func status(at now: Instant) -> DaemonStatus {
        DaemonStatus(
            version: Version.text, uptime: now - started, rig: host.status(at: now),
            bluetooth: bluetoothState(at: now), track: track?.status ?? .off, logLevel: log.level,
            instant: now)
    }

    private func keepTrack(_ wish: DaemonCommand.Track, at now: Instant) -> ReplyEnd {
        guard let track, configuration.track.directory != nil else {
            return .error(.unsupported, "no track is kept; name a folder in [track] directory")
        }
        switch wish {
        case .on: track.setOn(true, at: now)
        case .off: track.setOn(false, at: now)
        case .rotate: track.rotate(at: now)
        }
        if let error = track.status.error { return .error(.disk, error) }
        return .ok
    }
}
