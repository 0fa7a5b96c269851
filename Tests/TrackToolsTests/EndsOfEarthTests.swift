import Clock
import Foundation
import Navigation
import Testing
import TrackFormat

@testable import TrackTools

@Suite struct EndsOfEarthTests {
    /// A track through these places, latitude and longitude in degrees, a tenth of a second apart.
    private func track(_ places: [(Double, Double)], in fixture: TrackFixture) throws -> String {
        var bytes = Array(TrackRow.header.utf8)
        for (number, place) in places.enumerated() {
            var epoch = TrackFixture.epoch(number)
            epoch.fix.latitudeDegrees = place.0
            epoch.fix.longitudeDegrees = place.1
            bytes += TrackRow.line(epoch, time: try #require(epoch.fix.time))
        }
        return try fixture.write(bytes, to: "track-20260701T100000Z.csv")
    }

    private func metres(_ path: String) throws -> Double {
        var summary = TrackSummary()
        let stream = TrackStream([path])
        while let record = try stream.next() { summary.add(record, startsSegment: false) }
        return summary.metres
    }

    private static let dateLine: [(Double, Double)] = [
        (0, 179.999_98), (0, 179.999_99), (0, 180), (0, -179.999_99), (0, -179.999_98),
    ]

    @Test("GPX knows no longitude of 180, and is told the same place") func gpxKnowsNoLongitude180()
        throws
    {
        let fixture = try TrackFixture()
        let path = try track(Self.dateLine + [(0, -180), (0, 179.999_999_999)], in: fixture)
        let text = try fixture.converted("gpx", [path])
        #expect(!text.contains("lon=\"180"))
        #expect(text.components(separatedBy: "lon=\"-180.00000000\"").count == 4)
        // The line is cut where it would go around the earth as written.
        #expect(XMLReader(text).elements["trkseg"] == 2)
    }

    @Test("Lines end at the date line, and the way goes on") func linesEndDateLineWay() throws {
        let fixture = try TrackFixture()
        let path = try track(Self.dateLine, in: fixture)
        #expect(abs(try metres(path) - 4 * 1.113_195) < 0.001)
        #expect(XMLReader(try fixture.converted("kml", [path])).elements["gx:Track"] == 2)
        let text = try fixture.converted("geojson", [path])
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(json?["features"] as? [[String: Any]])
        let lengths = features.map { feature in
            ((feature["geometry"] as? [String: Any])?["coordinates"] as? [[Double]])?.count
        }
        #expect(lengths == [3, 2])
    }

    @Test("A way over a pole has its length", arguments: [1.0, -1.0])
    func wayOverPoleHasLength(pole: Double) throws {
        let fixture = try TrackFixture()
        let path = try track(
            [
                (pole * 89.999_98, 10), (pole * 89.999_99, 10), (pole * 90, 10),
                (pole * 89.999_99, -170), (pole * 89.999_98, -170),
            ], in: fixture)
        // The pole has any longitude: the step from it goes along one meridian.
        #expect(abs(try metres(path) - 4 * 1.116_9) < 1.0)
        #expect(XMLReader(try fixture.converted("gpx", [path])).elements["trkpt"] == 5)
        #expect(try FileCheck.check(path).isGood)
    }

    @Test("Midnight and a leap day are instants like others") func midnightLeapDayInstantsLike()
        throws
    {
        let fixture = try TrackFixture()
        // 2028-02-29T23:59:59.900Z.
        let begin: Int64 = 1_835_481_599_900
        var bytes = Array(TrackRow.header.utf8)
        for number in 0..<3 {
            let time = UnixTime(nanoseconds: (begin + Int64(number) * 100) * 1_000_000)
            bytes += TrackRow.line(TrackFixture.epoch(number), time: time)
        }
        let path = try fixture.write(bytes, to: "track-20280229T235959Z.csv")
        #expect(try FileCheck.check(path).isGood)
        let times = XMLReader(try fixture.converted("gpx", [path])).texts["time"]
        #expect(
            times == [
                "2028-02-29T23:59:59.900Z", "2028-03-01T00:00:00.000Z", "2028-03-01T00:00:00.100Z",
            ])
    }
}
