import TrackFormat

/// KML 2.2 with Google's track element, which keeps the time of each place.
struct KMLFormat: TrackFormat {
    private var batch = RecordBatch()

    mutating func begin(
        name: String, waypoints: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault) {
        var row = RowText()
        row.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" \
            xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document><name>
            """)
        row.append(xml: name)
        row.append("</name>\n")
        for waypoint in waypoints {
            row.append("<Placemark><name>")
            row.append(xml: waypoint.name)
            row.append("</name>")
            if let milliseconds = waypoint.milliseconds {
                row.append("<TimeStamp><when>")
                row.append(utc: milliseconds)
                row.append("</when></TimeStamp>")
            }
            row.append("<Point><coordinates>")
            row.append(degreesE8: waypoint.longitudeE8)
            row.append(",")
            row.append(degreesE8: waypoint.latitudeE8)
            row.append("</coordinates></Point></Placemark>\n")
        }
        row.append("<Placemark><name>")
        row.append(xml: name)
        row.append("</name><gx:MultiTrack><gx:interpolate>0</gx:interpolate>\n")
        try output.write(row)
    }

    mutating func append(
        _ record: TrackRecord, startsSegment: Bool, to output: TextOutput
    ) throws(TrackToolFault) {
        // In two steps: while another copy of the batch exists, each append would copy it whole.
        let done = batch.append(record, startsSegment: startsSegment)
        try Self.write(done, to: output)
    }

    mutating func end(to output: TextOutput) throws(TrackToolFault) {
        try Self.write(batch.records, to: output)
        try output.write("</gx:MultiTrack></Placemark>\n</Document></kml>\n")
    }

    private static func write(
        _ records: [TrackRecord], to output: TextOutput
    ) throws(TrackToolFault) {
        guard !records.isEmpty else { return }
        // Heights are called heights above sea level only where all of them are known.
        let hasHeights = records.allSatisfy { $0.heightCentimetres != nil }
        let mode = hasHeights ? "<altitudeMode>absolute</altitudeMode>\n" : ""
        try output.write("<gx:Track>" + mode)
        for record in records {
            var row = RowText()
            row.append("<when>")
            row.append(utc: record.milliseconds)
            row.append("</when>\n")
            try output.write(row)
        }
        for record in records {
            var row = RowText()
            row.append("<gx:coord>")
            row.append(degreesE8: record.longitudeE8)
            row.append(" ")
            row.append(degreesE8: record.latitudeE8)
            row.append(" ")
            row.append(count: record.heightCentimetres ?? 0, decimals: 2)
            row.append("</gx:coord>\n")
            try output.write(row)
        }
        try output.write("</gx:Track>\n")
    }
}
