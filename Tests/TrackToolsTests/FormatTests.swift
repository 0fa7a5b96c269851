import Foundation
import LineProtocol
import Testing

@testable import TrackTools

@Suite struct FormatTests {
    /// 10 rows, a pause of 11 s, 5 rows, and a mark.
    private func drive() throws -> (TrackFixture, String) {
        let fixture = try TrackFixture()
        let path = try fixture.track(Array(0..<10) + Array(120..<125))
        try fixture.events([(5, .mark, "-", [Field("text", "a <b> & \"c\"")])])
        return (fixture, path)
    }

    @Test("GPX has every row, in pieces where the rig was not followed") func gpxHasEveryRowPieces()
        throws
    {
        let (fixture, path) = try drive()
        let text = try fixture.converted("gpx", [path])
        let parser = XMLReader(text)
        #expect(parser.isWellFormed)
        #expect(parser.elements["trkpt"] == 15)
        #expect(parser.elements["trkseg"] == 2)
        #expect(parser.elements["wpt"] == 1)
        #expect(parser.texts["name"]?.first == "a <b> & \"c\"")
        #expect(text.contains("<time>2026-07-01T10:00:00.000Z</time>"))
        #expect(
            text.contains(
                "<trkpt lat=\"0.00000000\" lon=\"0.00000898\"><ele>100.00</ele>"
                    + "<time>2026-07-01T10:00:00.100Z</time><fix>3d</fix><sat>9</sat>"
                    + "<hdop>1.00</hdop><extensions><gpxtpx:TrackPointExtension>"
                    + "<gpxtpx:speed>10.000</gpxtpx:speed><gpxtpx:course>90.00</gpxtpx:course>"
                    + "</gpxtpx:TrackPointExtension></extensions></trkpt>"))
    }

    @Test("KML has a time for each place") func kmlHasTimeEachPlace() throws {
        let (fixture, path) = try drive()
        let parser = XMLReader(try fixture.converted("kml", [path]))
        #expect(parser.isWellFormed)
        #expect(parser.elements["gx:Track"] == 2)
        #expect(parser.elements["when"] == 16)
        #expect(parser.elements["gx:coord"] == 15)
        #expect(parser.texts["gx:coord"]?.first == "0.00000000 0.00000000 100.00")
    }

    @Test("GeoJSON has lines with times") func geojsonHasLinesTimes() throws {
        let (fixture, path) = try drive()
        let text = try fixture.converted("geojson", [path])
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(json?["features"] as? [[String: Any]])
        #expect(features.count == 3)
        let lengths = features.dropFirst().map { feature in
            let geometry = feature["geometry"] as? [String: Any]
            let properties = feature["properties"] as? [String: Any]
            let places = geometry?["coordinates"] as? [[Double]]
            let times = properties?["coordTimes"] as? [String]
            #expect(geometry?["type"] as? String == "LineString")
            #expect(places?.count == times?.count)
            return places?.count
        }
        #expect(lengths == [10, 5])
    }

    @Test("A lone row is a point, since a line needs two") func loneRowPointSinceLine() throws {
        let fixture = try TrackFixture()
        let text = try fixture.converted("geojson", [try fixture.track(0...0)])
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let feature = (json?["features"] as? [[String: Any]])?.first
        #expect((feature?["geometry"] as? [String: Any])?["type"] as? String == "Point")
    }

    @Test(
        "A long line is cut into pieces that join",
        arguments: [RecordBatch.maxPoints, RecordBatch.maxPoints + 1, 2 * RecordBatch.maxPoints])
    func longLineCutIntoPieces(count: Int) throws {
        let fixture = try TrackFixture()
        var record = try #require(try TrackStream([try fixture.track(0...0)]).next())
        var batch = RecordBatch()
        var pieces: [ClosedRange<Int64>] = []
        for number in 0..<count {
            record.milliseconds = Int64(number)
            let done = batch.append(record, startsSegment: number == 0)
            #expect(done.isEmpty || done.count == RecordBatch.maxPoints)
            if let first = done.first, let last = done.last {
                pieces.append(first.milliseconds...last.milliseconds)
            }
        }
        #expect(batch.records.count <= RecordBatch.maxPoints)
        #expect(pieces.count == (count - 2) / (RecordBatch.maxPoints - 1))
        let begins = pieces.dropFirst().map(\.lowerBound) + [batch.records[0].milliseconds]
        #expect(begins.last == 0 || pieces.map(\.upperBound) == begins)
    }

    @Test("Only rows between two instants") func onlyRowsBetweenTwoInstants() throws {
        let (fixture, path) = try drive()
        let span = ["--from", "2026-07-01T10:00:00.300Z", "--to=2026-07-01 10:00:12.1"]
        let parser = XMLReader(try fixture.converted("gpx", [path] + span))
        #expect(parser.elements["trkpt"] == 9)
        #expect(parser.elements["wpt"] == 1)
        #expect(parser.elements["trkseg"] == 2)
    }

    @Test("Files are joined in the order of their time, and cut rows left out")
    func filesJoinedOrderTheirTime() throws {
        let fixture = try TrackFixture()
        let late = try fixture.track(100..<103)
        let early = try fixture.track(0..<3)
        let whole = try #require(fixture.bytes(late))
        _ = try fixture.write(Array(whole.dropLast(60)), to: "track-20260701T100010Z.csv")
        let text = try fixture.converted("gpx", [late, early])
        let times = XMLReader(text).texts["time"] ?? []
        #expect(times.count == 5)
        #expect(times == times.sorted())
        // The folder gives the same result.
        #expect(try fixture.converted("gpx", [fixture.path]) == text)
    }

    @Test(
        "What cannot be done ends with the status that says so",
        arguments: [
            ([], 64), (["walk"], 64), (["info"], 64), (["info", "--fast", "x"], 64),
            (["gpx", "x", "--from"], 64), (["gpx", "x", "--from", "now"], 64),
            (["gpx", "x", "--from", "2026-07-02", "--to", "2026-07-01"], 64),
            (["info", "/nowhere/track.csv"], 66), (["info", "/etc/hostname"], 65),
            (["help"], 0),
        ] as [([String], Int32)])
    func whatCannotDoneEndsStatus(words: [String], status: Int32) {
        #expect(TrackCommand.run(words) == status)
    }
}
