import Navigation
import Testing

@testable import Fleet

@Suite struct TrackFileNameTests {
    @Test(arguments: [
        ("track-20260701T100000Z.csv", TrackFileKind.track, 1_782_900_000, 0),
        ("events-20260701T100000Z-1.csv", .events, 1_782_900_000, 1),
        ("pushes-20000229T235959Z-999.csv", .pushes, 951_868_799, 999),
    ])
    func `A name is read as it is written`(
        text: String, kind: TrackFileKind, second: Int64, suffix: Int
    ) throws {
        let name = try #require(TrackFileName(text))
        #expect(name.kind == kind)
        #expect(name.second == second)
        #expect(name.suffix == suffix)
        #expect(name.text == text)
    }

    @Test(arguments: [
        "", "track", "track.csv", "track-.csv", "track-20260701T100000Z",
        "track-20260701T100000Z.CSV",
        "track-20260701T100000.csv", "track-20260701 100000Z.csv", "track-20260231T100000Z.csv",
        "track-20260701T240000Z.csv", "track-20260701T106000Z.csv", "track-20260701T100060Z.csv",
        "track-20261301T100000Z.csv", "track-20260701T100000Z-.csv", "track-20260701T100000Z-0.csv",
        "track-20260701T100000Z-01.csv", "track-20260701T100000Z-1000.csv",
        "track-20260701T100000Z-1-2.csv", "tracks-20260701T100000Z.csv",
        "track-20260701T100000Z.csv.gz", "track-+0260701T100000Z.csv",
    ])
    func `Whatever else lies in the folder is not ours`(text: String) {
        #expect(TrackFileName(text) == nil)
    }

    @Test func `A name cuts what is below a second`() {
        let time = TrackExamples.start + .milliseconds(999)
        #expect(TrackFileName(kind: .track, time: time).text == "track-20260701T100000Z.csv")
    }

    @Test func `Dates go there and back through two centuries`() {
        for day in Int64(0)..<73_049 {
            let date = CivilStamp.date(ofDay: day)
            #expect(CivilStamp.day(year: date.year, month: date.month, day: date.day) == day)
        }
        let last = CivilStamp.date(ofDay: 73_048)
        #expect(last == (2169, 12, 31))
    }

    @Test(arguments: [(2100, 2, 29), (2026, 4, 31), (0, 1, 1), (2026, 0, 1), (2026, 1, 0)])
    func `A date that the calendar lacks is none`(year: Int64, month: Int64, day: Int64) {
        #expect(CivilStamp.day(year: year, month: month, day: day) == nil)
    }
}
