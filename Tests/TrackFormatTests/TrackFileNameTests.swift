import Clock
import Testing
import TrackExamples
import TrackFormat

@Suite struct TrackFileNameTests {
    @Test(
        "A name is read as it is written",
        arguments: [
            ("track-20260701T100000Z.csv", TrackFileKind.track, 1_782_900_000, 0),
            ("events-20260701T100000Z-1.csv", .events, 1_782_900_000, 1),
            ("pushes-20000229T235959Z-999.csv", .pushes, 951_868_799, 999),
        ])
    func nameReadWritten(
        text: String, kind: TrackFileKind, second: Int64, suffix: Int
    ) throws {
        let name = try #require(TrackFileName(text))
        #expect(name.kind == kind)
        #expect(name.second == second)
        #expect(name.suffix == suffix)
        #expect(name.text == text)
    }

    @Test(
        "Whatever else lies in the folder is not ours",
        arguments: [
            "", "track", "track.csv", "track-.csv", "track-20260701T100000Z",
            "track-20260701T100000Z.CSV",
            "track-20260701T100000.csv", "track-20260701 100000Z.csv", "track-20260231T100000Z.csv",
            "track-20260701T240000Z.csv", "track-20260701T106000Z.csv",
            "track-20260701T100060Z.csv",
            "track-20261301T100000Z.csv", "track-19700101T000000Z.csv",
            "track-20260701T100000Z-.csv",
            "track-20260701T100000Z-0.csv",
            "track-20260701T100000Z-01.csv", "track-20260701T100000Z-1000.csv",
            "track-20260701T100000Z-1-2.csv", "tracks-20260701T100000Z.csv",
            "track-20260701T100000Z.csv.gz", "track-+0260701T100000Z.csv",
        ])
    func whateverElseLiesFolderNot(text: String) {
        #expect(TrackFileName(text) == nil)
    }

    @Test("A name cuts what is below a second") func nameCutsWhatBelowSecond() {
        let time = TrackExamples.start + .milliseconds(999)
        #expect(TrackFileName(kind: .track, time: time).text == "track-20260701T100000Z.csv")
    }
}
