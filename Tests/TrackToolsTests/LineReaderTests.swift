import Fleet
import Foundation
import Testing

@testable import TrackTools

@Suite struct LineReaderTests {
    @Test("Lines are whole wherever blocks end") func linesWholeWhereverBlocksEnd() throws {
        let fixture = try TrackFixture()
        var numbers = SeededGenerator(seed: 3)
        var lines: [[UInt8]] = []
        var bytes: [UInt8] = []
        while bytes.count < 3 << 20 {
            let length = Int.random(in: 0...2000, using: &numbers)
            lines.append(
                (0..<length).map { UInt8(truncatingIfNeeded: 32 + ($0 * 7 + length) % 90) })
            bytes += lines[lines.count - 1] + [10]
        }
        let reader = try LineReader(try fixture.write(bytes, to: "lines"))
        var offset = 0
        for line in lines {
            let read = try #require(try reader.next())
            #expect(Array(read.bytes) == line && read.offset == offset)
            #expect(read.isWhole && read.fits)
            offset += line.count + 1
        }
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test("A last line without an end is told apart") func lastLineWithoutEndTold() throws {
        let fixture = try TrackFixture()
        let reader = try LineReader(try fixture.write(Array("a\nb".utf8), to: "cut"))
        #expect(try reader.next()?.isWhole == true)
        let last = try #require(try reader.next())
        #expect(last.bytes.elementsEqual("b".utf8) && !last.isWhole)
        #expect(try reader.next() == nil)
    }

    @Test(
        "A line longer than any row does not fit, and the next one does",
        arguments: [
            (LineReader.maxLineLength, true), (LineReader.maxLineLength + 1, false),
            (5 * LineReader.block, false),
        ])
    func lineLongerThanAnyRow(
        length: Int, fits: Bool
    ) throws {
        let fixture = try TrackFixture()
        let long = [UInt8](repeating: 65, count: length)
        for prefix in [[], Array("short\n".utf8)] {
            let path = try fixture.write(prefix + long + Array("\nnext\n".utf8), to: "long")
            let reader = try LineReader(path)
            if !prefix.isEmpty { #expect(try reader.next()?.bytes.count == 5) }
            let read = try #require(try reader.next())
            #expect(read.fits == fits && read.isWhole)
            #expect(try reader.next()?.bytes.elementsEqual("next".utf8) == true)
            #expect(try reader.next() == nil)
        }
    }

    @Test("An empty file has no line") func emptyFileHasNoLine() throws {
        let fixture = try TrackFixture()
        #expect(try LineReader(try fixture.write([], to: "empty")).next() == nil)
        #expect(throws: TrackToolFault.open(fixture.path + "/none", ENOENT)) {
            _ = try LineReader(fixture.path + "/none")
        }
    }
}
