import LineProtocol
import OsmoProtocol
import Testing

@Suite struct RequestLineTests {
    @Test("A line without words gets no reply", arguments: ["", "\r", " ", "    ", "  \r"])
    func lineWithoutWordsGetsNo(line: String) {
        #expect(request(line) == nil)
    }

    @Test(
        "Runs of spaces separate words, and a CR at the end does not count",
        arguments: ["status", " status", "status ", "  status  ", "status\r", "status  json"])
    func runsSpacesSeparateWordsCR(line: String) {
        let json = line.contains("json")
        #expect(request(line)?.action == .success(.daemon(.status(json: json))))
    }

    @Test("A tag is kept for the reply", arguments: ["a", "A-1_z", "0123456789abcdef"])
    func tagKeptReply(tag: String) {
        #expect(request("#\(tag) gps") == Request(tag: tag, action: .success(.daemon(.gps))))
        #expect(request("  #\(tag)   gps")?.tag == tag)
        #expect(request("#\(tag) photo 1 2")?.tag == tag)
    }

    @Test(
        "A bad tag is answered without one",
        arguments: ["#", "##", "#a.b", "#a,b", "#ü", "#0123456789abcdefg"])
    func badTagAnsweredWithoutOne(tag: String) {
        #expect(request(tag + " gps") == Request(tag: nil, action: .failure(.badTag)))
        #expect(request(tag) == Request(tag: nil, action: .failure(.badTag)))
    }

    @Test("A tag alone lacks a verb") func tagAloneLacksVerb() {
        #expect(request("#7") == Request(tag: "7", action: .failure(.noVerb)))
        #expect(request("#7  ") == Request(tag: "7", action: .failure(.noVerb)))
    }

    @Test("A tag and a verb need a space between them") func tagVerbNeedSpaceBetween() {
        #expect(request("#7status")?.action == .failure(.noVerb))
        #expect(request("status #7")?.tag == nil)
    }

    @Test(
        "An unknown verb is a bad command",
        arguments: ["sattus", "Status", "STATUS", "status;", "!", "OK", "photo\u{A0}all", "é"])
    func unknownVerbBadCommand(word: String) {
        #expect(faultOf(word) == .unknownVerb(word))
        #expect(faultOf(word)?.code == .badCommand)
        #expect(request("#t " + word)?.tag == "t")
    }

    @Test("A verb in capitals is told how it is written") func verbCapitalsToldHowWritten() {
        #expect(faultOf("STATUS")?.message == "verbs are in lower case: status")
    }

    @Test("A control byte anywhere is a bad command", arguments: Array(UInt8(0)..<0x20) + [0x7F])
    func controlByteAnywhereBadCommand(byte: UInt8) {
        for line in [[byte] + Array("gps".utf8), Array("mark a".utf8) + [byte, 0x62]] {
            #expect(Request.read(line) == Request(.controlByte))
        }
        #expect(RequestFault.controlByte.code == .badCommand)
    }

    @Test("Only one CR is dropped") func onlyOneCRDropped() {
        #expect(faultOf("gps\r\r") == .controlByte)
        #expect(faultOf("\rgps") == .controlByte)
    }

    @Test(
        "Control characters of two bytes are refused too",
        arguments: ["\u{80}", "\u{85}", "\u{9B}"])
    func controlCharactersTwoBytesRefused(character: String) {
        #expect(faultOf("mark a\(character)b") == .controlByte)
    }

    @Test(
        "Invalid UTF-8 is a bad command without a tag",
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ])
    func invalidUTF8BadCommand(bytes: [UInt8]) {
        let line = Array("#t mark ".utf8) + bytes
        #expect(Request.read(line) == Request(tag: nil, action: .failure(.invalidUTF8)))
    }

    @Test("A line has at most 1024 bytes with its LF") func lineHasMost1024Bytes() {
        let head = "mark "
        let longest = head + String(repeating: "x", count: 1023 - head.utf8.count)
        #expect(longest.utf8.count == 1023)
        #expect(faultOf(longest) == nil)
        #expect(faultOf(longest + "x") == .tooLong)
        #expect(faultOf(String(longest.dropLast()) + "\r") == nil)
        #expect(faultOf(longest + "\r") == .tooLong)
        #expect(RequestFault.tooLong.code == .badCommand)
    }

    @Test("Raw takes only whole frames with right checksums") func rawTakesOnlyWholeFrames() {
        let frame = versionFrame
        var broken = frame
        broken[frame.count - 1] ^= 1
        var header = frame
        header[10] ^= 1
        #expect(faultOf("raw a " + frame.hexadecimal) == nil)
        #expect(faultOf("raw a " + broken.hexadecimal) == .badFrame(.crc32))
        #expect(faultOf("raw a " + header.hexadecimal) == .badFrame(.crc16))
        #expect(faultOf("raw a " + frame.dropLast().hexadecimal) == .badFrame(.truncated))
        #expect(faultOf("raw a " + (frame + [0]).hexadecimal) == .badFrame(.trailing))
        #expect(faultOf("raw a AA") == .badFrame(.short))
        #expect(faultOf("raw a " + frame.hexadecimal.dropLast()) == .notHexadecimal)
        #expect(faultOf("raw a 0x" + frame.hexadecimal) == .notHexadecimal)
        #expect(faultOf("raw a AA 55") == .badFrame(.short))
        for error in FrameError.allCases {
            #expect(RequestFault.badFrame(error).code == .badArgument)
            #expect(RequestFault.badFrame(error).message.count > 30)
        }
    }

    @Test("An echoed word is quoted and cut short") func echoedWordQuotedCutShort() {
        let word = String(repeating: "x", count: 900)
        let message = faultOf(word)?.message ?? ""
        #expect(message.count < 100)
        #expect(faultOf("a\"b")?.message.contains(#""a\"b""#) == true)
    }
}
