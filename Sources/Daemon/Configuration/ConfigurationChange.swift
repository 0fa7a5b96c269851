import Fleet
package import LineProtocol

/// One key that another configuration has another value for.
package struct ConfigurationChange: Equatable, Sendable {
    /// `push.rate`, `camera.front`.
    package var name: String
    /// Whether it can be taken over while the daemon runs.
    package var isLive: Bool

    /// For the reply to `reload`.
    package var line: ReplyLine {
        ReplyLine(
            kind: DaemonCommand.reload.verb.name, name: name,
            fields: [Field("applied", isLive ? "now" : "restart")])
    }
}

extension Configuration {
    /// What differs in `other`, in the order of the file.
    package func changes(to other: Configuration) -> [ConfigurationChange] {
        var changes: [ConfigurationChange] = []
        for section in SettingTable.sections {
            for key in section.keys where key.differs(self, other) {
                changes.append(
                    ConfigurationChange(name: section.name + "." + key.name, isLive: key.isLive))
            }
        }
        let names = cameras.map(\.name)
        let added = other.cameras.map(\.name).filter { !names.contains($0) }
        for name in names + added {
            let before = cameras.first { $0.name == name }
            let after = other.cameras.first { $0.name == name }
            if before != after {
                changes.append(ConfigurationChange(name: "camera." + name, isLive: true))
            }
        }
        return changes
    }

    /// `other` as far as it can be taken over while the daemon runs.
    package func adopting(_ other: Configuration) -> Configuration {
        var adopted = other
        for section in SettingTable.sections {
            for key in section.keys where !key.isLive { key.copy(self, &adopted) }
        }
        return adopted
    }
}
