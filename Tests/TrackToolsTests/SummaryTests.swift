import Testing

@testable import TrackTools

@Suite struct SummaryTests {
    private func summary(_ paths: [String]) throws -> TrackSummary {
        var summary = TrackSummary()
        var segmenter = Segmenter()
        let stream = TrackStream(try TrackInputs(paths).tracks)
        while let record = try stream.next() {
            summary.add(record, startsSegment: segmenter.startsSegment(record))
        }
        return summary
    }

    @Test("A drive is summed up") func driveSummedUp() throws {
        let fixture = try TrackFixture()
        // 60 s, of them 1 s and 20 s without a row, in two files given in the wrong order.
        let late = try fixture.track(400...600) { $0 < 500 ? ["front"] : [] }
        let early = try fixture.track(
            (0...200).filter { !(101...109).contains($0) },
            recording: { (50..<100).contains($0) ? ["front", "rear"] : [] })
        let summary = try summary([late, early])
        let lines = SummaryText(summary).lines(files: 2)
        #expect(summary.rows == 192 + 201)
        #expect(summary.intervals.usual == 100)
        #expect(summary.intervals.gaps == (2, 9 + 199))
        #expect(summary.intervals.longest.map(\.milliseconds).prefix(2) == [20_000, 1000])
        // The way through 20 s without a row is not known.
        #expect(abs(summary.metres - 400) < 0.01)
        #expect(summary.recordings["front"] == .init(count: 2, milliseconds: 15_000))
        #expect(summary.recordings["rear"] == .init(count: 1, milliseconds: 5_000))
        #expect(lines.contains("begin     2026-07-01 10:00:00.000Z"))
        #expect(lines.contains("span      1 min 00.0 s"))
        #expect(lines.contains("rate      10.00 Hz, every 100 ms"))
        #expect(lines.contains("present   65.39 %, 208 rows missing in 2 gaps"))
        #expect(lines.contains("gap       20.0 s from 2026-07-01 10:00:20.000Z"))
        #expect(lines.contains("gap       1.0 s from 2026-07-01 10:00:10.000Z"))
        #expect(lines.contains("distance  0.400 km"))
        #expect(
            lines.contains("speed     highest 10.00 m/s (36.0 km/h) at 2026-07-01 10:00:00.000Z"))
        #expect(lines.contains("camera    front, recordings 2, in all 15.0 s"))
    }

    @Test("A rig that stands goes nowhere") func rigStandsGoesNowhere() throws {
        var record = try #require(try firstRecord())
        var summary = TrackSummary()
        for index in 0..<100 {
            record.milliseconds += 100
            record.longitudeE8 += index % 2 == 0 ? 1000 : -1000
            record.speedMillimetresPerSecond = 499
            summary.add(record, startsSegment: index == 0)
        }
        #expect(summary.metres == 0)
        #expect(summary.movingMilliseconds == 0)
    }

    @Test("Rows are counted for each receiver") func rowsCountedEachReceiver() throws {
        var record = try #require(try firstRecord())
        var summary = TrackSummary()
        for device in ["a", "a", "b", "a", "", "b"] {
            record.milliseconds += 100
            record.device = device
            summary.add(record, startsSegment: false)
        }
        #expect(summary.devices == ["a": 3, "b": 2, "": 1])
    }

    @Test("One row is a summary as well") func oneRowSummaryWell() throws {
        let record = try #require(try firstRecord())
        var summary = TrackSummary()
        summary.add(record, startsSegment: true)
        #expect(summary.intervals.usual == nil)
        #expect(SummaryText(summary).lines(files: 1).contains("span      0.0 s"))
    }

    @Test(
        "Spans are written for people",
        arguments: [
            (0, "0.0 s"), (49, "0.0 s"), (50, "0.1 s"), (59_949, "59.9 s"),
            (59_950, "1 min 00.0 s"),
            (3_723_400, "1 h 02 min 03.4 s"), (360_000_000, "100 h 00 min 00.0 s"),
        ])
    func spansWrittenPeople(milliseconds: Int64, text: String) {
        #expect(SummaryText.duration(milliseconds) == text)
    }

    @Test("The longest gaps are remembered, and no more") func longestGapsRememberedNoMore() {
        var intervals = IntervalCounts()
        for length in [100, 100, 100, 500, 300, 20_000, 400, 700, 600, 100, 100, 100, 100, 100] {
            intervals.add(.init(begin: 0, milliseconds: Int64(length)))
        }
        #expect(intervals.longest.map(\.milliseconds) == [20_000, 700, 600, 500, 400])
        #expect(intervals.usual == 100)
        let missing: Int64 = 4 + 2 + 199 + 3 + 6 + 5
        #expect(intervals.gaps == (count: 6, missingRows: missing))
    }

    private func firstRecord() throws -> TrackRecord? {
        let fixture = try TrackFixture()
        return try TrackStream([try fixture.track(0...0)]).next()
    }
}
