import LineProtocol

/// An answer as tables and sentences, for a person at a terminal.
struct AnswerText {
    /// The verb that was asked.
    let verb: String
    /// Columns of the terminal.
    let width: Int
    /// How speed and height are written.
    var units = Units.metric
    private var cameras: [JSONValue] = []
    private var status: JSONValue?
    private var isEmpty = true

    init(verb: String, width: Int, units: Units = .metric) {
        self.verb = verb
        self.width = width
        self.units = units
    }

    /// What is printed before the answer: what the person has to do meanwhile.
    var before: [StyledText] {
        guard verb == "pair" else { return [] }
        return [
            StyledText("Turn the new camera on, close DJI's app, and hold the camera near."),
            StyledText("Listening …", .faint),
        ]
    }

    /// Adds a data line; returns what is to be printed of it at once.
    mutating func add(_ text: String) -> [StyledText] {
        isEmpty = false
        switch verb {
        case "help": return [StyledText(text)]
        case "status":
            status = JSONValue(text)
            return []
        default: break
        }
        guard let line = ReplyLine(text: text) else { return [StyledText(text)] }
        switch (verb, line.kind) {
        case ("cameras", _):
            cameras.append(line.json(kindKey: "kind"))
            return []
        case ("camera", _): return FieldText.list(line.name, line.fields)
        case ("gps", _): return gps(line)
        case ("modes", _):
            return [
                StyledText(
                    pad(line.name, 18) + pad(line["code"] ?? "", 6) + (line["cameras"] ?? ""))
            ]
        case ("reload", _): return [change(line)]
        case (_, "pairing"): return [code(line)]
        default: return [result(line)]
        }
    }

    /// What is to be printed when the answer is complete.
    func end() -> [StyledText] {
        switch verb {
        case "status":
            guard let status else { return [] }
            return WatchScreen(status: status, width: width, units: units).table
        case "cameras":
            guard !cameras.isEmpty else { return [CameraTable.none.cut(width)] }
            return CameraTable(cameras: cameras, width: width, explains: true).lines
        case "reload": return isEmpty ? [StyledText("nothing has changed")] : []
        default: return isEmpty ? [StyledText("done")] : []
        }
    }

    // MARK: Sentences

    private func gps(_ line: ReplyLine) -> [StyledText] {
        let words: String =
            switch line["state"] {
            case "disconnected": "no connection to gpsd: is it running?"
            case "nodata": "gpsd has no receiver, or hears nothing of it"
            case "nofix": "the receiver has no fix yet: it needs sight of the sky"
            case "fix2d": "a fix without height"
            case "fix3d": "a full fix"
            case "frozen": "the receiver repeats one time: unplug it"
            case let state: state ?? "?"
            }
        return FieldText.list("gps: " + words, line.fields)
    }

    private func change(_ line: ReplyLine) -> StyledText {
        var text = StyledText(line.name, .strong)
        if let old = line["old"], let new = line["new"] { text.append(": \(old) → \(new)") }
        text.append(line["applied"] == "restart" ? ", after a restart" : ", from now on")
        return text
    }

    private func code(_ line: ReplyLine) -> StyledText {
        var text = StyledText(line.name, .strong)
        text.append(" asks on its screen: compare the code, ")
        text.append(line["code"] ?? "?", .attention)
        text.append(", and tap to confirm")
        return text
    }

    /// One camera's result.
    private func result(_ line: ReplyLine) -> StyledText {
        var text = StyledText(line.name == "-" ? line.kind : line.name, .strong)
        let result = line["result"] ?? "ok"
        text.append(": ")
        text.append(result, result == "ok" ? .good : result == "absent" ? .attention : .alarm)
        if let reason = line["reason"] { text.append(", " + reason) }
        for field in line.fields where !Self.hidden.contains(field.key) {
            let (label, value) = FieldText.pair(field)
            text.append(", \(label) \(value)")
        }
        if let sent = seconds(line["sent_mono"]), let confirmed = seconds(line["confirmed_mono"]) {
            let took = LineText.decimal(confirmed - sent, decimals: 1)
            text.append(" (\(took) s)", .faint)
        }
        return text
    }

    private static let hidden: Set = [
        "result", "reason", "utc", "mono", "sent_utc", "sent_mono", "confirmed_utc",
        "confirmed_mono",
    ]

    private func seconds(_ text: String?) -> Double? { text.flatMap { Double($0) } }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
