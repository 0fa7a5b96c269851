import ControlClient
import LineProtocol
import Testing

@Suite struct ReplyStreamTests {
    private func read(_ chunks: [String]) -> [ReplyStream.Line] {
        var stream = ReplyStream()
        var lines: [ReplyStream.Line] = []
        for chunk in chunks { _ = stream.append(Array(chunk.utf8)) { lines.append($0) } }
        return lines
    }

    static let text = "camera front state=ready\n! gps - state=fix3d\nOK\nERR no-camera who is x\n"
    static let lines: [ReplyStream.Line] = [
        .data("camera front state=ready"), .event("gps - state=fix3d"), .end(.ok),
        .end(.error(.noCamera, "who is x")),
    ]

    @Test("Lines are told apart, whole, byte by byte and glued") func linesToldApartWholeByte() {
        #expect(read([Self.text]) == Self.lines)
        #expect(read(Self.text.map { String($0) }) == Self.lines)
        #expect(read([Self.text + Self.text]) == Self.lines + Self.lines)
    }

    @Test("What only looks like an end is data") func whatOnlyLooksLikeEnd() {
        let lines = read(["OKAY\nERRATIC\nERR\nOK \n!gps\nERR new-code words\n"])
        #expect(lines.prefix(3) == [.data("OKAY"), .data("ERRATIC"), .data("ERR")])
        #expect(lines.suffix(3) == [.data("OK "), .data("!gps"), .end(.error(.internal, "words"))])
    }

    @Test("A line that never ends is given up") func lineNeverEndsGivenUp() {
        var stream = ReplyStream()
        let bytes = [UInt8](repeating: 0x78, count: ReplyStream.maxLineLength)
        let isFine = stream.append(bytes) { _ in }
        #expect(isFine)
        let isStill = stream.append([0x78]) { _ in }
        #expect(!isStill)
    }

    @Test("A data line becomes an object") func dataLineBecomesObject() {
        let line = ReplyLine(
            text: "camera front state=ready code=0042 age_s=0.5 text=\"a \\\"b\" x=")
        #expect(
            line?.json(kindKey: "event").line
                == #"{"event":"camera","name":"front","state":"ready","code":"0042","age_s":0.5,"#
                + #""text":"a \"b","x":""}"#)
        #expect(ReplyLine(text: "lonely") == nil)
        #expect(ReplyLine(text: "") == nil)
    }
}
