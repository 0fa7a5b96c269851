/// The sections that a file may have once, with their keys, and the reading of a text by them.
package struct SettingTable<Settings: SendableMetatype>: Sendable {
    /// One section: its name, and its keys in the order of the commented file.
    package typealias Section = (name: String, keys: [SettingKey<Settings>])

    /// In the order of the commented file.
    package let sections: [Section]
    /// Heads of sections that are read elsewhere (`[camera NAME]`), for people; empty for none.
    package let others: String

    /// A table of these sections.
    package init(_ sections: [Section], others: String = "") {
        self.sections = sections
        self.others = others
    }

    /// Reads a text into `settings`; every fault is named, not only the first.
    ///
    /// - Parameters:
    ///   - other: reads a section that is not of the table; nil where it does not know it either.
    ///   - applied: is told each entry that was taken over, and may still find fault with it.
    package func read(
        _ text: INIText, into settings: inout Settings,
        other: (INIText.Section) -> [ConfigurationFault]? = { _ in nil },
        applied: (INIText.Entry, INIText.Section, inout Settings) -> ConfigurationFault? = {
            _, _, _ in nil
        }
    ) -> [ConfigurationFault] {
        var faults = text.faults.map(advised)
        var seen: [String: Set<String>] = [:]
        for section in text.sections where !section.name.isEmpty {
            if let found = other(section) {
                faults += found
                continue
            }
            guard let keys = sections.first(where: { $0.name == section.title })?.keys else {
                faults.append(section.fault(.unknownSection(allowed: allowedSections)))
                continue
            }
            for entry in section.entries {
                // The same section may stand twice, the same key may not.
                guard seen[section.name, default: []].insert(entry.key).inserted else {
                    faults.append(
                        section.fault(entry, .twice(firstLine: text.line(of: entry, section))))
                    continue
                }
                guard let fault = apply(entry, of: section, keys, &settings) else {
                    if let fault = applied(entry, section, &settings) { faults.append(fault) }
                    continue
                }
                faults.append(fault)
            }
        }
        return faults
    }

    private var allowedSections: String {
        let own = sections.map { "[\($0.name)]" }.joined(separator: " ")
        return own + (others.isEmpty ? "" : " " + others)
    }

    private func apply(
        _ entry: INIText.Entry, of section: INIText.Section, _ keys: [SettingKey<Settings>],
        _ settings: inout Settings
    ) -> ConfigurationFault? {
        guard let key = keys.first(where: { $0.name == entry.key }) else {
            let allowed = keys.map(\.name).joined(separator: " ")
            return section.fault(entry, .unknownKey(allowed: allowed))
        }
        guard !key.apply(entry.value, &settings) else { return nil }
        var fault = section.fault(entry, .badValue(entry.value, allowed: key.allowed))
        fault.advice = key.advice(entry.value)
        return fault
    }

    /// Says where an entry before the first head belongs.
    private func advised(_ fault: ConfigurationFault) -> ConfigurationFault {
        guard fault.problem == .noSection else { return fault }
        var fault = fault
        let homes = sections.filter { $0.keys.contains { $0.name == fault.key } }
        guard !homes.isEmpty else { return fault }
        fault.advice =
            "; it belongs below " + homes.map { "[\($0.name)]" }.joined(separator: " or ")
        return fault
    }
}
