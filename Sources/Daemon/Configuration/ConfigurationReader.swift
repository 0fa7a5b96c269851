import Fleet
import OsmoProtocol
package import Service

extension Configuration {
    /// Reads a configuration text over what `defaults` says; every fault is named, not only the
    /// first.
    ///
    /// - Parameters:
    ///   - bytes: the file as it is.
    ///   - defaults: a service's, or `simulation`.
    package static func read(
        _ bytes: some Collection<UInt8>, defaults: Configuration = Configuration()
    ) -> (configuration: Configuration, faults: [ConfigurationFault]) {
        let text = INIText(bytes)
        var configuration = defaults
        var cameras = CameraSections(source: .configuration)
        var places = PlaceSections()
        var given: Set<String> = []
        var faults = table.read(
            text, into: &configuration,
            other: {
                switch $0.name {
                case "camera": cameras.read($0)
                case "place": places.read($0)
                default: nil
                }
            },
            applied: { entry, section, configuration in
                let key = section.name + "." + entry.key
                given.insert(key)
                configuration.written[key] = entry.value
                guard let allowed = configuration.contradiction(in: section.name) else {
                    return nil
                }
                return section.fault(entry, .badValue(entry.value, allowed: allowed))
            })
        faults += cameras.finish()
        configuration.cameras = cameras.entries
        configuration.auto.places = places.places
        // Whoever moves the state folder alone means all that the daemon keeps.
        if defaults.track.directory != nil, given.contains("state.directory"),
            !given.contains("track.directory"), let folder = configuration.state.directory
        {
            configuration.track.directory = folder + (folder.last == "/" ? "tracks" : "/tracks")
        }
        return (configuration, faults.sorted { $0.line < $1.line })
    }

    /// How two values of one section have to go together where they do not; nil where they do.
    private func contradiction(in section: String) -> String? {
        switch section {
        case "control":
            guard let fifo = control.fifo, fifo == control.socket else { return nil }
            return "FIFO and socket differ"
        case "auto":
            guard let stop = auto.stopBelow, let start = auto.recordAbove, stop >= start else {
                return nil
            }
            return "stop_below less than record_above"
        default: return nil
        }
    }
}
