import LineProtocol

/// The part of a `status json` that a driver has to know, most important first.
struct WatchHead {
    let status: JSONValue

    /// Cameras in trouble that are named; of the others only the number is shown.
    static let maxNamed = 3

    private var cameras: [JSONValue] {
        guard case .list(let cameras)? = status["cameras"] else { return [] }
        return cameras.filter { $0["number"]?.word != nil }
    }

    /// `RECORDING 3/4 · rear ABSENT · GPS 12 sats 10 Hz`, with as many cameras named as the width
    /// has room for.
    func line(_ width: Int) -> StyledText {
        for named in stride(from: Self.maxNamed, to: 0, by: -1) {
            let line = line(naming: named)
            if line.width <= width { return line }
        }
        return line(naming: 0).cut(width)
    }

    private func line(naming named: Int) -> StyledText {
        var line = StyledText()
        let pieces = [recording] + troubles(naming: named) + bluetooth + [gps] + disk
        for (index, piece) in pieces.enumerated() {
            if index > 0 { line.append(" · ", .faint) }
            line.append(piece)
        }
        return line
    }

    /// How many cameras record; where none does, how many are ready.
    var recording: StyledText {
        let all = cameras
        let recording = all.filter { $0["recording"]?.word == "true" }.count
        let ready = all.filter { $0["state"]?.word == "ready" }.count
        if all.isEmpty { return StyledText("NO CAMERAS", .alarm) }
        if recording > 0 {
            return StyledText(
                "RECORDING \(recording)/\(all.count)", recording == all.count ? .good : .alarm)
        }
        return StyledText("READY \(ready)/\(all.count)", ready == all.count ? .good : .alarm)
    }

    /// Cameras that are not in the state of the others: their names and states.
    var troubled: [(name: String, state: String)] {
        let records = cameras.contains { $0["recording"]?.word == "true" }
        return cameras.compactMap { camera in
            let state = camera["state"]?.word ?? "?"
            let name = camera["name"]?.word ?? "?"
            if state != "ready" { return (name, state.uppercased()) }
            if let heat = camera["temperature"]?.word, heat == "hot" || heat == "shutdown" {
                return (name, "HOT")
            }
            if records, camera["recording"]?.word != "true" { return (name, "NOT RECORDING") }
            return nil
        }
    }

    private func troubles(naming count: Int) -> [StyledText] {
        let all = troubled
        let named = all.prefix(count).map { name, state in
            StyledText("\(name) \(state)", .alarm)
        }
        let more = all.count - named.count
        guard more > 0 else { return named }
        return named + [StyledText(count == 0 ? "\(more) IN TROUBLE" : "+\(more) more", .alarm)]
    }

    private var bluetooth: [StyledText] {
        guard let state = status["bluetooth"]?["state"]?.word, state != "ok" else { return [] }
        return [StyledText("NO BLUETOOTH", .alarm)]
    }

    /// Satellites and rate while there is a fix, else what is missing.
    var gps: StyledText {
        let gps = status["gps"]
        let state = gps?["state"]?.word ?? "?"
        guard state == "fix2d" || state == "fix3d" else {
            let words =
                switch state {
                case "disconnected": "NO GPSD"
                case "nodata": "NO RECEIVER"
                case "nofix": "NO FIX"
                case "frozen": "GPS FROZEN"
                default: "NO GPS"
                }
            return StyledText(words, .alarm)
        }
        var words = state == "fix2d" ? "GPS 2D" : "GPS"
        if let satellites = gps?["satellites"]?.word { words += " \(satellites) sats" }
        if let rate = gps?["rate_hz"]?.word.flatMap({ Double($0) }) {
            words += " " + LineText.decimal(rate, decimals: 0) + " Hz"
        }
        return StyledText(words, state == "fix2d" ? .attention : .good)
    }

    private var disk: [StyledText] {
        status["track"]?["error"]?.word == nil ? [] : [StyledText("NO TRACK", .alarm)]
    }
}
