import Clock
import Fleet
import Foundation
import Navigation
import Testing
import TrackExamples
import TrackFormat

@Suite struct TrackRowTests {
    @Test("The example of the format comes out byte for byte") func exampleFormatComesOutByte()
        throws
    {
        var bytes = Array(TrackRow.header.utf8)
        for epoch in TrackExamples.epochs {
            bytes += TrackRow.line(epoch, time: try #require(epoch.fix.time))
        }
        #expect(String(decoding: bytes, as: UTF8.self) == TrackExamples.file)
    }

    @Test("Numbers say what another formatter says") func numbersSayWhatAnotherFormatter() throws {
        var numbers = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            for (decimals, limit) in [(8, 180.0), (2, 9000.0), (3, 300.0)] {
                // The number has as many decimals as are written, so that nothing is rounded.
                let scale = pow(10, Double(decimals))
                let exact = (Double.random(in: -limit...limit, using: &numbers) * scale).rounded()
                let number = exact / scale
                let other = String(format: "%.\(decimals)f", number)
                let ours = text(number, decimals: decimals)
                #expect(ours == (other.allSatisfy { "-0.".contains($0) } ? zero(decimals) : other))
            }
        }
    }

    @Test("What is rounded is rounded to the nearest") func whatRoundedRoundedNearest() throws {
        var numbers = SeededGenerator(seed: 8)
        for _ in 0..<20_000 {
            let number = Double.random(in: -180...180, using: &numbers)
            let back = try #require(Double(text(number, decimals: 8)))
            #expect(abs(back - number) <= 0.500_01e-8)
        }
    }

    @Test(
        "A number has its decimals, no sign on zero, and nothing where it is none",
        arguments: [
            (0.0, 2, "0.00"), (-0.0, 2, "0.00"), (-0.004, 2, "0.00"), (-0.005, 2, "-0.01"),
            (0.005, 2, "0.01"), (0.994, 2, "0.99"), (0.996, 2, "1.00"), (-0.1, 3, "-0.100"),
            (999_999_999.99, 2, "999999999.99"), (1e9, 2, ""), (-1e9, 2, ""), (1e300, 2, ""),
            (.infinity, 2, ""), (.nan, 2, ""), (-180, 8, "-180.00000000"),
        ])
    func numberHasDecimalsNoSign(
        number: Double, decimals: Int, expected: String
    ) {
        #expect(text(number, decimals: decimals) == expected)
    }

    @Test("Instants say what another calendar says") func instantsSayWhatAnotherCalendar() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS'Z'"
        var numbers = SeededGenerator(seed: 9)
        // Times from 1980 to 2107.
        for _ in 0..<5000 {
            let milliseconds = Int64.random(
                in: 315_532_800_000...4_354_819_199_999, using: &numbers)
            var row = RowText()
            row.append(milliseconds: milliseconds, separator: UInt8(ascii: " "))
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            #expect(row.string == formatter.string(from: date))
        }
    }

    @Test(
        "Days turn where the calendar turns",
        arguments: [
            (315_532_800_000, "1980-01-01 00:00:00.000Z"), (315_532_799_999, ""), (.max, ""),
            (951_782_399_999, "2000-02-28 23:59:59.999Z"),
            (951_782_400_000, "2000-02-29 00:00:00.000Z"),
            (4_107_542_399_000, "2100-02-28 23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01 00:00:00.000Z"),
        ])
    func daysTurnWhereCalendarTurns(milliseconds: Int64, expected: String) {
        var row = RowText()
        row.append(milliseconds: milliseconds, separator: UInt8(ascii: " "))
        #expect(row.string == expected)
    }

    @Test(
        "Noise below a millisecond is rounded away",
        arguments: [
            (1_499_999, 1), (1_500_000, 2), (-1_500_000, -1), (99_999_999, 100), (100_000_001, 100),
        ])
    func noiseBelowMillisecondRoundedAway(nanoseconds: Int64, milliseconds: Int64) {
        #expect(UnixTime(nanoseconds: nanoseconds).milliseconds == milliseconds)
    }

    @Test("What is unknown is empty, and never 0") func whatUnknownEmptyNever0() throws {
        let fix = Fix(
            mode: .threeD, time: TrackExamples.start, arrival: .zero, latitudeDegrees: 1,
            longitudeDegrees: 2)
        let epoch = ClosedEpoch(
            fix: fix, sequence: 1, pushedCameras: 0, recording: [], timeTrusted: true)
        #expect(
            row(epoch)
                == "2026-07-01 10:00:00.000Z,1.00000000,2.00000000,,,,3d,,,,,,,"
                + "1782900000.000,0.000000,1,,0,\n")
    }

    @Test(
        "A heading stands wherever the receiver states one, and is under 360",
        arguments: [
            (nil, 90, "90.00"), (0, 90, "90.00"), (0.0004, 90, "90.00"), (5, nil, ""),
            (5, 359.994, "359.99"), (5, 359.996, "0.00"), (5, 0, "0.00"),
        ] as [(Double?, Double?, String)])
    func headingStandsWhereStated(
        speed: Double?, course: Double?, expected: String
    ) {
        var epoch = TrackExamples.epochs[0]
        epoch.fix.speedMetresPerSecond = speed
        epoch.fix.courseDegrees = course
        #expect(row(epoch).split(separator: ",", omittingEmptySubsequences: false)[5] == expected)
    }

    @Test("Names from outside break no row") func namesFromOutsideBreakNo() {
        var epoch = TrackExamples.epochs[0]
        epoch.fix.device = "udp://\"a,b\"\r\n\0é"
        epoch.recording = ["fr,ont", "re\"ar"]
        let text = row(epoch)
        #expect(text.hasSuffix(",1,udp://abé,2,front+rear\n"))
        #expect(text.split(separator: ",", omittingEmptySubsequences: false).count == 19)
        #expect(text.filter { $0 == "\n" }.count == 1)
    }

    private func row(_ epoch: ClosedEpoch) -> String {
        let time = epoch.fix.time ?? TrackExamples.start
        return String(decoding: TrackRow.line(epoch, time: time), as: UTF8.self)
    }

    private func text(_ number: Double, decimals: Int) -> String {
        var row = RowText()
        row.append(number, decimals: decimals)
        return row.string
    }

    private func zero(_ decimals: Int) -> String { "0." + String(repeating: "0", count: decimals) }
}
