import Clock
import LineProtocol
import Navigation
import Testing
import TrackExamples
import TrackFormat

@Suite struct EventRowTests {
    @Test("An event has its instants, its place and its words") func eventHasInstantsPlaceWords() {
        let notice = TrackExamples.notice(
            .record, 1500, name: "front", utc: TrackExamples.start + .milliseconds(1500),
            [Field("state", "started"), Field("record_s", "0")])
        #expect(
            text(notice, place: TrackExamples.epoch(1400))
                == "2026-07-01T10:00:01.500Z,1.500000,record,front,state=started record_s=0,"
                + "48.00014000,11.00000000,14\n")
    }

    @Test("Without time and place these are empty") func withoutTimePlaceTheseEmpty() {
        let notice = TrackExamples.notice(.gps, 20, [Field("state", "nofix")])
        #expect(text(notice, place: nil) == ",0.020000,gps,,state=nofix,,,\n")
    }

    @Test(
        "Free text is quoted as CSV asks for",
        arguments: [
            ("plain", "text=plain"),
            ("two words", "\"text=\"\"two words\"\"\""),
            ("a,b", "\"text=a,b\""),
            ("say \"hi\"", #""text=""say \""hi\""""""#),
            ("a\nb", #""text=""a\nb""""#),
        ])
    func freeTextQuotedCSVAsks(mark: String, expected: String) {
        let notice = TrackExamples.notice(.mark, 0, [Field("text", mark)])
        #expect(text(notice, place: nil) == ",0.000000,mark,,\(expected),,,\n")
    }

    @Test("A push says who took it") func pushSaysWhoTook() throws {
        let epoch = TrackExamples.epochs[0]
        let position = CarriedPosition(
            fix: epoch.fix, instant: Instant(nanoseconds: 1_234_609_890_000),
            age: .milliseconds(42), epochSequence: 7)
        let row = PushRow.line(
            position, utc: epoch.fix.time, sent: position.instant,
            fields: PushRow.Sent(
                latitudeE7: 481_371_540, longitudeE7: -115_761_240, heightMillimetres: -520_123,
                date: 20_260_701, time: 100_000, isVoid: false),
            took: ["front", "rear"], dropped: ["roof"])
        #expect(
            String(decoding: row, as: UTF8.self)
                == "2026-07-01T10:00:00.100Z,1234.609890,7,0.042,48.13715400,11.57612400,520.12,"
                + "15.000,285.84,-0.300,3d,front+rear,roof,481371540,-115761240,-520123,20260701,100000,"
                + "1782900000100000\n")
    }

    @Test("A void frame has no place") func voidFrameHasNoPlace() {
        let row = PushRow.line(
            nil, utc: nil, sent: .zero, fields: nil, took: ["front"], dropped: [])
        #expect(String(decoding: row, as: UTF8.self) == ",0.000000,,,,,,,,,void,front,,,,,,,\n")
    }

    @Test(
        "A header has its columns",
        arguments: [(EventRow.header, 8), (PushRow.header, 19), (TrackRow.header, 19)])
    func headerHasColumns(header: String, columns: Int) {
        #expect(header.split(separator: ",").count == columns)
        #expect(header.hasSuffix("\n"))
    }

    private func text(_ notice: Notice, place: ClosedEpoch?) -> String {
        String(decoding: EventRow.line(notice, place: place), as: UTF8.self)
    }
}
