import Clock
import Fleet
import LineProtocol
import Testing

@Suite struct LineTextTests {
    @Test(
        "A value is bare where it can be",
        arguments: [
            ("plain", "plain"), ("4K60 RS", "\"4K60 RS\""), ("", "\"\""), ("a\"b", #""a\"b""#),
            ("a\\b", #""a\\b""#), ("a\nb\r\tc", #""a\nb\r\tc""#), ("\u{1}\u{7F}", #""\x01\x7F""#),
            ("\u{9B}", #""\x9B""#), ("ü=ö", "ü=ö"), ("a,b", "a,b"),
        ])
    func valueBareWhereCan(value: String, written: String) {
        #expect(LineText.value(value) == written)
        #expect(LineText.words("k=" + written) == ["k=" + value])
    }

    @Test("What is written is read back", arguments: UInt64(1)...10)
    func whatWrittenReadBack(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab \"\\\n\r\t=é\u{1}\u{85}#!")
        for _ in 0..<200 {
            let values = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                String(
                    (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                        alphabet.randomElement(using: &generator) ?? "x"
                    })
            }
            let line = values.map(LineText.value).joined(separator: " ")
            #expect(LineText.words(line) == values, "seed \(seed): \(line)")
            #expect(!line.unicodeScalars.contains { LineText.isControl($0) })
        }
    }

    @Test(
        "A broken line is read as far as it goes",
        arguments: [
            ("", []), ("   ", []), ("a  b", ["a", "b"]), ("\"open", ["open"]), ("a\\b", ["a\\b"]),
            ("\"a\\", ["a\\"]), ("\"\\x4\"", ["\u{FFFD}"]),
        ])
    func brokenLineReadFarGoes(line: String, words: [String]) {
        #expect(LineText.words(line) == words)
    }

    @Test(
        "Fixed decimals round half away from zero",
        arguments: [
            (0, 3, "0.000"), (1_234_567_890, 3, "1.235"), (999_999_999, 3, "1.000"),
            (-1_500_000_000, 1, "-1.5"), (-1, 3, "0.000"), (5_000_000, 2, "0.01"),
        ] as [(Int64, Int, String)])
    func fixedDecimalsRoundHalfAway(count: Int64, decimals: Int, text: String) {
        #expect(LineText.fixed(count, unit: 1_000_000_000, decimals: decimals) == text)
    }

    @Test("Decimals of a number have no minus zero") func decimalsNumberHaveNoMinus() {
        #expect(LineText.decimal(-0.004, decimals: 2) == "0.00")
        #expect(LineText.decimal(48.137154, decimals: 7) == "48.1371540")
        #expect(LineText.decimal(-179.9999999, decimals: 7) == "-179.9999999")
        #expect(LineText.decimal(520.149, decimals: 1) == "520.1")
        #expect(LineText.decimal(9.6, decimals: 0) == "10")
    }

    @Test("Replies and notices are lines") func repliesNoticesLines() {
        let fields = [Field("result", "ok"), Field("text", "two words")]
        let line = ReplyLine(kind: "record", name: "front", fields: fields)
        #expect(line.text == "record front result=ok text=\"two words\"")
        #expect(ReplyLine(kind: "gps", name: "", fields: []).text == "gps -")
        #expect(ReplyEnd.ok.text == "OK")
        #expect(ReplyEnd.error(.noCamera, "a\nb").text == "ERR no-camera a b")
        let time = UnixTime(nanoseconds: 1_782_900_000_100_000_000)
        var notice = Notice(
            kind: .camera, name: "front", fields: [Field("state", "ready")],
            instant: Instant(nanoseconds: 12_345_678_901), utc: time)
        #expect(notice.text == "camera front state=ready utc=2026-07-01T10:00:00.100Z mono=12.346")
        notice.utc = nil
        #expect(notice.text == "camera front state=ready mono=12.346")
    }

    @Test(
        "A camera name keeps to its rules",
        arguments: [
            ("front", true), ("a", true), ("GoPro.2_b-c", true), ("1a", true), ("", false),
            ("all", false),
            ("12", false), ("a b", false), ("a,b", false), ("ä", false), ("a:b", false),
            ("All", true),
            (String(repeating: "n", count: 32), true), (String(repeating: "n", count: 33), false),
        ])
    func cameraNameKeepsRules(name: String, valid: Bool) {
        #expect(CameraName.isValid(name) == valid)
    }
}
