import Fleet
import Foundation
import Glibc
import LineProtocol
import Testing

@testable import Daemon

/// Each line is answered once, whatever a client writes and in whatever pieces. libFuzzer looks for
/// more in the same place (Tests/Fuzz).
@Suite struct ConsoleFuzzTests {
    private static let parts: [[UInt8]] =
        Verb.all.map { Array($0.name.utf8) }
        + ["#1", "#", "all", "front", "1,2", "json", "start", "on", "off", "0x01", "60", "é"].map {
            Array($0.utf8)
        }
        + [[0x0A], [0x0A], [0x0A], [0x0D, 0x0A], [0x00], [0xFF], [0xC2, 0x85], [0x09], [0x20]]

    @Test("Each line is answered once, in order, with its tag", arguments: UInt64(1)...12)
    func eachLineAnsweredOnceOrder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bench = try ConsoleBench()
        try bench.open()
        let peer = try SocketPeer(bench)
        var text: [UInt8] = []
        var owed = 0
        for number in 0..<60 {
            let junk = Self.junk(using: &generator)
            owed += Self.answers(to: junk)
            text += junk + Array("#n\(number) gps\n".utf8)
        }
        var rest = text[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...700, using: &generator)
            peer.write(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            bench.settle()
            peer.read()
        }
        let ends = peer.replies(owed + 60).filter(SocketPeer.isEnd)
        bench.settle()
        peer.read()
        #expect(peer.lines.filter(SocketPeer.isEnd).count == owed + 60, "seed \(seed)")
        #expect(
            ends.filter { $0.hasPrefix("#n") } == (0..<60).map { "#n\($0) OK" }, "seed \(seed)")
    }

    /// Valid and broken lines; the last one ends with LF.
    private static func junk(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0:
                let count = Int.random(in: 1020...1026, using: &generator)
                bytes += [UInt8](repeating: 0x78, count: count)
            case 1: bytes.append(UInt8.random(in: 0...255, using: &generator))
            default: bytes += (parts.randomElement(using: &generator) ?? []) + [0x20]
            }
        }
        return bytes + [0x0A]
    }

    /// How many answers a text must get, counted without the parser: one for each line that is not
    /// blank.
    private static func answers(to text: [UInt8]) -> Int {
        text.split(separator: 0x0A).count { line in
            let content = line.last == 0x0D ? line.dropLast() : line
            return line.count >= Request.maxLineLength || content.contains { $0 != 0x20 }
        }
    }
}
