import Clock
import Testing

@Suite("Civil time")
struct CivilTimeTests {
    @Test(
        "Known instants",
        arguments: [
            (315_532_800, 0, "1980-01-01", "00:00:00.000"),
            (1_767_198_600, 8 * 60, "2026-01-01", "00:30:00.000"),
            (1_767_196_799, 8 * 60, "2025-12-31", "23:59:59.000"),
            (1_709_136_000, 8 * 60, "2024-02-29", "00:00:00.000"),
            (1_740_787_199, 8 * 60, "2025-03-01", "07:59:59.000"),
            (1_767_198_600, 0, "2025-12-31", "16:30:00.000"),
            (1_753_042_344, 120, "2025-07-20", "22:12:24.000"),
            (1_735_701_300, -300, "2024-12-31", "22:15:00.000"),
            (1_743_273_000, 345, "2025-03-30", "00:15:00.000"),
            (4_354_819_199, 0, "2107-12-31", "23:59:59.000"),
        ])
    func known(seconds: Int, offsetMinutes: Int, date: String, clock: String) throws {
        let time = UnixTime(nanoseconds: Int64(seconds) * 1_000_000_000)
        let civil = try #require(CivilTime(time, offset: .seconds(offsetMinutes * 60)))
        #expect(civil.dateText == date)
        #expect(civil.clockText == clock)
        #expect(civil.unixTime(offset: .seconds(offsetMinutes * 60)) == time)
    }

    @Test(
        "What isoText writes is read back, with other digits behind the point too",
        arguments: [
            ("2026-07-01T10:00:00Z", 0), ("2026-07-01T10:00:00.1Z", 100_000_000),
            ("2026-07-01T10:00:00.123456789Z", 123_456_789),
        ])
    func isoText(text: String, nanoseconds: Int64) {
        let time = UnixTime(nanoseconds: 1_782_900_000_000_000_000 + nanoseconds)
        #expect(UnixTime(isoText: text) == time)
        #expect(time.isoText.flatMap { UnixTime(isoText: $0) }?.milliseconds == time.milliseconds)
    }

    @Test(
        "Anything else is no instant",
        arguments: [
            "", "Z", "2026-07-01", "2026-07-01T10:00:00", "2026-07-01 10:00:00Z",
            "2026-07-01T10:00:00.Z", "2026-07-01T10:00:00.1234567890Z", "2026-02-29T10:00:00Z",
            "2026-07-01T24:00:00Z", "2026-07-01T10:00:60Z", "2026-07-01T10:00:00+02:00",
            "2026-07-01T10:00:00,5Z", "0026-07-01T10:00:00Z", "2026-07-01T10:00:00.-1Z",
        ])
    func noInstant(text: String) { #expect(UnixTime(isoText: text) == nil) }

    @Test("Outside 1980 to 2107 there is none", arguments: [315_532_799, 4_354_819_200])
    func bounds(seconds: Int) {
        #expect(CivilTime(UnixTime(nanoseconds: Int64(seconds) * 1_000_000_000)) == nil)
        #expect(CivilTime(UnixTime(nanoseconds: .max), offset: .seconds(1)) == nil)
        #expect(CivilTime(UnixTime(nanoseconds: .min), offset: .seconds(-1)) == nil)
    }

    @Test("Every day of 128 years follows the one before it")
    func everyDay() throws {
        var expected = (year: 1980, month: 1, day: 1)
        var days = 0
        while expected.year <= 2107 {
            let noon = UnixTime(
                nanoseconds: (315_532_800 + Int64(days) * 86_400 + 43_200) * 1_000_000_000)
            let civil = try #require(CivilTime(noon))
            #expect((civil.year, civil.month, civil.day) == expected)
            #expect(civil.hour == 12)
            #expect(civil.unixTime() == noon)
            days += 1
            expected.day += 1
            if expected.day > CivilTime.days(inMonth: expected.month, of: expected.year) {
                expected = (expected.year, expected.month + 1, 1)
            }
            if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
        }
        #expect(days == 46_751)
    }

    @Test(
        "Leap years",
        arguments: [(1980, true), (2000, true), (2024, true), (2025, false), (2100, false)])
    func leapYears(year: Int, isLeap: Bool) {
        #expect(CivilTime.isLeap(year: year) == isLeap)
        #expect((CivilTime(year: year, month: 2, day: 29) != nil) == isLeap)
    }

    @Test("What does not exist is no civil time")
    func invalid() {
        #expect(CivilTime(year: 2026, month: 13, day: 1) == nil)
        #expect(CivilTime(year: 2026, month: 4, day: 31) == nil)
        #expect(CivilTime(year: 2026, month: 4, day: 0) == nil)
        #expect(CivilTime(year: 2026, month: 4, day: 1, hour: 24) == nil)
        #expect(CivilTime(year: 2026, month: 4, day: 1, second: 60) == nil)
        #expect(CivilTime(year: 1979, month: 4, day: 1) == nil)
        #expect(CivilTime(year: 2026, month: 4, day: 1, nanosecond: 1_000_000_000) == nil)
    }

    @Test("Texts cut milliseconds and never round up")
    func texts() {
        let time = UnixTime(nanoseconds: 1_782_900_000_100_999_999)
        #expect(time.isoText == "2026-07-01T10:00:00.100Z")
        #expect(CivilTime(time)?.compactText == "20260701T100000")
        #expect(UnixTime(nanoseconds: 0).isoText == nil)
    }
}
