import Clock
import Foundation
import OsmoProtocol
import Testing

@testable import Film
@testable import Footage

@Suite struct ClipFuzzTests {
    /// The seed of the mutations, unless FOOTAGE_SEED names another one.
    static let seed: UInt64 = 17

    /// Ten thousand with FILM_THOROUGH (`make film`).
    private static var mutations: Int {
        ProcessInfo.processInfo.environment["FILM_THOROUGH"] == nil ? 1500 : 10_000
    }

    @Test("Mutated clips crash nothing and say only what a clip can say")
    func mutated() throws {
        var originals: [[UInt8]] = []
        var pushes: [SentPush] = []
        for (index, model) in [CameraModel.action4, .action5Pro, .action6, .osmo360].enumerated() {
            var settings = FilmSettings(model: model, serial: "FUZZ")
            settings.indexFirst = index % 2 == 0
            settings.longOffsets = index > 1
            settings.rate = FilmSettings.Rate(frames: 10, seconds: 1)
            var drive = Drive(settings)
            originals.append(drive.film(1...4, of: 5)[0].bytes)
            pushes = drive.pushes.map { SentPush($0.push, at: $0.sent) }
        }
        var random = FilmRandom(seed: Self.seed)
        var read = 0
        for round in 0..<Self.mutations {
            let bytes = mutate(originals[round % originals.count], &random)
            do throws(ClipFault) {
                let clip = try ClipReader.read(MemorySource(bytes: bytes))
                read += 1
                #expect(clip.frames <= bytes.count)
                #expect(clip.firstClock <= clip.lastClock)
                #expect(clip.runs.allSatisfy { $0.first <= $0.last })
                if round % 8 == 0 { place(clip, pushes) }
            } catch {
                #expect(!error.words.isEmpty)
            }
        }
        // Many of the clips must have telemetry that is read, or the test tries nothing.
        #expect(read > Self.mutations / 5)
    }

    /// Tries to place the clip by each means; each answers or refuses, and none crashes.
    private func place(_ clip: FilmedClip, _ pushes: [SentPush]) {
        var index = PushIndex([clip])
        for push in pushes { index.take(push) }
        if let match = try? PushMatcher.match(clip, in: index) {
            let placement = clip.placed(by: match)
            #expect(placement.start <= placement.end)
        }
        if let offset = SecondsMatcher.offset(clip) {
            let placement = clip.placed(
                .seconds, start: Double(clip.firstClock) + offset, uncertainty: nil)
            #expect(placement.start <= placement.end)
        }
        _ = try? TrackMatcher(clip)
    }

    /// Damages a clip: flips bytes, puts in numbers at the edges of their range, cuts out, doubles,
    /// or cuts off the end. Two of three times it does so in the index, where sizes and counts
    /// stand.
    private func mutate(_ original: [UInt8], _ random: inout FilmRandom) -> [UInt8] {
        var bytes = original
        func below(_ bound: Int, _ random: inout FilmRandom) -> Int {
            min(bound - 1, Int(random.fraction() * Double(bound)))
        }
        let index = moov(of: original)
        for _ in 0...below(4, &random) {
            guard bytes.count > 64 else { break }
            let inIndex = random.fraction() < 0.66
            var place =
                inIndex
                ? index.lowerBound + below(index.count, &random)
                : below(bytes.count, &random)
            place = min(place, bytes.count - 9)
            switch below(6, &random) {
            case 0: bytes[place] ^= 1 << UInt8(below(8, &random))
            case 1: bytes[place] = UInt8(below(256, &random))
            case 2:
                let edge: [UInt8] = [
                    [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF],
                    [0, 0, 0, 1], [0x80, 0, 0, 0],
                ][below(5, &random)]
                bytes.replaceSubrange(place..<place + 4, with: edge)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(16, &random)))
            case 4:
                let part = Array(bytes[place..<min(bytes.count, place + 1 + below(64, &random))])
                bytes.insert(contentsOf: part, at: place)
            default: if below(8, &random) == 0 { bytes.removeLast(below(bytes.count / 2, &random)) }
            }
        }
        return bytes
    }

    private func moov(of bytes: [UInt8]) -> Range<Int> {
        let name = Array("moov".utf8)
        let start = (0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == name } ?? 0
        return start..<min(bytes.count, start + 2500)
    }

    @Test(
        "Messages that are cut, endless or of no kind end in a fault",
        arguments: [
            ([0x08], WireFault.cut), ([0x0A, 0x05, 0x01], .cut), ([0x09, 1, 2, 3], .cut),
            (
                [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
                .longNumber
            ),
            ([0x0B], .unknownKind), ([0x00, 0x00], .unknownKind),
        ])
    func wireFaults(bytes: [UInt8], fault: WireFault) {
        var reader = WireReader(bytes)
        #expect(throws: fault) { while try reader.next() != nil {} }
    }

    @Test("Boxes beside each other are bounded")
    func boxBound() throws {
        let empty: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
        func boxes(_ count: Int) -> Int {
            var cursor = BoxCursor(0..<UInt64(count * 8))
            let source = MemorySource(bytes: [UInt8]((0..<count).flatMap { _ in empty }))
            var seen = 0
            while (try? cursor.next(in: source)) ?? nil != nil { seen += 1 }
            return seen
        }
        #expect(boxes(BoxCursor.maxBoxes) == BoxCursor.maxBoxes)
        #expect(boxes(BoxCursor.maxBoxes + 1) == BoxCursor.maxBoxes)
    }
}
