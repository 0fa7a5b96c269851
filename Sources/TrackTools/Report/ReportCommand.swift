/// `track report`: what a drive looked like, as a page.
struct ReportCommand {
    let inputs: TrackInputs
    /// Paths as they were given, for matching clips.
    let words: [String]
    /// A folder of clips, or a clip; nil for none.
    let clips: String?
    let output: String
    let span: ClosedRange<Int64>

    /// - Parameter damaged: gets the files with damaged lines.
    /// - Returns: what is to be said of it.
    func run(damaged: inout [DamagedFile]) throws(TrackToolFault) -> [String] {
        if inputs.contains(output) { throw .ownInput(output) }
        var gatherer = ReportGatherer(inputs, span: span)
        var notes: [String] = []
        if let clips {
            var match = MatchInputs()
            match.clips = [clips]
            match.tracks = words
            let run = try MatchRun(match)
            try run.match()
            gatherer.clips = run.placed
            gatherer.unplaced = run.unplaced.count
            notes += run.problems
            if !run.unplaced.isEmpty {
                notes.append("clips whose time is not known surely enough: \(run.unplaced.count)")
            }
        }
        let data = try gatherer.gather()
        damaged = gatherer.damaged
        try Self.write(data, to: output)
        return notes
    }

    static func write(_ data: ReportData, to path: String) throws(TrackToolFault) {
        let output = try TextOutput(path)
        try ReportPage(data).write(to: output)
        try output.finish()
    }
}
