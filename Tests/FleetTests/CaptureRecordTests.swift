import Clock
import Fleet
import OsmoProtocol
import RadioPort
import Testing

@Suite struct CaptureRecordTests {
    private static let link = LinkID(
        camera: BluetoothAddress(value: 0x6060_1F60_11E7),
        adapter: BluetoothAddress(value: 0x0200_0000_0001))

    private static func record(_ content: CaptureRecord.Content) -> CaptureRecord {
        CaptureRecord(
            instant: Instant(nanoseconds: 1_234_567_890_000), utc: nil, link: link,
            content: content)
    }

    @Test(
        "A line is read back as what it was written from",
        arguments: [
            .incoming([0xAA, 0x00, 0xFF]), .incoming([]), .outgoing([0x55]),
            .linkOpen(LinkParameters(mtu: 500, path: .descriptor)), .link("closed"),
            .link("setup failed: \"quoted\""), .advertisement(model: "Osmo Action 4", rssi: -58),
            .advertisement(model: "Pocket 3", rssi: nil),
        ] as [CaptureRecord.Content])
    func lineReadBackWhatWritten(content: CaptureRecord.Content) {
        let record = Self.record(content)
        #expect(CaptureRecord(line: record.line) == record)
    }

    @Test("A line is one JSON object with both instants") func lineOneJSONObjectBoth() {
        var record = Self.record(.incoming([0xAA, 0x1B]))
        record.utc = UnixTime(nanoseconds: 1_782_900_000_100_000_000)
        #expect(
            record.line
                == #"{"mono_s":1234.567890,"utc":"2026-07-01T10:00:00.100Z","#
                + #""camera":"60:60:1F:60:11:E7","adapter":"02:00:00:00:00:01","#
                + #""kind":"in","hex":"AA1B"}"#)
    }

    @Test(
        "What is no line of a capture is refused",
        arguments: [
            "", "{}", "[]", "null", #"{"mono_s":"x","camera":"60:60:1F:60:11:E7"}"#,
            #"{"mono_s":1e300,"camera":"60:60:1F:60:11:E7","adapter":"02:00:00:00:00:01","kind":"in","hex":"AA"}"#,
            #"{"mono_s":1,"camera":"60:60:1F:60:11","adapter":"02:00:00:00:00:01","kind":"in","hex":"AA"}"#,
            #"{"mono_s":1,"camera":"60:60:1F:60:11:E7","adapter":"02:00:00:00:00:01","kind":"in","hex":"A"}"#,
            #"{"mono_s":1,"camera":"60:60:1F:60:11:E7","adapter":"02:00:00:00:00:01","kind":"link"}"#,
            #"{"mono_s":1,"camera":"60:60:1F:60:11:E7","adapter":"02:00:00:00:00:01","kind":"what"}"#,
        ])
    func whatNoLineCaptureRefused(line: String) {
        #expect(CaptureRecord(line: line) == nil)
    }
}
