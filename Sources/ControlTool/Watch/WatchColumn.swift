import LineProtocol

/// A column of the cameras' table; on narrow screens the less important ones are left out.
enum WatchColumn: CaseIterable {
    case number, name, state, recording, battery, mode, gps, rate, card, remaining, temperature
    case signal

    /// Columns of a screen that is wide enough to show names whole.
    static let wideScreen = 120

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
        case .temperature: "TEMP"
        case .signal: "DBM"
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
        case .temperature: 8
        case .signal: 4
        }
    }

    /// The columns that fit, with their widths. The more important ones are chosen first; they are
    /// declared in that order.
    ///
    /// - Parameter longestName: characters of the longest name that is to be shown.
    static func fitting(
        _ width: Int, longestName: Int = 0
    ) -> [(column: WatchColumn, width: Int)] {
        var columns: [(column: WatchColumn, width: Int)] = []
        var left = width + 1
        for column in allCases {
            let isWhole = column == .name && width >= wideScreen
            let needed = isWhole ? max(column.width, longestName) : column.width
            guard needed + 1 <= left else { break }
            columns.append((column, needed))
            left -= needed + 1
        }
        return columns.isEmpty ? [(.number, width)] : columns
    }

    /// The cell of this column for a camera of `status json`.
    func cell(_ camera: JSONValue, rate: Double?) -> StyledText {
        func word(_ key: String) -> String? { camera[key]?.word }
        let unknown = StyledText("-", .faint)
        switch self {
        case .number: return StyledText(word("number") ?? "")
        case .name: return StyledText(word("name") ?? "?", .strong)
        case .state:
            let state = word("state") ?? "?"
            return StyledText(state, CameraTable.style(state: state))
        case .recording:
            guard word("recording") == "true" else { return unknown }
            let seconds = word("record_s").flatMap { Int($0) } ?? 0
            return StyledText(WatchScreen.clock(seconds), .alarm)
        case .battery:
            guard let battery = word("battery_pct").flatMap({ Int($0) }) else { return unknown }
            return StyledText("\(battery)%", battery <= 20 ? .attention : .plain)
        case .mode: return StyledText(word("mode_params") ?? word("mode") ?? "-")
        case .gps:
            let gps = word("gps") ?? "?"
            return StyledText(gps, gps == "pushing" ? .good : gps == "off" ? .faint : .attention)
        case .rate: return rate.map { StyledText(LineText.decimal($0, decimals: 1)) } ?? unknown
        case .card:
            return word("card_free_mb").flatMap { Int($0) }.map { StyledText(Self.size($0)) }
                ?? unknown
        case .remaining:
            return word("remaining_s").flatMap { Int($0) }.map { StyledText(Self.span($0)) }
                ?? unknown
        case .temperature:
            guard let temperature = word("temperature") else { return unknown }
            return StyledText(temperature, temperature == "normal" ? .plain : .alarm)
        case .signal: return word("rssi_dbm").map { StyledText($0) } ?? unknown
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
