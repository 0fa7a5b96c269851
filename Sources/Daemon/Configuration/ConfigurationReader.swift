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
        var given: Set<String> = []
        var faults = table.read(
            text, into: &configuration,
            other: { $0.name == "camera" ? cameras.read($0) : nil },
            applied: { entry, section, configuration in
                let key = section.name + "." + entry.key
                given.insert(key)
                configuration.written[key] = entry.value
                guard section.name == "control", let fifo = configuration.control.fifo,
                    fifo == configuration.control.socket
                else { return nil }
                return section.fault(
                    entry, .badValue(entry.value, allowed: "FIFO and socket differ"))
            })
        faults += cameras.finish()
        configuration.cameras = cameras.entries
        // Whoever moves the state folder alone means all that the daemon keeps.
        if defaults.track.directory != nil, given.contains("state.directory"),
            !given.contains("track.directory"), let folder = configuration.state.directory
        {
            configuration.track.directory = folder + (folder.last == "/" ? "tracks" : "/tracks")
        }
        return (configuration, faults.sorted { $0.line < $1.line })
    }
}
