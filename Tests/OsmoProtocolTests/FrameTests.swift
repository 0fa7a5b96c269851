import OsmoProtocol
import Testing

@Suite struct FrameTests {
    @Test("the checksums have their check values") func checksumsHaveTheirCheckValues() {
        let digits = Array("123456789".utf8)
        #expect(CRC16.checksum(digits.span, in: 0..<9) == 0x2752)
        #expect(CRC32.checksum(digits.span, in: 0..<9) == 0xE4D9_DC14)
    }

    @Test("eight bytes a step give what one byte a step gives") func eightBytesStepGiveWhat() {
        var random = SeededRandom(seed: 1)
        let bytes = (0..<300).map { _ in random.byte() }
        for start in 0..<9 {
            for end in stride(from: start, to: 300, by: 7) {
                var register: UInt32 = 0x3AA3
                for byte in bytes[start..<end] {
                    register ^= UInt32(byte)
                    for _ in 0..<8 {
                        register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1
                    }
                }
                #expect(CRC32.checksum(bytes.span, in: start..<end) == register)
            }
        }
    }

    @Test("the largest payload fits and its length is right") func largestPayloadFitsLengthRight()
        throws
    {
        let payload = [UInt8](repeating: 0x5A, count: Frame.maximumPayload)
        let frame = Frame(
            type: .push, sequence: 7, opcode: Opcode(set: 1, id: 2), payload: payload)
        let bytes = frame.encoded
        #expect(bytes.count == Frame.maximumLength)
        #expect(try Frame(datagram: bytes) == frame)
    }

    @Test("every single bit that flips is noticed") func everySingleBitFlipsNoticed() throws {
        let good = Frame(KeyReport.short(.record), sequence: 0x1234).encoded
        for bit in 0..<good.count * 8 {
            var bytes = good
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: FrameError.self) { try Frame(datagram: bytes) }
        }
    }

    @Test("an enciphered frame is never interpreted") func encipheredFrameNeverInterpreted() {
        let plain = Frame(PowerMode.sleep, sequence: 1)
        var secret = plain
        secret.encryption = 0x20
        #expect(plain.read(PowerMode.self) == .sleep)
        #expect(secret.read(PowerMode.self) == nil)
        var reply = Frame(CommandReply(code: .success), to: plain)
        #expect(reply.returnCode == .success)
        reply.encryption = 0x20
        #expect(reply.returnCode == nil)
    }

    @Test("an answer is not taken for a command nor the reverse") func answerNotTakenCommandNor() {
        let request = Frame(
            ConnectionRequest(
                deviceID: 1, address: BluetoothAddress(value: 2), verification: .allowed),
            sequence: 1)
        let answer = Frame(ConnectionResponse(deviceID: 1), sequence: 1)
        #expect(request.read(ConnectionResponse.self) == nil)
        #expect(answer.read(ConnectionRequest.self) == nil)
        // Types 01 and 21 were never seen with 0019, but only bit 5 decides.
        var odd = answer
        odd.type = FrameType(rawValue: 0x21)
        #expect(odd.read(ConnectionResponse.self) != nil)
    }

    @Test(
        "a payload one byte too short is no message",
        arguments: [
            (Opcode.key, 1), (.gpsPush, 48), (.connection, 33), (.power, 1), (.status, 7),
            (.record, 5), (.modeSwitch, 5), (.subscription, 2), (.statusText, 44), (.restart, 4),
        ])
    func payloadOneByteTooShort(opcode: Opcode, needed: Int) {
        let needed = opcode == .key ? KeyReport.length : needed
        var payload = [UInt8](repeating: 0, count: needed)
        if opcode == .statusText {
            payload[0] = 1
            payload[22] = 2
        }
        #expect(isRead(opcode, payload))
        #expect(!isRead(opcode, Array(payload.dropLast())))
        #expect(isRead(opcode, payload + [0]))
    }

    private func isRead(_ opcode: Opcode, _ payload: [UInt8]) -> Bool {
        let frame = Frame(type: .request, sequence: 0, opcode: opcode, payload: payload)
        return switch opcode {
        case .key: frame.read(KeyReport.self) != nil
        case .gpsPush: frame.read(GPSPush.self) != nil
        case .connection: frame.read(ConnectionRequest.self) != nil
        case .power: frame.read(PowerMode.self) != nil
        case .status: frame.read(CameraStatus.self) != nil
        case .record: frame.read(RecordControl.self) != nil
        case .modeSwitch: frame.read(ModeSwitch.self) != nil
        case .subscription: frame.read(StatusSubscription.self) != nil
        case .statusText: frame.read(StatusText.self) != nil
        default: frame.read(Restart.self) != nil
        }
    }
}

/// xorshift64*, so that a failure can be replayed on any machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func byte() -> UInt8 { UInt8.random(in: 0...255, using: &self) }
}
