import Fleet
import LineProtocol
import Testing

@Suite struct JSONValueTests {
    @Test("Values are written on one line in their order") func valuesWrittenOneLineTheir() {
        let value = JSONValue.object([
            .init("b", .list([.integer(1), .flag(true), .null])),
            .init("a", .text("x\"\\\n\u{1}é")), .init("d", .decimal(0.125, places: 2)),
            .init("n", .decimal(.nan, places: 2)), .init("e", .object([])),
        ])
        #expect(
            value.line
                == #"{"b":[1,true,null],"a":"x\"\\\n\u0001é","d":0.13,"n":null,"e":{}}"#)
        #expect(JSONValue(value.line)?["d"] == .decimal(0.13, places: 2))
    }

    @Test(
        "A text is read",
        arguments: [
            ("null", .null), (" true ", .flag(true)), ("false", .flag(false)), ("0", .integer(0)),
            ("-12", .integer(-12)), ("1.50", .decimal(1.5, places: 2)),
            ("1e2", .decimal(100, places: 0)), ("\"a\\u00e9\\/\\b\"", .text("aé/\u{8}")),
            ("\"\\ud83d\\ude00\"", .text("😀")), ("[]", .list([])),
            ("[ 1 , 2 ]", .list([.integer(1), .integer(2)])),
            ("{ \"a\" : { } }", .object([.init("a", .object([]))])),
            ("99999999999999999999", .decimal(1e20, places: 0)),
        ] as [(String, JSONValue)])
    func textRead(text: String, value: JSONValue) {
        #expect(JSONValue(text) == value)
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "nul", "truefalse", "01", "-", "1.", ".5", "1e", "+1", "\"a", "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud83d\"", "\"\\u+123\"", "\"\t\"", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}",
            "{a:1}", "{\"a\":1,}",
            "1 2", "NaN", "'a'",
        ])
    func whatNotJSONRefused(text: String) {
        #expect(JSONValue(text) == nil)
    }

    @Test("Depth has its bound") func depthHasBound() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(JSONValue(nested(JSONValue.deepest + 1)) != nil)
        #expect(JSONValue(nested(JSONValue.deepest + 2)) == nil)
        #expect(JSONValue(String(repeating: "[", count: 100_000)) == nil)
    }

    @Test("A word is what stands in a line") func wordWhatStandsLine() {
        #expect(JSONValue.null.word == nil)
        #expect(JSONValue.list([]).word == nil)
        #expect(JSONValue.text("a b").word == "a b")
        #expect(JSONValue.integer(5).word == "5")
        #expect(JSONValue.decimal(1.25, places: 1).word == "1.3")
        #expect(JSONValue.decimal(.infinity, places: 1).word == nil)
        #expect(JSONValue.flag(false).word == "false")
    }

    @Test(
        "A word that is a number keeps all its digits, or is a text",
        arguments: [
            ("5", JSONValue.integer(5)), ("-1.50", .decimal(-1.5, places: 2)),
            ("99999999999999999999", .text("99999999999999999999")),
            ("-99999999999999999999.5", .text("-99999999999999999999.5")),
            ("9999.000000000000000", .text("9999.000000000000000")),
            ("0.1234567890123456789", .text("0.1234567890123456789")), ("-0", .text("-0")),
            ("007", .text("007")), ("true", .flag(true)),
        ])
    func wordNumberKeepsDigits(word: String, value: JSONValue) {
        #expect(JSONValue(word: word) == value)
        #expect(value.word == word)
    }

    @Test(
        "Numbers beyond 64 bits are written as JSON all the same",
        arguments: [
            1e20, -1e300, 9.3e18, Double.greatestFiniteMagnitude, 0x1p63,
        ])
    func numbersBeyond64Bits(number: Double) {
        for places in [0, 3, 15] {
            let line = JSONValue.decimal(number, places: places).line
            guard case .decimal(let read, _)? = JSONValue(line) else {
                Issue.record("\(line) is no number")
                continue
            }
            #expect(read == number)
        }
    }

    @Test("What is written is read back, and noise does no harm", arguments: UInt64(1)...10)
    func whatWrittenReadBackNoise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = Self.value(depth: 0, using: &generator)
            #expect(JSONValue(value.line) == value, "seed \(seed): \(value.line)")
            var bytes = Array(value.line.utf8)
            for _ in 0..<3 where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...127, using: &generator)
            }
            _ = JSONValue(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func value(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &generator) {
        case 0: return .null
        case 1: return .flag(Bool.random(using: &generator))
        case 2: return .integer(Int.random(in: -1_000_000...1_000_000, using: &generator))
        case 3:
            let count = Int.random(in: -100_000...100_000, using: &generator)
            return .decimal(Double(count) / 100, places: 2)
        case 4: return .text(String(UInt64.random(in: 0...99, using: &generator)) + "\"\\\u{7}ü")
        case 5:
            return .list((0..<3).map { _ in value(depth: depth + 1, using: &generator) })
        default:
            return .object(
                (0..<3).map { .init("k\($0)", value(depth: depth + 1, using: &generator)) })
        }
    }
}
