package import Fleet
package import Navigation

/// SIGHUP and `reload`: the configuration is read again, what can change live changes, what cannot
/// is named.
extension Daemon {
    /// SIGHUP: as `reload`, with the service manager told, and the track begins new files.
    package func reloadBySignal(at now: Instant) {
        notifier?.reloading()
        switch reload(at: now) {
        case .success(let changes):
            for change in changes { log.write(.notice, .control, "reload", change.line.fields) }
        case .failure(let refusal):
            log.write(.error, .control, "reload", [Field("error", refusal.message)])
        }
        track?.rotate(at: now)
        notifier?.reloaded()
    }

    /// Answers the command: a line a change.
    func reload(_ ticket: Ticket, at now: Instant) {
        switch reload(at: now) {
        case .success(let changes):
            for change in changes { console?.reply(ticket, change.line) }
            console?.replyEnd(ticket, .ok)
        case .failure(let refusal):
            console?.replyEnd(ticket, .error(refusal.code, refusal.message))
        }
    }

    /// Why nothing was changed.
    struct Refusal: Error {
        var code: ErrorCode
        var message: String
    }

    /// Reads the file again. With any fault in it nothing changes.
    private func reload(at now: Instant) -> Result<[ConfigurationChange], Refusal> {
        guard let path = foundation.configurationPath else {
            return .failure(
                Refusal(code: .unsupported, message: "this run has no configuration file"))
        }
        do throws(ConfigurationFileFault) {
            let read = try Configuration.load(
                path, defaults: foundation.defaults, mayBeMissing: false)
            let changes = configuration.changes(to: read)
            adopt(configuration.adopting(read), at: now)
            return .success(changes)
        } catch {
            for line in error.lines.dropFirst() {
                log.write(.error, .control, "configuration", [Field("fault", line)])
            }
            let first = error.lines.first ?? path
            return .failure(
                Refusal(code: .badArgument, message: first + "; nothing was changed"))
        }
    }

    private func adopt(_ new: Configuration, at now: Instant) {
        let paired = host.rig.settings.roster.filter { $0.source == .paired }
        let settings = new.rigSettings(
            identity: foundation.identity, roster: new.roster(with: paired),
            seed: foundation.seed, buildDate: foundation.buildDate)
        configuration = new
        // What the rig itself cannot change live is not live in the configuration either.
        _ = host.apply(settings, at: now)
        track?.setRoster(host.rig.settings.roster, at: now)
    }
}
