import Reactor
import Testing

@Suite struct LineReaderTests {
    private func lines(_ bytes: [UInt8], by step: Int = .max) -> [LineReader.Line] {
        var reader = LineReader()
        var lines: [LineReader.Line] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.append(rest.prefix(step)) { lines.append($0) }
            rest = rest.dropFirst(step)
        }
        return lines
    }

    @Test(
        "lines end at LF, a CR before it is dropped, however they arrive",
        arguments: [1, 2, 3, 1000])
    func linesEndLFCRBefore(step: Int) {
        let got = lines(Array("status\nrecord start\r\n\nmark ü\n".utf8), by: step)
        #expect(got == [.text("status"), .text("record start"), .text(""), .text("mark ü")])
    }

    @Test("a line of exactly the greatest length is whole, one byte more is too long")
    func lineExactlyGreatestLengthWhole() {
        let whole = [UInt8](repeating: UInt8(ascii: "a"), count: LineReader.maximumLength - 1)
        let end = [UInt8(ascii: "\n")]
        #expect(lines(whole + end) == [.text(String(decoding: whole, as: UTF8.self))])
        let long = whole + [UInt8(ascii: "b")]
        #expect(lines(long + end + Array("next\n".utf8)) == [.tooLong, .text("next")])
    }

    @Test("a line without end is reported once and takes no memory")
    func lineWithoutEndReportedOnce() {
        var reader = LineReader()
        var got: [LineReader.Line] = []
        let block = [UInt8](repeating: UInt8(ascii: "z"), count: 700)
        for _ in 0..<1000 { reader.append(block) { got.append($0) } }
        #expect(got == [.tooLong])
        #expect(reader.hasPartialLine)
        reader.append(Array("\nok\n".utf8)) { got.append($0) }
        #expect(got == [.tooLong, .text("ok")])
        #expect(!reader.hasPartialLine)
    }

    @Test(
        "bytes that are not text are named",
        arguments: [
            ([0x61, 0x00, 0x62], LineReader.Line.controlCharacter),
            ([0x61, 0x09, 0x62], .controlCharacter),
            ([0x1B, 0x5B, 0x32, 0x4A], .controlCharacter),
            ([0x61, 0x7F], .controlCharacter),
            ([0x61, 0x0D, 0x62], .controlCharacter),
            ([0x61, 0x0D, 0x0D], .controlCharacter),
            ([0xC2, 0x9B, 0x4A], .controlCharacter),
            ([0x61, 0xFF], .invalidUTF8),
            ([0xC3], .invalidUTF8),
            ([0xED, 0xA0, 0x80], .invalidUTF8),
            ([0xC0, 0x80], .invalidUTF8),
        ] as [([UInt8], LineReader.Line)])
    func bytesNotTextNamed(bytes: [UInt8], line: LineReader.Line) {
        #expect(lines(bytes + [0x0A] + Array("ok\n".utf8)) == [line, .text("ok")])
    }

    @Test("the unterminated last line is there at the end, once")
    func unterminatedLastLineThereEnd() {
        var reader = LineReader()
        reader.append(Array("a\nlast\r".utf8)) { _ in }
        #expect(reader.hasPartialLine)
        #expect(reader.finish() == .text("last"))
        #expect(reader.finish() == nil)
    }

    @Test("the end of a line that was too long tells nothing again") func endLineTooLongTells() {
        var reader = LineReader()
        var count = 0
        reader.append([UInt8](repeating: 0x61, count: 5000)) { _ in count += 1 }
        #expect(count == 1)
        #expect(reader.finish() == nil)
    }

    @Test("a dropped partial line leaves no trace") func droppedPartialLineLeavesNo() {
        var reader = LineReader()
        var got: [LineReader.Line] = []
        reader.append(Array("sta".utf8)) { got.append($0) }
        reader.dropPartialLine()
        reader.append(Array("help\n".utf8)) { got.append($0) }
        #expect(got == [.text("help")])
    }

    @Test(
        "random bytes give the same lines in whole and in pieces",
        arguments: 1...20 as ClosedRange<UInt64>)
    func randomBytesGiveSameLines(seed: UInt64) {
        var random = SplitMix(state: seed)
        let alphabet: [UInt8] = [0x0A, 0x0D, 0x61, 0x62, 0xC3, 0xBC, 0x00, 0xFF]
        let bytes = (0..<3000).map { _ -> UInt8 in
            random.next() % 50 == 0 ? 0x0A : alphabet[Int(random.next() % 8)]
        }
        let ends = bytes.count { $0 == 0x0A }
        let whole = lines(bytes)
        #expect(whole.count == ends)
        #expect(lines(bytes, by: 1) == whole)
        #expect(lines(bytes, by: 1 + Int(random.next() % 40)) == whole)
    }
}
