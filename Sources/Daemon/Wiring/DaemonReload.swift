package import Clock
import Fleet
import LineProtocol
import Reactor
import Service

/// SIGHUP and `reload`: the configuration is read again, what can change live changes, what cannot
/// is named.
extension Daemon {
    /// SIGHUP: as `reload`, with the service manager told, and the track begins new files.
    package func reloadBySignal(at now: Instant) {
        notifier?.reloading()
        _ = reload(at: now)
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

    /// Reads the file again and logs what came of it. With any fault in it nothing changes.
    private func reload(at now: Instant) -> Result<[ConfigurationChange], Refusal> {
        let result = applyFile(at: now)
        switch result {
        case .success(let changes):
            for change in changes {
                let fields = [Field("key", change.name)] + change.line.fields
                log.write(change.isLive ? .notice : .warning, .control, "reload", fields)
            }
        case .failure(let refusal):
            log.write(.error, .control, "reload", [Field("error", refusal.message)])
        }
        return result
    }

    private func applyFile(at now: Instant) -> Result<[ConfigurationChange], Refusal> {
        guard let path = launchState.configurationPath else {
            return .failure(
                Refusal(code: .unsupported, message: "this run has no configuration file"))
        }
        do throws(ConfigurationFileFault) {
            var read = try Configuration.load(
                path, defaults: launchState.simulatedCameras == nil ? Configuration() : .simulation,
                mayBeMissing: false)
            if let count = launchState.simulatedCameras { read.addSimulatedCameras(upTo: count) }
            let changes = configuration.changes(to: read)
            do throws(Refusal) {
                try adopt(configuration.adopting(read), at: now)
                return .success(changes)
            } catch { return .failure(error) }
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

    /// First what can fail, each step taken back when a later one does; then all at once.
    private func adopt(_ new: Configuration, at now: Instant) throws(Refusal) {
        let transports = try anotherControl(new)
        let feed: (any PositionFeed)?
        let newTrack: TrackWriter?
        do throws(Refusal) {
            feed = try anotherFeed(new)
            newTrack = try anotherTrack(new)
        } catch {
            transports?.revert()
            throw error
        }
        if let transports { console?.adopt(transports) }
        if let newTrack { replaceTrack(by: newTrack, at: now) }
        track?.adopt(new.trackSettings, at: now)
        if let feed { replace(feed, at: now) } else { listen(to: new.gps.device) }
        let paired = host.rig.settings.roster.filter { $0.source == .paired }
        var settings = new.rigSettings(
            identity: launchState.identity, roster: new.roster(with: paired),
            seed: launchState.seed, buildDate: launchState.buildDate)
        if let path = launchState.configurationPath { settings.configurationPath = path }
        configuration = new
        // What the rig itself cannot change live is not live in the configuration either.
        _ = host.apply(settings, at: now)
        tellZone(at: now)
        track?.setRoster(host.rig.settings.roster, at: now)
    }

    /// FIFO and socket for another `[control]`, not served yet; nil where it stays.
    private func anotherControl(_ new: Configuration) throws(Refusal) -> PreparedTransports? {
        guard new.control != configuration.control else { return nil }
        do throws(ConsoleFault) { return try console?.prepare(new.control) } catch {
            throw Refusal(code: .disk, message: error.text + "; nothing was changed")
        }
    }

    /// A feed from another gpsd; nil where it stays.
    private func anotherFeed(_ new: Configuration) throws(Refusal) -> (any PositionFeed)? {
        let (old, gps) = (configuration.gps, new.gps)
        guard (gps.host, gps.port) != (old.host, old.port), let makeFeed else { return nil }
        guard let feed = makeFeed(gps) else {
            let words = "no connection to gpsd can be prepared: out of threads or descriptors"
            throw Refusal(code: .internal, message: words + "; nothing was changed")
        }
        return feed
    }

    /// A writer for another folder; nil where the folder stays.
    private func anotherTrack(_ new: Configuration) throws(Refusal) -> TrackWriter? {
        guard new.track.directory != configuration.track.directory else { return nil }
        formerTracks.removeAll { $0.isOver }
        guard formerTracks.count < Self.maxFormerTracks else {
            let words = "\(formerTracks.count) earlier track folders have not taken their rows yet"
            throw Refusal(code: .busy, message: words + "; nothing was changed")
        }
        do throws(SystemError) { return try makeTrack(new.trackSettings) } catch {
            throw Refusal(code: .internal, message: "\(error); nothing was changed")
        }
    }

    private func replaceTrack(by new: TrackWriter, at now: Instant) {
        if let track {
            new.follow(track, at: now)
            formerTracks.append(track)
        }
        track = new
    }
}
