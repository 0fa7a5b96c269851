import Fleet
import LineProtocol
import OsmoProtocol
import Service

/// Collects `[camera NAME]` sections: of the configuration, or of the roster file.
struct CameraSections {
    /// The numbers that there are.
    static let numbers = 1...99

    private static let allowed = "address number adapter optional"

    let source: RosterEntry.Source
    private(set) var entries: [RosterEntry] = []
    private var lines: [String: Int] = [:]
    private var unnumbered: [(index: Int, section: INIText.Section)] = []

    init(source: RosterEntry.Source) { self.source = source }

    /// Takes one section over; returns what is wrong with it.
    mutating func read(_ section: INIText.Section) -> [ConfigurationFault] {
        let name = section.argument
        guard CameraName.isValid(name) else { return [section.fault(.badCameraName)] }
        if let line = lines[name] { return [section.fault(.twice(firstLine: line))] }
        lines[name] = section.line
        var faults: [ConfigurationFault] = []
        var address: BluetoothAddress?
        var number: Int?
        var camera = RosterEntry(
            name: name, number: 0, address: BluetoothAddress(value: 0), source: source)
        for entry in section.entries {
            switch entry.key {
            case "address":
                address = value(
                    entry, of: section, "six octets, 60:60:1F:60:11:E7", &faults,
                    SettingValue.address)
            case "number":
                number = value(entry, of: section, "1 to 99", &faults) {
                    SettingValue.number($0, in: Self.numbers)
                }
            case "adapter":
                camera.adapter = value(
                    entry, of: section, "an adapter's address", &faults, SettingValue.address)
            case "optional":
                let flag = value(entry, of: section, "yes, no", &faults) {
                    SettingValue.flag($0, "yes", "no")
                }
                camera.optional = flag ?? false
            default:
                faults.append(section.fault(entry, .unknownKey(allowed: Self.allowed)))
            }
        }
        if section.entries.allSatisfy({ $0.key != "address" }) {
            let problem = ConfigurationFault.Problem.missing(
                allowed: "the camera's, six octets, 60:60:1F:60:11:E7")
            faults.append(
                ConfigurationFault(
                    line: section.line, section: section.title, key: "address", problem: problem))
        }
        guard let address else { return faults }
        camera.address = address
        return faults + append(camera, number: number, section)
    }

    /// Gives cameras without a number the lowest that are free, in the file's order.
    mutating func finish() -> [ConfigurationFault] {
        var taken = Set(entries.map(\.number))
        var faults: [ConfigurationFault] = []
        for (index, section) in unnumbered {
            guard let free = Self.numbers.first(where: { !taken.contains($0) }) else {
                faults.append(section.fault(.tooManyCameras))
                continue
            }
            taken.insert(free)
            entries[index].number = free
        }
        unnumbered = []
        return faults
    }

    private mutating func append(
        _ camera: RosterEntry, number: Int?, _ section: INIText.Section
    ) -> [ConfigurationFault] {
        var camera = camera
        var faults: [ConfigurationFault] = []
        if let other = entries.first(where: { $0.address == camera.address }) {
            faults.append(taken("address", "\(camera.address)", by: other, section))
        }
        if let number, let other = entries.first(where: { $0.number == number }) {
            faults.append(taken("number", "\(number)", by: other, section))
        }
        guard faults.isEmpty else { return faults }
        camera.number = number ?? 0
        if number == nil { unnumbered.append((entries.count, section)) }
        entries.append(camera)
        return []
    }

    private func taken(
        _ key: String, _ value: String, by other: RosterEntry, _ section: INIText.Section
    ) -> ConfigurationFault {
        let line = section.entries.first { $0.key == key }?.line ?? section.line
        return ConfigurationFault(
            line: line, section: section.title, key: key,
            problem: .taken(value, by: other.name))
    }

    private func value<Value>(
        _ entry: INIText.Entry, of section: INIText.Section, _ allowed: String,
        _ faults: inout [ConfigurationFault], _ parse: (String) -> Value?
    ) -> Value? {
        if let value = parse(entry.value) { return value }
        faults.append(section.fault(entry, .badValue(entry.value, allowed: allowed)))
        return nil
    }
}
