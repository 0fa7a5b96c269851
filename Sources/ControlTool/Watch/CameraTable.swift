import LineProtocol

/// The cameras of a `status json`, or of `cameras`, as a table.
struct CameraTable {
    let cameras: [JSONValue]
    /// Columns of the screen.
    let width: Int
    /// Pushes a second by name, where two statuses show it.
    var rates: [String: Double] = [:]
    /// The number of the camera that keys command; nil for all.
    var chosen: Int?
    /// Whether lines below a camera's row say what it needs.
    var explains = true
    /// Lines that there is room for, with the head.
    var height = Int.max

    /// What is shown where there are no cameras.
    static let none = StyledText(
        "no cameras: geotagctl pair lets one in, or name them in the configuration", .attention)

    /// The head, then each camera; where there is no room for all, `+3 more`.
    var lines: [StyledText] {
        guard !cameras.isEmpty else { return [Self.none.cut(width)] }
        let longest = cameras.map { $0["name"]?.word?.count ?? 0 }.max() ?? 0
        let columns = WatchColumn.fitting(width, longestName: longest)
        var lines = [row(columns.map { StyledText($0.column.title, .faint) }, columns)]
        for (index, camera) in cameras.enumerated() {
            let block = block(camera, columns)
            let left = cameras.count - index
            // The last line is kept for `+3 more`, unless this camera is the last one.
            let needed = block.count + (left > 1 ? 1 : 0)
            if lines.count + needed > height {
                if lines.count < height {
                    lines.append(StyledText("+\(left) more", .attention).cut(width))
                }
                break
            }
            lines += block
        }
        return lines
    }

    private func block(
        _ camera: JSONValue, _ columns: [(column: WatchColumn, width: Int)]
    ) -> [StyledText] {
        let rate = camera["name"]?.word.flatMap { rates[$0] }
        var cells = columns.map { $0.column.cell(camera, rate: rate) }
        if let chosen, camera["number"]?.word == String(chosen) {
            cells[0] = StyledText("\(chosen)>", .strong)
        }
        return [row(cells, columns)] + (explains ? remark(camera) : [])
    }

    private func row(
        _ cells: [StyledText], _ columns: [(column: WatchColumn, width: Int)]
    ) -> StyledText {
        var line = StyledText()
        for (index, column) in columns.enumerated() {
            if index > 0 { line.append(" ") }
            let isLast = index == columns.count - 1
            line.append(isLast ? cells[index] : cells[index].fitted(column.width))
        }
        return line.cut(width)
    }

    /// What a person should do or know about the camera, below its row.
    private func remark(_ camera: JSONValue) -> [StyledText] {
        if let code = camera["confirm_code"]?.word {
            return [StyledText("   tap the camera; it shows \(code)", .attention).cut(width)]
        }
        if camera["state"]?.word == "listed" {
            return [StyledText("   in range, not yours: pair lets it in", .faint).cut(width)]
        }
        guard let error = camera["error"]?.word else { return [] }
        return [StyledText("   " + error, .attention).cut(width)]
    }

    /// How a state looks: green where the camera works, red where something is missing.
    static func style(state: String) -> StyledText.Style {
        switch state {
        case "ready": .good
        case "absent", "refused", "unsupported", "backoff": .alarm
        case "confirm", "connecting", "handshake": .attention
        default: .faint
        }
    }
}
