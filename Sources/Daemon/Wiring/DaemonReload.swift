import Fleet
package import Navigation

/// SIGHUP and `reload`: the configuration is read again, what can change live changes, what cannot
/// is named.
extension Daemon {
    /// SIGHUP: as `reload`, with the service manager told, and the track begins new files.
    package func reloadBySignal(at now: Instant) {
        notifier?.reloading()
        switch reload(at: now) {
        case .success(let changes):
            for change in changes {
                let fields = [Field("key", change.name)] + change.line.fields
                log.write(change.isLive ? .notice : .warning, .control, "reload", fields)
            }
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
            var read = try Configuration.load(
                path, defaults: foundation.simulatedCameras == nil ? Configuration() : .simulation,
                mayBeMissing: false)
            if let count = foundation.simulatedCameras { read.addSimulatedCameras(upTo: count) }
            let changes = configuration.changes(to: read)
            if let fault = adopt(configuration.adopting(read), at: now) {
                return .failure(
                    Refusal(code: .disk, message: fault.text + "; nothing was changed"))
            }
            return .success(changes)
        } catch {
            for line in error.lines {
                log.write(.error, .control, "configuration", [Field("fault", line)])
            }
            let first = error.lines.first ?? path
            let more = error.lines.count > 1 ? " (and \(error.lines.count - 1) more)" : ""
            return .failure(
                Refusal(code: .badArgument, message: first + more + "; nothing was changed"))
        }
    }

    /// FIFO and socket first, since they alone can fail.
    private func adopt(_ new: Configuration, at now: Instant) -> ConsoleFault? {
        if new.control != configuration.control {
            do throws(ConsoleFault) { try console?.reopen(new.control) } catch { return error }
        }
        if new.gps != configuration.gps, let feed = makeFeed?(new.gps) { replace(feed) }
        let paired = host.rig.settings.roster.filter { $0.source == .paired }
        var settings = new.rigSettings(
            identity: foundation.identity, roster: new.roster(with: paired),
            seed: foundation.seed, buildDate: foundation.buildDate)
        if let path = foundation.configurationPath { settings.configurationPath = path }
        configuration = new
        // What the rig itself cannot change live is not live in the configuration either.
        _ = host.apply(settings, at: now)
        track?.setRoster(host.rig.settings.roster, at: now)
        return nil
    }
}
