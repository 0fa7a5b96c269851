import Glibc
import Testing

@testable import TrackTools

@Suite struct SummaryTests {
    private func summary(_ paths: [String]) throws -> TrackSummary {
        var summary = TrackSummary()
        var segmenter = Segmenter()
        var finder = RecordingFinder()
        let stream = TrackStream(try TrackInputs(paths).tracks)
        while let record = try stream.next() {
            finder.add(record)
            summary.add(
                record, startsSegment: segmenter.startsSegment(record), file: stream.fileNumber)
        }
        summary.take(finder.finish())
        return summary
    }

    @Test("A drive is summed up") func driveSummedUp() throws {
        let fixture = try TrackFixture()
        // 60 s, of which 1 s and 20 s have no rows, in two files that are given in the wrong order.
        let late = try fixture.track(400...600) { $0 < 500 ? ["front"] : [] }
        let early = try fixture.track(
            (0...200).filter { !(101...109).contains($0) },
            recording: { (50..<100).contains($0) ? ["front", "rear"] : [] })
        let summary = try summary([late, early])
        let lines = SummaryText(summary).lines(files: 2)
        #expect(summary.rows == 192 + 201)
        let presence = summary.presence
        #expect(presence.files == [100: 2])
        // Between files no row counts as missing.
        #expect(presence.gaps == 1 && presence.missingRows == 9)
        #expect(presence.longest.map(\.milliseconds) == [20_000, 1000])
        // The way during 20 s without a row is not known.
        #expect(abs(summary.metres - 400) < 0.01)
        #expect(summary.recordings["front"] == .init(count: 2, milliseconds: 14_800))
        #expect(summary.recordings["rear"] == .init(count: 1, milliseconds: 4_900))
        #expect(lines.contains("begin     2026-07-01 10:00:00.000Z"))
        #expect(lines.contains("span      1 min 00.0 s"))
        #expect(lines.contains("rate      10.00 Hz, every 100 ms"))
        #expect(lines.contains("present   97.76 %, 9 rows missing in 1 gap"))
        #expect(lines.contains("gap       20.0 s from 2026-07-01 10:00:20.000Z"))
        #expect(lines.contains("gap       1.0 s from 2026-07-01 10:00:10.000Z"))
        #expect(lines.contains("distance  0.400 km"))
        #expect(
            lines.contains("speed     highest 10.00 m/s (36.0 km/h) at 2026-07-01 10:00:00.000Z"))
        #expect(lines.contains("camera    front, recordings 2, in all 14.8 s"))
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
        #expect(summary.presence == .init())
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

    @Test("Each file is judged by its own rate")
    func eachFileJudgedByOwnRate() throws {
        let fixture = try TrackFixture()
        let slow = try fixture.track(stride(from: 0, to: 1000, by: 10))
        let fast = try fixture.track(2000..<3000)
        let presence = try summary([slow, fast]).presence
        #expect(presence.files == [1000: 1, 100: 1])
        #expect(presence.gaps == 0 && presence.missingRows == 0)
        let lines = SummaryText(try summary([slow, fast])).lines(files: 2)
        #expect(lines.contains("rate      10.00 Hz, every 100 ms in 1 file"))
        #expect(lines.contains("rate      1.00 Hz, every 1000 ms in 1 file"))
        #expect(lines.contains("present   100.00 %, 0 rows missing in 0 gaps"))
        #expect(
            try FileCheck.check(slow).text.hasSuffix(
                ": 100 good rows, 0 bad; 1.00 Hz, every 1000 ms, 0 rows missing in 0 gaps\n"))
    }

    @Test(
        "Bounds are the narrowest piece of the earth",
        arguments: [
            ([0, 1], 0, 1), ([179, -179], 179, -179), ([180, -180, 179], 179, -180),
            ([174, 10, -118], 174, 10), ([-120, 0, 119], -120, 119), ([5], 5, 5),
        ] as [([Int64], Int64, Int64)])
    func boundsNarrowest(longitudes: [Int64], west: Int64, east: Int64) throws {
        var bounds = LongitudeBounds()
        for longitude in longitudes { bounds.add(longitude * 100_000_000) }
        let ends = try #require(bounds.ends)
        #expect(ends.west == west * 100_000_000 && ends.east == east * 100_000_000)
    }

    @Test("Local time stands beside UTC where it is asked for")
    func localTimeBesideUTC() throws {
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", "XYZ-5:45", 1)
        tzset()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        let text = LocalTime.text(TrackFixture.start + 100, separator: UInt8(ascii: " "))
        #expect(text == "2026-07-01 15:45:00.100+05:45")
        let record = try #require(try firstRecord())
        var summary = TrackSummary()
        summary.add(record, startsSegment: true)
        #expect(
            SummaryText(summary, isLocal: true).lines(files: 1).contains(
                "begin     2026-07-01 10:00:00.000Z, local 2026-07-01 15:45:00.000+05:45"))
        #expect(ClipTrack.header(isLocal: true).hasSuffix(",start_local,stop_local\n"))
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
