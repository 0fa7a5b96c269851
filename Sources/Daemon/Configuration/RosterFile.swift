package import Fleet
import LineProtocol
import OsmoProtocol
import Reactor
import Service

/// `roster.conf` in the state directory: the cameras that `pair` admitted, written as the
/// configuration's `[camera NAME]` sections are.
package struct RosterFile: Sendable {
    /// The file, in the state folder.
    package let path: String
    private let directory: String

    /// The roster of a state folder.
    package init(directory: String) {
        self.directory = directory
        path = directory + "/roster.conf"
    }

    /// The identity in the same folder.
    var identityFile: IdentityFile { IdentityFile(directory: directory) }

    /// What the file holds.
    package struct Loaded: Sendable {
        /// The paired cameras, in the order of pairing.
        package var entries: [RosterEntry]
        /// The file as it was found, moved aside; nil where it was good.
        package var damage: DamagedFile?
        /// Why a damaged file stays as it is: the folder takes no other.
        package var fault: StateFault?
    }

    /// The cameras that are kept. A damaged file is set aside whole; what could be read of it goes
    /// on in a new one, or where that cannot be written in this run.
    ///
    /// - Throws: where there is a file that cannot be read.
    package func load() throws(StateFault) -> Loaded {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try StateFile.read(path) } catch {
            throw .read(path: path, error)
        }
        guard let bytes else { return Loaded(entries: []) }
        let (entries, faults) = Self.read(bytes)
        var loaded = Loaded(entries: entries)
        guard !faults.isEmpty else { return loaded }
        loaded.damage = DamagedFile(path: path, keptAs: path, faults: faults)
        do throws(StateFault) {
            loaded.damage?.keptAs = try StateFile.setAsideDamaged(path)
            try save(entries)
        } catch { loaded.fault = error }
        return loaded
    }

    /// Keeps the paired ones among these; the configuration's stand in the configuration.
    ///
    /// Waits for the disk: not for the loop's thread while cameras stream.
    package func save(_ entries: [RosterEntry]) throws(StateFault) {
        do throws(SystemError) { try StateFile.makeFolder(directory) } catch {
            throw .folder(path: directory, error)
        }
        do throws(SystemError) {
            try StateFile.replace(path, with: Array(Self.text(entries).utf8))
        } catch { throw .write(path: path, error) }
    }

    static func text(_ entries: [RosterEntry]) -> String {
        var text =
            "# Cameras admitted by pair. geotagd writes this file: change it with pair, forget"
        text += " and rename,\n# or while geotagd does not run.\n"
        for entry in entries where entry.source == .paired {
            text += "\n[camera \(entry.name)]\naddress = \(entry.address)\n"
            text += "number = \(entry.number)\n"
            if let adapter = entry.adapter { text += "adapter = \(adapter)\n" }
            if entry.optional { text += "optional = yes\n" }
        }
        return text
    }

    static func read(
        _ bytes: [UInt8]
    ) -> (entries: [RosterEntry], faults: [ConfigurationFault]) {
        let text = INIText(bytes)
        var faults = text.faults
        var cameras = CameraSections(source: .paired)
        for section in text.sections where !section.name.isEmpty {
            if section.name == "camera" {
                faults += cameras.read(section)
            } else {
                faults.append(section.fault(.unknownSection(allowed: "[camera NAME]")))
            }
        }
        faults += cameras.finish()
        return (cameras.entries, faults.sorted { $0.line < $1.line })
    }
}

extension Configuration {
    /// The whole roster: the configuration's cameras, then the paired ones that do not contradict
    /// them.
    ///
    /// A paired camera that now stands in the configuration is the configuration's; one whose name
    /// or number went to another camera gets the next free one.
    package func roster(with paired: [RosterEntry]) -> [RosterEntry] {
        var roster = cameras
        for var entry in paired where !roster.contains(where: { $0.address == entry.address }) {
            let name = entry.name
            var suffix = 2
            while roster.contains(where: { $0.name == entry.name }) {
                let tail = "-\(suffix)"
                entry.name = name.prefix(CameraName.maxLength - tail.utf8.count) + tail
                suffix += 1
            }
            if roster.contains(where: { $0.number == entry.number }) {
                let others = paired.map(\.number) + roster.map(\.number)
                let free = CameraSections.numbers.first { !others.contains($0) }
                guard let free else { continue }
                entry.number = free
            }
            roster.append(entry)
        }
        return roster
    }
}
