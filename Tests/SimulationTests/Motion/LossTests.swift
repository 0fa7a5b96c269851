import Fleet
import Navigation
import Testing

@testable import Simulation

/// What is pushed when: with a fix, without one, in silence, with a frozen receiver, at jumps,
/// without gpsd, and at the end.
@Suite("Losses and recoveries, over seeds")
struct LossTests {
    struct Played {
        var stream: PushedStream
        var episodes: [(kind: PushedStream.Episode, begin: Double, end: Double)] = []

        /// Tolerance in seconds, since the clock counts whole nanoseconds.
        static let rounding = 1e-6

        /// The frames that were sent between two times.
        func frames(_ begin: Double, _ end: Double) -> [PushedStream.Sent] {
            stream.sent.filter { $0.at > begin + Self.rounding && $0.at < end - Self.rounding }
        }

        /// The bound of freshness: two and a half epochs, at least 1 s and at most 2.5 s.
        var bound: Double { min(max(2.5 / stream.hertz, 1), 2.5) }
    }

    static func play(_ hertz: Double, seed: UInt64) -> Played {
        var random = SeededGenerator(seed: seed)
        var played = Played(stream: PushedStream(hertz: hertz))
        func add(_ kind: PushedStream.Episode, _ seconds: Double) {
            let begin = played.stream.now
            played.stream.play(kind, seconds: seconds)
            played.episodes.append((kind, begin, played.stream.now))
        }
        add(.good, 12)
        for _ in 0..<20 {
            let kind = PushedStream.Episode.allCases.randomElement(using: &random) ?? .good
            add(kind, Double.random(in: 3...9, using: &random))
            add(.good, Double.random(in: 8...12, using: &random))
        }
        played.stream.close()
        return played
    }

    static let hertz: [Double] = [1, 2, 5, 10, 18, 25]

    @Test("No position is older than its bound, and each has a place", arguments: hertz, 1...6)
    func bounded(hertz: Double, seed: UInt64) {
        let played = Self.play(hertz, seed: seed)
        var news = played.stream.news[...]
        var last = -1.0
        for frame in played.stream.sent where frame.frame == .position {
            while let next = news.first, next.at <= frame.at + Played.rounding {
                last = next.at
                news = news.dropFirst()
            }
            #expect(frame.at - last <= played.bound + 1e-6, "at \(frame.at)")
            #expect(frame.place != nil, "at \(frame.at)")
        }
    }

    @Test("Each loss is told in time, and then once a second", arguments: hertz, 1...6)
    func losses(hertz: Double, seed: UInt64) throws {
        let played = Self.play(hertz, seed: seed)
        for (kind, begin, end) in played.episodes {
            let first: Double
            switch kind {
            case .good, .jumped: continue
            case .noFix: first = begin + 1 / hertz + 0.12
            case .gone: first = begin + 0.12
            case .silent, .frozen: first = begin + played.bound + 0.12
            }
            guard first < end else { continue }
            let frames = played.frames(first, end)
            #expect(frames.allSatisfy { $0.frame == .void }, "\(kind) at \(begin)")
            let voids = played.frames(begin, end).filter { $0.frame == .void }.map(\.at)
            let earliest = try #require(voids.first, "\(kind) at \(begin)")
            #expect(earliest <= first + 1e-6, "\(kind) at \(begin)")
            for pair in zip(voids, voids.dropFirst()) {
                #expect(pair.1 - pair.0 <= 1 + 1e-6 && pair.1 - pair.0 >= 0.1 - 1e-6)
            }
            #expect(end - (voids.last ?? begin) <= 1 + 1e-6)
            let quick = voids.filter { $0 <= earliest + 0.25 }.count
            #expect(quick == (kind == .gone ? 3 : 1), "\(kind) at \(begin)")
        }
    }

    @Test("Recovery comes with the first epoch, and goes on without a gap", arguments: hertz, 1...6)
    func recovery(hertz: Double, seed: UInt64) throws {
        let played = Self.play(hertz, seed: seed)
        for (kind, begin, end) in played.episodes where kind == .good || kind == .jumped {
            // The receiver's next epoch, or the end of the spacing after a void frame.
            let first = try #require(played.stream.news.first { $0.at > begin }?.at)
            guard first < end else { continue }
            let positions = played.frames(first - 0.001, end).filter { $0.frame == .position }
            let earliest = try #require(positions.first?.at)
            #expect(earliest <= first + 0.1, "at \(begin)")
            for pair in zip(positions, positions.dropFirst()) {
                #expect(pair.1.at - pair.0.at <= 0.12 + 1e-6, "at \(pair.1.at)")
            }
            #expect(played.frames(earliest, end).allSatisfy { $0.frame == .position })
        }
    }

    @Test("A jump is the old place or the new, nothing between", arguments: hertz, 1...6)
    func jumps(hertz: Double, seed: UInt64) {
        let played = Self.play(hertz, seed: seed)
        var news = played.stream.news[...]
        var last: (at: Double, place: Place)?
        for frame in played.stream.sent {
            while let next = news.first, next.at <= frame.at + Played.rounding {
                last = next
                news = news.dropFirst()
            }
            guard let place = frame.place, let last else { continue }
            // The place lies straight on from the newest fix, and from no other.
            let north = last.place.displacement(to: place).north
            let expected = PushedStream.pace * (frame.at - last.at)
            #expect(abs(north - expected) < 3, "at \(frame.at)")
        }
    }

    @Test("The end is three voids and then nothing", arguments: hertz, 1...3)
    func end(hertz: Double, seed: UInt64) {
        let played = Self.play(hertz, seed: seed)
        let end = played.stream.now
        let after = played.stream.sent.filter { $0.at > end - Played.rounding }
        #expect(after.map(\.frame) == [.void, .void, .void])
        #expect(after.allSatisfy { $0.at <= end + 0.13 })
    }
}
