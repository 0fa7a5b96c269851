import Foundation
import OsmoProtocol
import Testing

@Suite struct FrameDecoderTests {
    private static let status = Vector.all.first { $0.name == "status_video_idle_4k60" }!.bytes
    private static let reply = Vector.all.first { $0.name == "record_response_5_bytes" }!.bytes
    private static let second: Int64 = 1_000_000_000

    @Test("all valid frames glued into one notification come out in order")
    func allValidFramesGluedInto() {
        let vectors = Vector.of(kind: "frame")
        var decoder = FrameDecoder()
        let frames = decoder.receive(vectors.flatMap(\.bytes), at: 0)
        #expect(frames.map(\.encoded) == vectors.map(\.bytes))
        #expect(decoder.pendingCount == 0)
    }

    @Test("a frame comes out byte by byte", arguments: Vector.of(kind: "frame"))
    func frameComesOutByteByte(vector: Vector) {
        var decoder = FrameDecoder()
        for byte in vector.bytes.dropLast() { #expect(decoder.receive([byte], at: 0) == []) }
        let last = decoder.receive([vector.bytes.last!], at: 0)
        #expect(last.map(\.encoded) == [vector.bytes])
        #expect(decoder.droppedBytes == 0)
    }

    @Test("a frame comes out cut in two anywhere") func frameComesOutCutTwo() {
        for cut in 0...Self.status.count {
            var decoder = FrameDecoder()
            var frames = decoder.receive(Array(Self.status[..<cut]), at: 0)
            frames += decoder.receive(Array(Self.status[cut...]), at: 1)
            #expect(frames.map(\.encoded) == [Self.status])
        }
    }

    @Test("an incomplete frame waits one second and no longer") func incompleteFrameWaitsOneSecond()
    {
        for (wait, frames) in [(Self.second, 1), (Self.second + 1, 0)] {
            var decoder = FrameDecoder()
            #expect(decoder.receive(Array(Self.status.prefix(30)), at: 5).isEmpty)
            #expect(decoder.receive(Array(Self.status[30...]), at: 5 + wait).count == frames)
        }
    }

    @Test("the wait counts from the first byte of the frame that waits")
    func waitCountsFromFirstByte() {
        var decoder = FrameDecoder()
        #expect(decoder.receive(Self.status + Self.reply.prefix(5), at: 0).count == 1)
        #expect(decoder.receive(Array(Self.reply[5..<15]), at: Self.second * 9 / 10).isEmpty)
        #expect(decoder.receive(Array(Self.reply[15...]), at: Self.second * 11 / 10).isEmpty)
        // The next frame is read as usual.
        #expect(decoder.receive(Self.status, at: Self.second * 2).count == 1)
    }

    @Test("a sound header at the start of a notification ends the wait for the last one")
    func soundHeaderStartNotificationEnds() {
        var decoder = FrameDecoder()
        #expect(decoder.receive(Array(Self.status.prefix(40)), at: 0).isEmpty)
        let frames = decoder.receive(Self.reply, at: 1)
        #expect(frames.map(\.encoded) == [Self.reply])
        #expect(decoder.droppedBytes == 40)
    }

    @Test("clearing forgets the incomplete frame") func clearingForgetsIncompleteFrame() {
        var decoder = FrameDecoder()
        #expect(decoder.receive(Array(Self.status.prefix(40)), at: 0).isEmpty)
        decoder.clear()
        #expect(decoder.pendingCount == 0)
        #expect(decoder.receive(Self.reply, at: 1).count == 1)
    }

    @Test("a DUML notification is dropped whole unless a frame is incomplete")
    func dumlNotificationDroppedWholeUnless() {
        let duml: [UInt8] = [0x55, 0x0D] + Self.reply
        var decoder = FrameDecoder()
        #expect(decoder.receive(duml, at: 0).isEmpty)
        #expect(decoder.droppedBytes == 0)
        // A piece of a payload may begin with 55.
        let text = Frame(
            type: .push, sequence: 1, opcode: .statusText, payload: [1, 2, 0x55, 0x55, 3])
        let bytes = text.encoded
        #expect(decoder.receive(Array(bytes.prefix(16)), at: 1).isEmpty)
        #expect(decoder.receive(Array(bytes[16...]), at: 2) == [text])
    }

    @Test("what waits is always shorter than a frame") func whatWaitsAlwaysShorterThan() {
        let long = Frame(
            type: .push, sequence: 1, opcode: Opcode(set: 9, id: 9),
            payload: [UInt8](repeating: 0xAA, count: Frame.maximumPayload)
        ).encoded
        var decoder = FrameDecoder()
        #expect(decoder.receive(Array(long.dropLast()), at: 0).isEmpty)
        #expect(decoder.pendingCount == Frame.maximumLength - 1)
        #expect(decoder.receive([long.last!], at: 1).count == 1)
        #expect(decoder.pendingCount == 0)
    }

    /// Rules for the decoder with any input: no crash, a bounded buffer, every byte accounted for,
    /// and every undamaged frame that follows damage by more than a second.
    @Test("damaged, cut, glued and alien bytes never stop the frames after them")
    func damagedCutGluedAlienBytes() {
        let chosen = ProcessInfo.processInfo.environment["GEOTAGD_FUZZ_SEED"].flatMap(UInt64.init)
        for seed in chosen.map({ $0...$0 }) ?? 1...400 {
            let replay: Comment =
                "replay: GEOTAGD_FUZZ_SEED=\(seed) swift test --filter FrameDecoderTests"
            var random = SeededRandom(seed: seed)
            let frames = Vector.of(kind: "frame").map(\.bytes)
            var decoder = FrameDecoder()
            var now: Int64 = 0
            var received = 0
            var accounted = 0
            for _ in 0..<60 {
                var bytes = (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in
                    mutate(frames.randomElement(using: &random)!, &random)
                }
                if Int.random(in: 0..<8, using: &random) == 0 { bytes.insert(0x55, at: 0) }
                while !bytes.isEmpty {
                    let count = min(bytes.count, Int.random(in: 1...244, using: &random))
                    let chunk = Array(bytes.prefix(count))
                    bytes.removeFirst(count)
                    now += Int64.random(in: 0...700_000_000, using: &random)
                    let foreign = decoder.foreignNotifications
                    accounted += decoder.receive(chunk, at: now).reduce(0) { $0 + $1.length }
                    if decoder.foreignNotifications == foreign { received += chunk.count }
                    #expect(decoder.pendingCount < Frame.maximumLength, replay)
                    #expect(
                        received == accounted + decoder.droppedBytes + decoder.pendingCount, replay)
                }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    now += FrameDecoder.patience + 1
                    let frame = frames.randomElement(using: &random)!
                    received += frame.count
                    let decoded = decoder.receive(frame, at: now)
                    accounted += decoded.reduce(0) { $0 + $1.length }
                    #expect(decoded.map(\.encoded) == [frame], replay)
                }
            }
        }
    }

    private func mutate(_ frame: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = frame
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= random.byte() | 1
        case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        case 2: bytes.removeFirst(Int.random(in: 1...bytes.count, using: &random))
        case 3: bytes.insert(random.byte(), at: Int.random(in: 0...bytes.count, using: &random))
        case 4: bytes += (0..<Int.random(in: 1...40, using: &random)).map { _ in random.byte() }
        default: break
        }
        return bytes
    }
}
