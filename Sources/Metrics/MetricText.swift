/// How metrics are written out.
package enum MetricText: Sendable {
    /// Prometheus's text format 0.0.4.
    case prometheus
    /// OpenMetrics text 1.0.
    case openMetrics

    /// Its name in HTTP.
    package var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// What the Accept header of a scraper asks for; without one, the older format.
    package static func accepted(_ header: String?) -> MetricText {
        let wants = header?.split(separator: ",").contains { item in
            item.drop { $0 == " " }.lowercased().hasPrefix("application/openmetrics-text")
        }
        return wants == true ? .openMetrics : .prometheus
    }

    /// The whole text. Families without a sample are left out: what is unknown is not 0.
    package func write(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            let name = self == .prometheus ? family.sampleName : family.name
            // The older format has no type for information.
            let isInfo = self == .prometheus && family.kind == .info
            text += "# HELP \(name) \(family.help)\n"
            text += "# TYPE \(name) \(isInfo ? "gauge" : family.kind.rawValue)\n"
            for sample in family.samples {
                text += family.sampleName
                if let label = sample.label {
                    text += "{\(label.name)=\"\(Self.escaped(label.value))\"}"
                }
                text += " \(sample.value)\n"
            }
        }
        return self == .prometheus ? text : text + "# EOF\n"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        return text
    }
}
