/// What a report lists: marks, recordings that failed, gaps.
struct ReportTables {
    private let data: ReportData

    init(_ data: ReportData) { self.data = data }

    var html: String {
        var text = ""
        let marks = data.marks.prefix(ReportData.maxRows).enumerated().map { number, mark in
            ["\(number + 1)", ReportText.clock(mark.milliseconds), mark.text]
        }
        text += table("Marks", "marks", ["", "UTC", "text"], marks, of: data.marks.count)
        let failures = data.failures.prefix(ReportData.maxRows).map { failure in
            [ReportText.clock(failure.milliseconds), failure.camera, failure.words]
        }
        text += table(
            "Recordings that failed", "failures", ["UTC", "camera", "what"], failures,
            of: data.failures.count)
        let gaps = data.gaps.map { gap in
            [ReportText.clock(gap.begin), ReportText.duration(gap.milliseconds)]
        }
        text += table("Gaps", "gaplist", ["from, UTC", "how long"], gaps, of: data.gapCount)
        return text
    }

    private func table(
        _ title: String, _ id: String, _ head: [String], _ rows: [[String]], of all: Int
    ) -> String {
        guard !rows.isEmpty else { return "" }
        var text = "<section>\n<h2>\(title)</h2>\n<table id=\"\(id)\"><thead><tr>"
        text += head.map { "<th>\($0)</th>" }.joined() + "</tr></thead><tbody>\n"
        for row in rows {
            text += "<tr>" + row.map { "<td>\(ReportText.escaped($0))</td>" }.joined() + "</tr>\n"
        }
        text += "</tbody></table>\n"
        if all > rows.count { text += "<p>\(rows.count) of \(all).</p>\n" }
        return text + "</section>\n"
    }
}
