import LineProtocol

/// A column of the table; on narrow screens the less important ones are left out.
enum WatchColumn: CaseIterable {
    case number, name, state, recording, battery, mode, gps, rate, card, remaining

    var title: String {
        switch self {
        case .number: "#"
        case .name: "NAME"
        case .state: "STATE"
        case .recording: "REC"
        case .battery: "BAT"
        case .mode: "MODE"
        case .gps: "GPS"
        case .rate: "HZ"
        case .card: "CARD"
        case .remaining: "LEFT"
        }
    }

    /// Characters.
    var width: Int {
        switch self {
        case .number: 2
        case .name: 12
        case .state: 10
        case .recording: 7
        case .battery: 4
        case .mode: 13
        case .gps: 7
        case .rate: 4
        case .card: 6
        case .remaining: 5
        }
    }

    /// Those that fit, the more important first considered: they stand so in the declaration.
    static func fitting(_ width: Int) -> [WatchColumn] {
        var columns: [WatchColumn] = []
        var left = width + 1
        for column in allCases {
            guard column.width + 1 <= left else { break }
            columns.append(column)
            left -= column.width + 1
        }
        return columns.isEmpty ? [.number] : columns
    }

    /// What stands there for a camera of `status json`.
    func cell(_ camera: JSONValue, rate: Double?) -> StyledText {
        func word(_ key: String) -> String? { camera[key]?.word }
        switch self {
        case .number: return StyledText(word("number") ?? "")
        case .name: return StyledText(word("name") ?? "?", .strong)
        case .state:
            let state = word("state") ?? "?"
            return StyledText(state, Self.style(state))
        case .recording:
            guard word("recording") == "true" else { return StyledText("-", .faint) }
            let seconds = word("record_s").flatMap { Int($0) } ?? 0
            return StyledText(WatchTable.clock(seconds), .alarm)
        case .battery:
            guard let battery = word("battery_pct").flatMap({ Int($0) }) else {
                return StyledText("-", .faint)
            }
            return StyledText("\(battery)%", battery <= 20 ? .attention : .plain)
        case .mode: return StyledText(word("mode_params") ?? word("mode") ?? "-")
        case .gps:
            let gps = word("gps") ?? "?"
            return StyledText(gps, gps == "pushing" ? .good : gps == "off" ? .faint : .attention)
        case .rate:
            return rate.map { StyledText(LineText.decimal($0, decimals: 1)) }
                ?? StyledText("-", .faint)
        case .card:
            return word("card_free_mb").flatMap { Int($0) }.map { StyledText(Self.size($0)) }
                ?? StyledText("-", .faint)
        case .remaining:
            return word("remaining_s").flatMap { Int($0) }.map { StyledText(Self.span($0)) }
                ?? StyledText("-", .faint)
        }
    }

    private static func style(_ state: String) -> StyledText.Style {
        switch state {
        case "ready": .good
        case "refused", "unsupported", "backoff": .alarm
        case "confirm", "connecting", "handshake": .attention
        default: .faint
        }
    }

    private static func size(_ megabytes: Int) -> String {
        guard megabytes >= 1000 else { return "\(megabytes)M" }
        return LineText.decimal(Double(megabytes) / 1024, decimals: 1) + "G"
    }

    private static func span(_ seconds: Int) -> String {
        if seconds >= 36_000 { return "\(seconds / 3600)h" }
        if seconds >= 3600 { return "\(seconds / 3600)h\(seconds % 3600 / 60)" }
        return seconds >= 60 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
