import Testing
import TrackExamples
import TrackFormat

@Suite struct TrackTailTests {
    private static let file = Array(TrackExamples.file.utf8)

    @Test("A file cut anywhere keeps its whole lines") func fileCutAnywhereKeepsWhole() {
        for length in 0...Self.file.count {
            let cut = Array(Self.file[..<length])
            let expected = (cut.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            #expect(kept(cut) == expected)
        }
    }

    @Test("Zeros behind a cut go with it") func zerosBehindCutGo() {
        for length in 0...Self.file.count {
            let whole = Self.file[..<length]
            let expected = (whole.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            for zeros in [1, 511, 4096, 70_000] {
                #expect(kept(whole + [UInt8](repeating: 0, count: zeros)) == expected)
            }
        }
    }

    @Test("Rows behind a hole of zeros are not trusted") func rowsBehindHoleZerosNot() {
        let whole = Self.file.count
        let harmed = Self.file + [UInt8](repeating: 0, count: 100) + Self.file
        #expect(kept(harmed) == whole)
    }

    @Test("A line as long as several blocks is seen whole") func lineLongSeveralBlocksSeen() {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)
        #expect(kept(Self.file + long) == Self.file.count)
        #expect(kept(long) == 0)
        #expect(kept(Self.file + long + [UInt8(ascii: "\n")]) == Self.file.count + 200_001)
    }

    @Test("An unharmed file costs one small read") func unharmedFileCostsOneSmall() {
        let big = Array(repeatElement(Self.file, count: 100).joined())
        var tail = TrackTail(size: big.count)
        guard case .read(let range) = tail.next else {
            Issue.record("nothing to read")
            return
        }
        #expect(range.count == TrackTail.firstBlock)
        #expect(tail.handle(Array(big[range])) == .keep(big.count))
    }

    private func kept(_ bytes: [UInt8]) -> Int {
        var tail = TrackTail(size: bytes.count)
        var step = tail.next
        while true {
            switch step {
            case .keep(let count): return count
            case .read(let range): step = tail.handle(Array(bytes[range]))
            }
        }
    }
}
