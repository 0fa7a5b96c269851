/// `track gpx`, `track kml`, `track geojson`: the rows of all tracks as one file of another format.
struct ConvertCommand {
    let inputs: TrackInputs
    let span: ClosedRange<Int64>
    /// nil for standard output.
    let output: String?

    /// Writes nothing where there are no rows.
    ///
    /// - Parameter damaged: gets the files with damaged lines, even where an error is thrown.
    func run(
        _ format: some TrackFormat, damaged: inout [DamagedFile]
    ) throws(TrackToolFault) {
        if let output, inputs.contains(output) { throw .ownInput(output) }
        var waypoints: [Waypoint] = []
        damaged += try EventReader.read(inputs.events) { event in
            if let mark = Waypoint(event), mark.lies(in: span) { waypoints.append(mark) }
        }
        let stream = TrackStream(inputs.tracks, span: span)
        defer { damaged += stream.damaged }
        guard let path = inputs.tracks.first, let first = try stream.next() else { throw .empty }
        var format = format
        let output = try TextOutput(output)
        try format.begin(name: Self.name(inputs.name(of: path)), waypoints: waypoints, to: output)
        var segmenter = Segmenter()
        var next: TrackRecord? = first
        while let record = next {
            try format.append(
                record, startsSegment: segmenter.startsSegment(record), to: output)
            next = try stream.next()
        }
        try format.end(to: output)
        try output.finish()
    }

    private static func name(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".csv") ? String(name.dropLast(4)) : name
    }
}
