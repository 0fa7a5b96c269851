import LineProtocol
import Testing

@testable import TrackTools

@Suite struct ReportTests {
    private func record(_ number: Int, longitude: Int64) -> TrackRecord {
        TrackRecord(
            milliseconds: TrackFixture.start + Int64(number) * 100, latitudeE8: 4_800_000_000,
            longitudeE8: longitude, heightCentimetres: nil, speedMillimetresPerSecond: 1000,
            headingCentidegrees: nil, is3D: true, satellites: nil, hdopHundredths: nil,
            monotonicMicroseconds: 0, sequence: Int64(number), device: "", pushed: 0,
            recording: "")
    }

    @Test("A path has a bounded number of points, whatever the length of a drive")
    func pathIsBounded() {
        let frame = MapFrame(
            latitudes: 4_800_000_000...4_800_100_000, longitudes: (1_100_000_000, 1_200_000_000))
        var path = PathThinner(frame)
        for number in 0..<300_000 {
            // To and fro, each time all the way.
            let longitude: Int64 = 1_100_000_000 + Int64(number * 7919 % 1000) * 100_000
            path.add(
                record(number, longitude: longitude), level: number % 5,
                startsSegment: number % 3 == 0)
        }
        #expect(path.points.count <= PathThinner.maxPoints)
        #expect(path.points.count > 1000)
        #expect(path.paths(levels: 5).joined().utf8.count < 400_000)
    }

    @Test("A drive across 180 degrees is one piece of the map") func dateLineIsOnePiece() {
        let frame = MapFrame(
            latitudes: 0...1_000_000, longitudes: (17_999_000_000, -17_999_000_000))
        let west = frame.place(latitudeE8: 0, longitudeE8: 17_999_000_000)
        let east = frame.place(latitudeE8: 0, longitudeE8: -17_999_000_000)
        #expect(west.x > 0)
        #expect(east.x > west.x)
        #expect(east.x < frame.width)
    }

    @Test("Stretches that no screen could show apart become one") func spansAreBounded() {
        var spans = LaneSpans(0...86_400_000)
        for number in 0..<864_000 {
            spans.add(Int64(number * 100), Int64(number * 100 + 10), number % 2 == 0 ? "a" : "b")
        }
        #expect(spans.spans.count <= 4 * Int(LaneSpans.parts))
        var one = LaneSpans(0...86_400_000)
        for number in 0..<864_000 { one.add(Int64(number * 100), Int64(number * 100), "a") }
        #expect(one.spans == [LaneSpan(begin: 0, end: 86_399_900, kind: "a")])
    }

    @Test("A failure that a status and an alarm tell is one") func failuresAreToldOnce() throws {
        let fixture = try TrackFixture()
        let path = try fixture.events([
            (0, .record, "front", [Field("state", "sent"), Field("action", "start")]),
            (10, .record, "rear", [Field("state", "sent"), Field("action", "start")]),
            (15, .record, "rear", [Field("state", "started")]),
            (600, .alarm, "rear", [Field("reason", "card-full")]),
            (610, .record, "rear", [Field("state", "stopped"), Field("cause", "card")]),
        ])
        var finder = FailureFinder()
        #expect(try EventReader.read([path]) { finder.add($0) }.isEmpty)
        let failures = finder.finish()
        #expect(failures.map(\.camera) == ["front", "rear"])
        #expect(failures.first?.words == "did not begin, though it was told to")
        #expect(failures.last?.words == "ended: the card was full")
    }

    @Test("Rates are a number or a frame", arguments: ["0", "-1", "1e9", "nan", "often", ""])
    func ratesAreBounded(word: String) {
        #expect(SampleRate(word) == nil)
        #expect(SampleRate("frame") == .everyFrame)
        #expect(SampleRate("2.5") == .hertz(2.5))
    }
}
