import LineProtocol

/// Words the keys and values of the line protocol for people.
enum FieldText {
    /// Units that keys end in, and how each is written.
    private static let units = [
        ("_mps", "m/s"), ("_deg", "°"), ("_pct", "%"), ("_dbm", "dBm"), ("_mb", "MB"),
        ("_hz", "Hz"), ("_ms", "ms"), ("_m", "m"), ("_s", "s"),
    ]

    /// `battery_pct` and `87` as `battery` and `87 %`.
    static func pair(_ field: Field) -> (label: String, value: String) {
        for (end, unit) in units where field.key.hasSuffix(end) {
            return (spaced(field.key.dropLast(end.count)), field.value + " " + unit)
        }
        return (spaced(field.key[...]), field.value)
    }

    private static func spaced(_ key: Substring) -> String {
        String(key.map { $0 == "_" ? " " : $0 })
    }

    /// A heading, then one line a field, the values below each other.
    static func list(_ heading: String, _ fields: [Field]) -> [StyledText] {
        let pairs = fields.map(pair)
        let width = pairs.map(\.label.count).max() ?? 0
        return [StyledText(heading, .strong)]
            + pairs.map { label, value in
                var line = StyledText("  " + label, .faint).fitted(width + 4)
                line.append(value)
                return line
            }
    }
}
