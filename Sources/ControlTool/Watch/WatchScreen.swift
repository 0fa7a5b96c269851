import LineProtocol

/// The screen of `geotagctl watch`: a `status json` as lines that fit a window.
struct WatchScreen {
    let status: JSONValue
    /// Columns of the window.
    let width: Int
    /// Lines of the window.
    var height = Int.max
    /// Pushes a second by camera, where two statuses show it.
    var rates: [String: Double] = [:]
    var units = Units.metric
    /// The time of day, shown at the right end of the first line; empty for none.
    var time = ""
    /// The number of the camera that keys command; nil for all.
    var chosen: Int?
    /// The answer to the last command, or the open question; nil where there is neither.
    var answer: StyledText?
    /// The keys that can do something now; nil where there are no keys.
    var keys: StyledText?

    /// Windows with fewer lines show the cameras only.
    static let fullHeight = 16

    /// The live screen.
    var lines: [StyledText] {
        var below: [StyledText] = []
        if let answer {
            below.append(answer.cut(width))
        } else if keys != nil {
            below.append(StyledText())
        }
        if let keys { below.append(keys.cut(width)) }
        let isSmall = height < Self.fullHeight
        let above = [first] + (isSmall ? [] : facts + [StyledText()])
        var table = cameraTable
        table.explains = !isSmall
        table.height = max(2, height - above.count - below.count - (isSmall ? 0 : 1))
        let gap = isSmall || below.isEmpty ? [] : [StyledText()]
        return Array((above + table.lines + gap + below).prefix(height))
    }

    /// What `--once` and `status` print.
    var table: [StyledText] { [first] + facts + [StyledText()] + cameraTable.lines }

    private var cameraTable: CameraTable {
        CameraTable(cameras: cameras, width: width, rates: rates, chosen: chosen)
    }

    private var cameras: [JSONValue] {
        guard case .list(let cameras)? = status["cameras"] else { return [] }
        return cameras
    }

    // MARK: The first line

    /// The most important facts, and the time of day where there is room.
    private var first: StyledText {
        var line = WatchHead(status: status).line(width)
        let left = width - line.width - time.count
        guard !time.isEmpty, left >= 2 else { return line }
        line.append(String(repeating: " ", count: left))
        line.append(time, .faint)
        return line
    }

    // MARK: Below it

    private var facts: [StyledText] {
        wrapped("GPS", gpsWords) + wrapped("PUSH", pushWords) + wrapped("TRACK", trackWords)
            + auto + bluetooth
    }

    /// What the rules are up to; nothing where none are at work, or the daemon is older than they are.
    private var auto: [StyledText] {
        guard let auto = status["auto"], auto["state"]?.word == "on" else { return [] }
        var words = [StyledText(auto["moving"]?.word == "yes" ? "moving" : "at rest")]
        if let place = auto["place"]?.word { words.append(StyledText("in " + place)) }
        if let hand = auto["hand"]?.word {
            words.append(StyledText("by hand: " + hand, .attention))
        }
        return wrapped("AUTO", words)
    }

    /// What is wrong with Bluetooth, and the way out.
    private var bluetooth: [StyledText] {
        guard let reason = status["bluetooth"]?["reason"]?.word else { return [] }
        return wrapped("BLUETOOTH", [StyledText(reason, .alarm)], indent: 10)
    }

    private var gpsWords: [StyledText] {
        let gps = status["gps"]
        let state = gps?["state"]?.word ?? "?"
        var words = [StyledText(state, state.hasPrefix("fix") ? .good : .alarm)]
        func add(_ key: String, _ text: (Double) -> String) {
            if let number = number(gps?[key]) { words.append(StyledText(text(number))) }
        }
        if let quality = gps?["quality"]?.word { words.append(StyledText(quality)) }
        if let latitude = number(gps?["latitude"]), let longitude = number(gps?["longitude"]) {
            let place =
                LineText.decimal(latitude, decimals: 6) + " "
                + LineText.decimal(longitude, decimals: 6)
            words.append(StyledText(place))
        }
        add("altitude_m") { units.height($0) }
        add("speed_mps") { units.speed($0) }
        add("course_deg") { LineText.decimal($0, decimals: 0) + "°" }
        return words
    }

    private var pushWords: [StyledText] {
        let push = status["push"]
        let dropped = push?["dropped"]?.word ?? "?"
        return [
            StyledText("\(push?["rate_hz"]?.word ?? "?") of \(push?["target_hz"]?.word ?? "?") Hz"),
            StyledText("\(push?["sent"]?.word ?? "?") sent"),
            StyledText("\(dropped) dropped", dropped == "0" ? .plain : .attention),
        ]
    }

    private var trackWords: [StyledText] {
        let track = status["track"]
        if let error = track?["error"]?.word { return [StyledText(error, .alarm)] }
        guard let path = track?["path"]?.word else { return [StyledText("none open", .faint)] }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [StyledText(name), StyledText("\(track?["rows"]?.word ?? "?") rows")]
    }

    /// A title and the words behind it, broken into lines of the window's width.
    private func wrapped(
        _ title: String, _ words: [StyledText], indent: Int = 6
    ) -> [StyledText] {
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

    private func number(_ value: JSONValue?) -> Double? { value?.word.flatMap { Double($0) } }

    /// `0:12`, `1:02:03`.
    static func clock(_ seconds: Int) -> String {
        func two(_ count: Int) -> String { (count < 10 ? "0" : "") + String(count) }
        let (hours, rest) = (seconds / 3600, seconds % 3600)
        if hours == 0 { return "\(rest / 60):\(two(rest % 60))" }
        return "\(hours):\(two(rest / 60)):\(two(rest % 60))"
    }
}
