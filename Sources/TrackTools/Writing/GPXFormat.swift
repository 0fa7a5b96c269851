import TrackFormat

/// GPX 1.1, with speed and course in the extension that Garmin's and most other programs read.
struct GPXFormat: TrackFormat {
    private var isInSegment = false
    /// The longitude of the last row as it was written, 1e-8 degrees.
    private var lastLongitude: Int64?

    mutating func begin(
        name: String, waypoints: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault) {
        try output.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="geotagd" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">

            """)
        for waypoint in waypoints {
            var row = RowText()
            row.append("<wpt lat=\"")
            row.append(degreesE8: waypoint.latitudeE8)
            row.append("\" lon=\"")
            row.append(degreesE8: Self.longitude(waypoint.longitudeE8))
            row.append("\">")
            if let milliseconds = waypoint.milliseconds {
                row.append("<time>")
                row.append(utc: milliseconds)
                row.append("</time>")
            }
            row.append("<name>")
            row.append(xml: waypoint.name)
            row.append("</name></wpt>\n")
            try output.write(row)
        }
        var row = RowText()
        row.append("<trk><name>")
        row.append(xml: name)
        row.append("</name>\n")
        try output.write(row)
    }

    mutating func append(
        _ record: TrackRecord, startsSegment: Bool, to output: TextOutput
    ) throws(TrackToolFault) {
        var row = RowText()
        // A line through 180 degrees would be drawn around the whole earth.
        let longitude = Self.longitude(record.longitudeE8)
        let isCut = lastLongitude.map { DateLine.lies(between: $0, longitude) } ?? false
        lastLongitude = longitude
        if startsSegment || isCut {
            row.append(isInSegment ? "</trkseg>\n<trkseg>\n" : "<trkseg>\n")
            isInSegment = true
        }
        row.append("<trkpt lat=\"")
        row.append(degreesE8: record.latitudeE8)
        row.append("\" lon=\"")
        row.append(degreesE8: longitude)
        row.append("\">")
        if let height = record.heightCentimetres {
            row.append("<ele>")
            row.append(count: height, decimals: 2)
            row.append("</ele>")
        }
        row.append("<time>")
        row.append(utc: record.milliseconds)
        row.append(record.is3D ? "</time><fix>3d</fix>" : "</time><fix>2d</fix>")
        if let satellites = record.satellites {
            row.append("<sat>")
            row.append(UInt64(satellites))
            row.append("</sat>")
        }
        if let hdop = record.hdopHundredths {
            row.append("<hdop>")
            row.append(count: hdop, decimals: 2)
            row.append("</hdop>")
        }
        appendMotion(of: record, to: &row)
        row.append("</trkpt>\n")
        try output.write(row)
    }

    /// The schema allows -180 and forbids 180.
    private static func longitude(_ degreesE8: Int64) -> Int64 {
        degreesE8 == 18_000_000_000 ? -degreesE8 : degreesE8
    }

    private func appendMotion(of record: TrackRecord, to row: inout RowText) {
        guard let speed = record.speedMillimetresPerSecond else { return }
        row.append("<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>")
        row.append(count: speed, decimals: 3)
        row.append("</gpxtpx:speed>")
        if let heading = record.headingCentidegrees {
            row.append("<gpxtpx:course>")
            row.append(count: heading, decimals: 2)
            row.append("</gpxtpx:course>")
        }
        row.append("</gpxtpx:TrackPointExtension></extensions>")
    }

    mutating func end(to output: TextOutput) throws(TrackToolFault) {
        try output.write((isInSegment ? "</trkseg>\n" : "") + "</trk>\n</gpx>\n")
    }
}
