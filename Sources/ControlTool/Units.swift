import Glibc
import LineProtocol

/// How speeds and heights are shown to a person.
enum Units: String, CaseIterable {
    case metric, imperial, si

    /// As the locale says: the country of LC_ALL, LC_MEASUREMENT or LANG, the first that is set.
    static func ofLocale(_ variable: (String) -> String?) -> Units {
        let name = ["LC_ALL", "LC_MEASUREMENT", "LANG"].compactMap(variable).first { !$0.isEmpty }
        let countries = ["_US", "_GB", "_LR", "_MM"]
        return countries.contains { name?.contains($0) ?? false } ? .imperial : .metric
    }

    /// The environment's.
    static var standard: Units { ofLocale { getenv($0).map { String(cString: $0) } } }

    /// A speed, given in metres a second.
    func speed(_ metresPerSecond: Double) -> String {
        switch self {
        case .metric: LineText.decimal(metresPerSecond * 3.6, decimals: 0) + " km/h"
        case .imperial: LineText.decimal(metresPerSecond / 0.44704, decimals: 0) + " mph"
        case .si: LineText.decimal(metresPerSecond, decimals: 1) + " m/s"
        }
    }

    /// A height, given in metres.
    func height(_ metres: Double) -> String {
        switch self {
        case .metric, .si: LineText.decimal(metres, decimals: 0) + " m"
        case .imperial: LineText.decimal(metres / 0.3048, decimals: 0) + " ft"
        }
    }
}
