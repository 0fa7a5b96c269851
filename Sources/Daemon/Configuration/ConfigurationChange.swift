import Fleet
package import LineProtocol
import Navigation
import Service

/// One key that another configuration has another value for.
package struct ConfigurationChange: Equatable, Sendable {
    /// `push.rate`, `camera.front`.
    package var name: String
    /// Whether it can be taken over while the daemon runs.
    package var isLive: Bool
    /// What the files say before and after; nil for the sections of cameras.
    package var values: Values?

    /// The text of a value before and after.
    package struct Values: Equatable, Sendable {
        /// The value that it had, as the file writes it.
        package var old: String
        /// The value that the file has now.
        package var new: String
    }

    /// For the reply to `reload`.
    package var line: ReplyLine {
        ReplyLine(
            kind: DaemonCommand.reload.verb.name, name: name,
            fields: [Field("applied", isLive ? "now" : "restart")]
                + (values.map { [Field("old", $0.old), Field("new", $0.new)] } ?? []))
    }
}

extension Configuration {
    /// What differs in `other`, in the order of the file.
    package func changes(to other: Configuration) -> [ConfigurationChange] {
        var changes: [ConfigurationChange] = []
        for section in Self.table.sections {
            for key in section.keys where key.differs(self, other) {
                let name = section.name + "." + key.name
                changes.append(
                    ConfigurationChange(
                        name: name, isLive: key.isLive,
                        values: .init(old: written[name], new: other.written[name])))
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
        return changes + placeChanges(to: other)
    }

    private func placeChanges(to other: Configuration) -> [ConfigurationChange] {
        let names = auto.places.map(\.circle.name)
        let added = other.auto.places.map(\.circle.name).filter { !names.contains($0) }
        return (names + added).filter { name in
            auto.places.first { $0.circle.name == name }
                != other.auto.places.first { $0.circle.name == name }
        }.map { ConfigurationChange(name: "place." + $0, isLive: true) }
    }

    /// `other` as far as it can be taken over while the daemon runs.
    package func adopting(_ other: Configuration) -> Configuration {
        var adopted = other
        for section in Self.table.sections {
            for key in section.keys where !key.isLive {
                key.copy(self, &adopted)
                let name = section.name + "." + key.name
                adopted.written[name] = written[name]
            }
        }
        return adopted
    }
}
