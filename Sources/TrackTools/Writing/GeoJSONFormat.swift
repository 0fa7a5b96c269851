import TrackFormat

/// GeoJSON (RFC 7946): a line for each piece of the track, with the times of its places in
/// `coordTimes`.
struct GeoJSONFormat: TrackFormat {
    private var batch = RecordBatch()
    private var hasFeature = false
    private var name = ""

    mutating func begin(
        name: String, waypoints: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault) {
        self.name = name
        try output.write("{\"type\":\"FeatureCollection\",\"features\":[\n")
        for waypoint in waypoints {
            var row = RowText()
            separate(&row)
            row.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
            row.append(degreesE8: waypoint.longitudeE8)
            row.append(",")
            row.append(degreesE8: waypoint.latitudeE8)
            row.append("]},\"properties\":{\"name\":")
            row.append(json: waypoint.name)
            if let milliseconds = waypoint.milliseconds {
                row.append(",\"time\":\"")
                row.append(utc: milliseconds)
                row.append("\"")
            }
            row.append("}}")
            try output.write(row)
        }
    }

    mutating func append(
        _ record: TrackRecord, startsSegment: Bool, to output: TextOutput
    ) throws(TrackToolFault) {
        let done = batch.append(record, startsSegment: startsSegment)
        try write(done, to: output)
    }

    mutating func end(to output: TextOutput) throws(TrackToolFault) {
        try write(batch.records, to: output)
        try output.write("\n]}\n")
    }

    private mutating func separate(_ row: inout RowText) {
        if hasFeature { row.append(",\n") }
        hasFeature = true
    }

    private mutating func write(
        _ records: [TrackRecord], to output: TextOutput
    ) throws(TrackToolFault) {
        guard !records.isEmpty else { return }
        var row = RowText()
        separate(&row)
        // A line needs two places.
        let isLine = records.count > 1
        row.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"")
        row.append(isLine ? "LineString\",\"coordinates\":[" : "Point\",\"coordinates\":")
        try output.write(row)
        for (index, record) in records.enumerated() {
            try output.write(Self.coordinates(record, isFirst: index == 0))
        }
        row = RowText()
        row.append(isLine ? "]},\"properties\":{\"name\":" : "},\"properties\":{\"name\":")
        row.append(json: name)
        row.append(",\"coordTimes\":[")
        try output.write(row)
        for (index, record) in records.enumerated() {
            var time = RowText()
            time.append(index == 0 ? "\"" : ",\"")
            time.append(utc: record.milliseconds)
            time.append("\"")
            try output.write(time)
        }
        try output.write("]}}")
    }

    private static func coordinates(_ record: TrackRecord, isFirst: Bool) -> RowText {
        var row = RowText()
        row.append(isFirst ? "[" : ",[")
        row.append(degreesE8: record.longitudeE8)
        row.append(",")
        row.append(degreesE8: record.latitudeE8)
        if let height = record.heightCentimetres {
            row.append(",")
            row.append(count: height, decimals: 2)
        }
        row.append("]")
        return row
    }
}
