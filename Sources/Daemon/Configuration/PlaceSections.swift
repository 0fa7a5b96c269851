import Fleet
import LineProtocol
import Navigation
import Service

/// Collects the `[place NAME]` sections.
struct PlaceSections {
    /// Places at most: each epoch is held against all of them.
    static let bound = 100

    private static let allowed = "latitude longitude radius inside"

    private(set) var places: [AutoPlace] = []
    private var lines: [String: Int] = [:]

    /// Takes one section over; returns what is wrong with it.
    mutating func read(_ section: INIText.Section) -> [ConfigurationFault] {
        let name = section.argument
        guard CameraName.isPlace(name) else { return [section.fault(.badPlaceName)] }
        if let line = lines[name] { return [section.fault(.twice(firstLine: line))] }
        guard lines.count < Self.bound else {
            return [section.fault(.tooManyPlaces(bound: Self.bound))]
        }
        lines[name] = section.line
        var faults: [ConfigurationFault] = []
        var numbers: [String: Double] = [:]
        var inside: AutoPlace.Inside?
        for entry in section.entries {
            let range: ClosedRange<Double>
            switch entry.key {
            case "latitude": range = -90...90
            case "longitude": range = -180...180
            case "radius": range = 5...50_000
            case "inside":
                inside = AutoPlace.Inside(rawValue: entry.value)
                if inside == nil {
                    let words = AutoPlace.Inside.allCases.map(\.rawValue).joined(separator: ", ")
                    faults.append(section.fault(entry, .badValue(entry.value, allowed: words)))
                }
                continue
            default:
                faults.append(section.fault(entry, .unknownKey(allowed: Self.allowed)))
                continue
            }
            numbers[entry.key] = SettingValue.decimal(entry.value, in: range)
            if numbers[entry.key] == nil {
                let words = Self.words[entry.key] ?? ""
                faults.append(section.fault(entry, .badValue(entry.value, allowed: words)))
            }
        }
        faults += missing(section)
        guard faults.isEmpty, let inside, let latitude = numbers["latitude"],
            let longitude = numbers["longitude"], let radius = numbers["radius"]
        else { return faults }
        let middle = Place(latitudeDegrees: latitude, longitudeDegrees: longitude)
        places.append(
            AutoPlace(
                circle: PlaceCircle(name: name, middle: middle, radiusMetres: radius),
                inside: inside))
        return []
    }

    private func missing(_ section: INIText.Section) -> [ConfigurationFault] {
        Self.allowed.split(separator: " ").map(String.init).filter { key in
            section.entries.allSatisfy { $0.key != key }
        }.map { key in
            ConfigurationFault(
                line: section.line, section: section.title, key: key,
                problem: .missing(allowed: Self.words[key] ?? ""))
        }
    }

    private static let words = [
        "latitude": "-90 to 90 (degrees, north positive)",
        "longitude": "-180 to 180 (degrees, east positive)", "radius": "5 to 50000 (metres)",
        "inside": "record, stop, sleep, nothing",
    ]
}
