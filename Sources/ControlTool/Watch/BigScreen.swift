import LineProtocol

/// The screen of `geotagctl watch --big`, in letters that can be read from a metre away.
struct BigScreen {
    let status: JSONValue
    /// Columns and lines.
    let width: Int
    let height: Int
    /// The time of day, `14:05`.
    let time: String
    var answer: StyledText?
    var keys: StyledText?

    /// As many lines of large letters as the window has room for; below them the last answer and
    /// the keys.
    var lines: [StyledText] {
        var below: [StyledText] = []
        if let keys { below = [answer ?? StyledText(), keys].map { $0.cut(width) } }
        let room = max(0, height - below.count)
        let shown = words.prefix(max(1, room / (BigText.height + 1)))
        let large = shown.flatMap { text, style in
            BigText.lines(text, width: width).map { StyledText($0, style) } + [StyledText()]
        }
        return Array((large.prefix(room) + below).prefix(height))
    }

    /// What is shown, most important first.
    private var words: [(String, StyledText.Style)] {
        let head = WatchHead(status: status)
        let recording = head.recording.rendered(colours: false)
            .replacing("RECORDING", with: "REC").replacing("NO CAMERAS", with: "NO CAMERA")
        var words = [(recording, head.recording.pieces.first?.style ?? .plain)]
        if let first = head.troubled.first {
            words.append((first.name.uppercased(), .alarm))
            words.append((first.state, .alarm))
        }
        let gps = head.gps.rendered(colours: false)
        let isFix = gps.hasPrefix("GPS ") && gps != "GPS FROZEN"
        let satellites = status["gps"]?["satellites"]?.word ?? ""
        words.append((isFix ? "GPS \(satellites)" : gps, head.gps.pieces.first?.style ?? .plain))
        return words + [(time, .plain)]
    }
}
