package import Fleet
package import Navigation
import Reactor

/// SIGHUP and `reload`: the configuration is read again, what can change live changes, what cannot
/// is named.
extension Daemon {
    /// SIGHUP: as `reload`, with the service manager told, and the track begins new files.
    package func reloadBySignal(at now: Instant) {
        if case .error(_, let message) = reload(at: now) {
            log.write(.error, .control, "reload", [Field("error", message)])
        }
        track?.rotate(at: now)
    }

    /// Reads the file again. With any fault in it nothing changes.
    func reload(at now: Instant) -> ReplyEnd {
        guard let path = foundation.configurationPath else {
            return .error(.unsupported, "this run has no configuration file")
        }
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try StateFile.read(path) } catch {
            return .error(.disk, "\(path): \(error)")
        }
        let (read, faults) = Configuration.read(bytes ?? [])
        if let first = faults.first {
            for fault in faults {
                log.write(
                    .error, .control, "configuration", [Field("fault", fault.text(file: path))])
            }
            return .error(.badArgument, first.text(file: path) + "; nothing was changed")
        }
        let refused = take(read, at: now)
        log.write(
            .notice, .control, "reloaded",
            refused.isEmpty ? [] : [Field("needs_restart", refused.joined(separator: ", "))])
        return .ok
    }

    private func take(_ new: Configuration, at now: Instant) -> [String] {
        let paired = host.rig.settings.roster.filter { $0.source == .paired }
        let settings = new.rigSettings(
            identity: foundation.identity, roster: new.roster(with: paired),
            seed: foundation.seed, buildDate: foundation.buildDate)
        var refused = host.apply(settings, at: now)
        if new.gps != configuration.gps { refused.append("[gps]") }
        if new.control != configuration.control { refused.append("[control]") }
        if new.track != configuration.track { refused.append("[track]") }
        if new.state != configuration.state { refused.append("[state]") }
        configuration.push = new.push
        configuration.fleet = new.fleet
        configuration.cameras = new.cameras
        track?.setRoster(host.rig.settings.roster, at: now)
        return refused
    }
}
