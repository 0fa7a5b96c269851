import Fleet
import LineProtocol
import Testing

@Suite struct RequestFuzzTests {
    static let words =
        Verb.all.map(\.name) + [
            "#1", "#", "#abc", "all", "front", "1,2", "json", "start", "on", "off", "0x01", "video",
            "60", ",", "\"", "\\", "é", "\u{80}", "\t", "\0", "\r", "AA", " ", "  ",
        ]

    @Test(
        "Every line is answered at most once and with one line, whatever it holds",
        arguments: UInt64(1)...20)
    func everyLineAnsweredMostOnce(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let line = Self.line(using: &generator)
            let text = line.last == 0x0D ? line.dropLast() : line[...]
            let isBlank = text.allSatisfy { $0 == 0x20 } && line.count < Request.maxLineLength
            let request = Request.read(line)
            #expect((request == nil) == isBlank, "\(line); replay with seed \(seed)")
            guard let request else { continue }
            guard case .failure(let fault) = request.action else { continue }
            let reply = ReplyEnd.error(fault.code, fault.message).text
            #expect(reply.hasPrefix("ERR bad-"), "\(line); replay with seed \(seed)")
            #expect(!reply.unicodeScalars.contains { LineText.isControl($0) })
            #expect(reply.utf8.count < 600)
        }
    }

    private static func line(using generator: inout SeededGenerator) -> [UInt8] {
        var line: [UInt8] = []
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let count = Int.random(in: 0...40, using: &generator)
                line += (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case 1 where Int.random(in: 0..<20, using: &generator) == 0:
                line += [UInt8](repeating: 0x78, count: 1100)
            default: line += Array((words.randomElement(using: &generator) ?? "").utf8)
            }
            if Bool.random(using: &generator) { line.append(0x20) }
        }
        return line
    }
}
