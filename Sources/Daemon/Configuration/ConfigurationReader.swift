import Fleet
import OsmoProtocol

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
        var faults = text.faults
        var seen: [String: Set<String>] = [:]
        for section in text.sections where !section.name.isEmpty {
            if section.name == "camera" {
                faults += cameras.read(section)
                continue
            }
            let known = SettingTable.sections.first { $0.name == section.title }
            guard let keys = known?.keys else {
                faults.append(
                    section.fault(.unknownSection(allowed: SettingTable.allowedSections)))
                continue
            }
            for entry in section.entries {
                // The same section may stand twice, the same key may not.
                guard seen[section.name, default: []].insert(entry.key).inserted else {
                    faults.append(
                        section.fault(entry, .twice(firstLine: text.line(of: entry, section))))
                    continue
                }
                if let fault = configuration.apply(entry, of: section, keys: keys) {
                    faults.append(fault)
                }
            }
        }
        faults += cameras.finish()
        configuration.cameras = cameras.entries
        let given = { (section: String) in seen[section]?.contains("directory") ?? false }
        // Whoever moves the state folder alone means all that the daemon keeps.
        if defaults.track.directory != nil, given("state"), !given("track"),
            let folder = configuration.state.directory
        {
            configuration.track.directory = folder + (folder.last == "/" ? "tracks" : "/tracks")
        }
        return (configuration, faults.sorted { $0.line < $1.line })
    }

    private mutating func apply(
        _ entry: INIText.Entry, of section: INIText.Section, keys: [SettingKey]
    ) -> ConfigurationFault? {
        guard let key = keys.first(where: { $0.name == entry.key }) else {
            let allowed = keys.map(\.name).joined(separator: " ")
            return section.fault(entry, .unknownKey(allowed: allowed))
        }
        guard key.apply(entry.value, &self) else {
            return section.fault(entry, .badValue(entry.value, allowed: key.allowed))
        }
        if section.name == "control", let fifo = control.fifo, fifo == control.socket {
            return section.fault(entry, .badValue(entry.value, allowed: "FIFO and socket differ"))
        }
        written[section.name + "." + key.name] = entry.value
        return nil
    }
}

extension INIText {
    /// Where the key of this entry stood first.
    fileprivate func line(of entry: Entry, _ section: Section) -> Int {
        sections.filter { $0.name == section.name }.flatMap(\.entries)
            .first { $0.key == entry.key }?.line ?? entry.line
    }
}

extension INIText.Section {
    func fault(_ problem: ConfigurationFault.Problem) -> ConfigurationFault {
        ConfigurationFault(line: line, section: title, key: nil, problem: problem)
    }

    func fault(
        _ entry: INIText.Entry, _ problem: ConfigurationFault.Problem
    ) -> ConfigurationFault {
        ConfigurationFault(line: entry.line, section: title, key: entry.key, problem: problem)
    }
}
