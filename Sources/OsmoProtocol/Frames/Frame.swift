/// One frame of the R SDK protocol (protocol 2.1).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | AA |
/// | 1 | 2 | bits 9…0 total length, bits 15…10 version 0 |
/// | 3 | 1 | CmdType |
/// | 4 | 1 | ENC, 0 when plain |
/// | 5 | 3 | reserved, 0 |
/// | 8 | 2 | sequence number |
/// | 10 | 2 | CRC16 over bytes 0…9 |
/// | 12 | 2 | command set, command ID |
/// | 14 | n | payload |
/// | 14 + n | 4 | CRC32 over all before it |
package struct Frame: Hashable, Sendable {
    /// CmdType, byte 3 (protocol 2.2).
    package var type: FrameType
    /// SEQ: the sender of a command counts it up and wraps at 65535; an answer copies it (protocol
    /// 2.5).
    package var sequence: UInt16
    /// Command set and command ID, bytes 12 and 13.
    package var opcode: Opcode
    /// At most `maximumPayload` bytes; meaningless where `isEncrypted`.
    package var payload: [UInt8]
    /// The ENC byte: cipher in bits 7…5, pad length in bits 4…0.
    package var encryption: UInt8

    /// Bytes by which a frame is longer than its payload: header, opcode and CRC32.
    package static let overhead = 18
    /// The longest frame that the length field can state.
    package static let maximumLength = 1023
    /// Bytes of payload that the longest frame holds: 1005.
    package static let maximumPayload = maximumLength - overhead
    /// The first byte.
    package static let startOfFrame: UInt8 = 0xAA
    /// Bytes 0 to 11, the CRC16 included.
    static let headerLength = 12
    /// The CRC32.
    static let trailerLength = 4

    /// A frame to send. `payload` must have at most `maximumPayload` bytes; more stops the program.
    package init(
        type: FrameType, sequence: UInt16, opcode: Opcode, payload: [UInt8], encryption: UInt8 = 0
    ) {
        precondition(payload.count <= Frame.maximumPayload, "a frame holds at most 1005 bytes")
        self.type = type
        self.sequence = sequence
        self.opcode = opcode
        self.payload = payload
        self.encryption = encryption
    }

    /// Reads exactly one frame.
    ///
    /// - Parameter datagram: the frame and nothing else.
    /// - Throws: the first check of `FrameError` that fails.
    package init(datagram: [UInt8]) throws(FrameError) {
        guard datagram.count >= Frame.headerLength else { throw .short }
        guard datagram[0] == Frame.startOfFrame else { throw .sof }
        guard Frame.headerIsSound(datagram, at: 0) else { throw .crc16 }
        let length = Frame.declaredLength(datagram, at: 0)
        guard length >= Frame.overhead else { throw .length }
        guard datagram.count >= length else { throw .truncated }
        guard Frame.bodyIsSound(datagram, at: 0, length: length) else { throw .crc32 }
        guard datagram.count == length else { throw .trailing }
        guard Frame.declaredVersion(datagram, at: 0) == 0 else { throw .version }
        self.init(sound: datagram, at: 0, length: length)
        guard !isEncrypted else { throw .encrypted }
    }

    /// Reads a frame whose checks have all passed.
    init(sound bytes: [UInt8], at start: Int, length: Int) {
        type = FrameType(rawValue: bytes[start + 3])
        encryption = bytes[start + 4]
        sequence = bytes.littleEndian16(at: start + 8)
        opcode = Opcode(set: bytes[start + 12], id: bytes[start + 13])
        payload = Array(bytes[start + 14..<start + length - 4])
    }

    /// The payload is enciphered and must not be interpreted.
    @inlinable package var isEncrypted: Bool { encryption != 0 }

    /// Bytes of the whole frame.
    package var length: Int { payload.count + Frame.overhead }

    /// The frame as it goes into one ATT write.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        encode(into: &bytes)
        return bytes
    }

    /// Replaces `buffer` by the frame as it goes into one ATT write; keeps the buffer's storage.
    package func encode(into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: repeatElement(0, count: Frame.payloadOffset))
        buffer.append(contentsOf: payload)
        buffer.append(contentsOf: repeatElement(0, count: Frame.trailerLength))
        buffer.change {
            Frame.begin(
                &$0, type: type, encryption: encryption, sequence: sequence, opcode: opcode)
            Frame.end(&$0)
        }
    }

    /// Where the payload begins.
    static let payloadOffset = 14

    /// Makes `buffer` as long as a frame; allocates nothing where it has that length already.
    static func size(_ buffer: inout [UInt8], to length: Int) {
        guard buffer.count != length else { return }
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: repeatElement(0, count: length))
    }

    /// Writes everything in front of the payload. `bytes` is as long as the frame is to be.
    static func begin(
        _ bytes: inout MutableByteSpan, type: FrameType, encryption: UInt8 = 0,
        sequence: UInt16, opcode: Opcode
    ) {
        bytes[0] = startOfFrame
        bytes.store(UInt16(bytes.count), at: 1)
        bytes[3] = type.rawValue
        bytes[4] = encryption
        bytes[5] = 0
        bytes[6] = 0
        bytes[7] = 0
        bytes.store(sequence, at: 8)
        bytes.store(CRC16.checksum(bytes.span, in: 0..<10), at: 10)
        bytes[12] = opcode.set
        bytes[13] = opcode.id
    }

    /// Writes the CRC32 behind the payload in `bytes`.
    static func end(_ bytes: inout MutableByteSpan) {
        let body = bytes.count - trailerLength
        bytes.store(CRC32.checksum(bytes.span, in: 0..<body), at: body)
    }
}

/// The checks, on bytes that may hold more than one frame.
extension Frame {
    /// Whether the CRC16 of the header at `start` is right; twelve bytes must be there.
    static func headerIsSound(_ bytes: [UInt8], at start: Int) -> Bool {
        CRC16.checksum(bytes.span, in: start..<start + 10) == bytes.littleEndian16(at: start + 10)
    }

    /// The total length that the header at `start` states, 0 to 1023.
    static func declaredLength(_ bytes: [UInt8], at start: Int) -> Int {
        Int(bytes.littleEndian16(at: start + 1) & 0x3FF)
    }

    /// The version that the header at `start` states.
    static func declaredVersion(_ bytes: [UInt8], at start: Int) -> UInt8 {
        bytes[start + 2] >> 2
    }

    /// Whether the CRC32 of the `length` bytes at `start` is right.
    static func bodyIsSound(_ bytes: [UInt8], at start: Int, length: Int) -> Bool {
        let end = start + length - 4
        return CRC32.checksum(bytes.span, in: start..<end) == bytes.littleEndian32(at: end)
    }
}
