import LineProtocol

/// The table of `geotagctl watch`: a `status json` as lines of at most so many columns.
struct WatchTable {
    let status: JSONValue
    let width: Int
    /// Pushes a second by camera, where two looks tell it.
    var rates: [String: Double] = [:]

    var lines: [StyledText] {
        [StyledText(daemonWords, .strong).cut(width)] + wrapped("GPS", gpsWords)
            + wrapped("PUSH", pushWords) + bluetoothLines + wrapped("TRACK", trackWords)
            + [StyledText()] + cameraLines
    }

    // MARK: Above the table

    private var daemonWords: String {
        let version = status["version"]?.word ?? "?"
        let uptime = number(status["uptime_s"]).map { "  up " + Self.clock(Int($0)) } ?? ""
        return "geotagd \(version)" + uptime
    }

    private var gpsWords: [StyledText] {
        let gps = status["gps"]
        let state = gps?["state"]?.word ?? "?"
        var words = [StyledText(state, state.hasPrefix("fix") ? .good : .alarm)]
        func add(_ key: String, _ before: String = "", _ after: String = "") {
            if let word = gps?[key]?.word { words.append(StyledText(before + word + after)) }
        }
        add("satellites", "", " sats")
        add("quality")
        add("rate_hz", "", " Hz")
        if let latitude = number(gps?["latitude"]), let longitude = number(gps?["longitude"]) {
            let place =
                LineText.decimal(latitude, decimals: 6) + " "
                + LineText.decimal(longitude, decimals: 6)
            words.append(StyledText(place))
        }
        add("altitude_m", "", " m")
        add("speed_mps", "", " m/s")
        add("course_deg", "", " deg")
        add("age_s", "", " s old")
        return words
    }

    private var pushWords: [StyledText] {
        let push = status["push"]
        let rate = push?["rate_hz"]?.word ?? "?"
        let dropped = push?["dropped"]?.word ?? "?"
        return [
            StyledText("\(rate) of \(push?["target_hz"]?.word ?? "?") Hz"),
            StyledText("\(push?["sent"]?.word ?? "?") sent"),
            StyledText("\(dropped) dropped", dropped == "0" ? .plain : .attention),
        ]
    }

    /// Nothing while Bluetooth is as it should be.
    private var bluetoothLines: [StyledText] {
        guard let reason = status["bluetooth"]?["reason"]?.word else { return [] }
        return wrapped("BLUE", [StyledText(reason, .alarm)])
    }

    private var trackWords: [StyledText] {
        let track = status["track"]
        if let error = track?["error"]?.word { return [StyledText(error, .alarm)] }
        guard let path = track?["path"]?.word else { return [StyledText("none open", .faint)] }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [StyledText(name), StyledText("\(track?["rows"]?.word ?? "?") rows")]
    }

    /// A title and words behind it, broken where the width ends.
    private func wrapped(_ title: String, _ words: [StyledText]) -> [StyledText] {
        let indent = 6
        var lines: [StyledText] = []
        var line = StyledText(title, .faint).fitted(indent)
        for word in words {
            if line.width > indent, line.width + 2 + word.width > width {
                lines.append(line.cut(width))
                line = StyledText().fitted(indent)
            }
            if line.width > indent { line.append("  ") }
            line.append(word)
        }
        return lines + [line.cut(width)]
    }

    // MARK: The table

    private var cameraLines: [StyledText] {
        guard case .list(let cameras)? = status["cameras"], !cameras.isEmpty else {
            return [
                StyledText("no cameras: name them in the configuration, or pair", .attention)
                    .cut(width)
            ]
        }
        let columns = WatchColumn.fitting(width)
        let head = row(columns.map { StyledText($0.title, .faint) }, columns)
        return [head]
            + cameras.flatMap { camera in
                let rate = camera["name"]?.word.flatMap { rates[$0] }
                let cells = columns.map { $0.cell(camera, rate: rate) }
                return [row(cells, columns)] + remark(camera)
            }
    }

    private func row(_ cells: [StyledText], _ columns: [WatchColumn]) -> StyledText {
        var line = StyledText()
        for (index, column) in columns.enumerated() {
            if index > 0 { line.append(" ") }
            let isLast = index == columns.count - 1
            line.append(isLast ? cells[index] : cells[index].fitted(column.width))
        }
        return line.cut(width)
    }

    /// What somebody should do or know, below the camera's row.
    private func remark(_ camera: JSONValue) -> [StyledText] {
        if let code = camera["confirm_code"]?.word {
            return [StyledText("   tap the camera; it shows \(code)", .attention).cut(width)]
        }
        guard let error = camera["error"]?.word else { return [] }
        return [StyledText("   " + error, .attention).cut(width)]
    }

    private func number(_ value: JSONValue?) -> Double? { value?.word.flatMap { Double($0) } }

    /// `0:12`, `1:02:03`.
    static func clock(_ seconds: Int) -> String {
        func two(_ count: Int) -> String { (count < 10 ? "0" : "") + String(count) }
        let (hours, rest) = (seconds / 3600, seconds % 3600)
        if hours == 0 { return "\(rest / 60):\(two(rest % 60))" }
        return "\(hours):\(two(rest / 60)):\(two(rest % 60))"
    }
}
