import Clock
import Navigation
import Testing

@testable import Simulation

/// Carried positions on generated tracks, by the daemon's own push schedule.
@Suite("Motion on generated tracks")
struct MotionReplayTests {
    static func errors(
        _ track: RecordedTrack, _ carrying: Carrying, hertz: Double = 1, latency: Double = 0.15
    ) throws -> (ground: ErrorSummary, height: ErrorSummary) {
        let pushes = MotionReplay.pushes(
            of: track, hertz: hertz, latency: .seconds(latency), carrying: carrying)
        let ground = try #require(ErrorSummary(pushes.map(\.horizontal)))
        let height = try #require(ErrorSummary(pushes.compactMap(\.vertical)))
        return (ground, height)
    }

    @Test(
        "What we ship is never worse than straight on, and far better than holding",
        arguments: 0..<GeneratedTrack.laws.count, [1.0, 5])
    func better(index: Int, hertz: Double) throws {
        let (name, law, start) = GeneratedTrack.laws[index]
        let track = GeneratedTrack.make(law, start: start, seconds: 40)
        let held = try Self.errors(track, .hold, hertz: hertz).ground
        let straight = try Self.errors(track, .constantVelocity, hertz: hertz).ground
        let shipped = try Self.errors(track, .extrapolate, hertz: hertz).ground
        #expect(shipped.rms <= straight.rms * 1.02 + 0.01, "\(name)")
        #expect(shipped.max <= straight.max * 1.05 + 0.02, "\(name)")
        #expect(shipped.rms < held.rms * 0.5, "\(name)")
    }

    @Test(
        "Turn rate and acceleration gain a quarter on vehicles",
        arguments: ["city", "race", "drone"])
    func gain(name: String) throws {
        let (_, law, start) = try #require(GeneratedTrack.laws.first { $0.name == name })
        let track = GeneratedTrack.make(law, start: start, seconds: 60)
        let straight = try Self.errors(track, .constantVelocity).ground
        let shipped = try Self.errors(track, .extrapolate).ground
        #expect(shipped.rms < straight.rms * 0.75, "\(shipped.rms) of \(straight.rms)")
    }

    @Test(
        "On drawn drives too: not worse than straight on, and a tenth better all in all",
        arguments: 0..<GeneratedTrack.kinds.count, [1.0, 2, 5, 10])
    func drives(kind: Int, hertz: Double) throws {
        var gain = 0.0
        for (seed, latency) in zip([1, 2, 3] as [UInt64], [0.05, 0.15, 0.3]) {
            let (law, start) = GeneratedTrack.drive(kind, seed: seed)
            let track = GeneratedTrack.make(law, start: start, seconds: 120)
            let straight = try Self.errors(track, .constantVelocity, hertz: hertz, latency: latency)
            let shipped = try Self.errors(track, .extrapolate, hertz: hertz, latency: latency)
            let share = shipped.ground.rms / straight.ground.rms
            #expect(share < 1, "seed \(seed), \(share)")
            gain += (1 - share) / 3
        }
        #expect(gain > 0.1, "\(GeneratedTrack.kinds[kind].name): \(gain)")
    }

    @Test("A noisy receiver does no harm", arguments: [0.2, 0.6], 1...4 as ClosedRange<UInt64>)
    func noisy(noise: Double, seed: UInt64) throws {
        for (name, law, start) in GeneratedTrack.laws where name != "race" {
            let track = GeneratedTrack.make(
                law, start: start, seconds: 50, noise: noise, seed: seed)
            let straight = try Self.errors(track, .constantVelocity).ground
            let shipped = try Self.errors(track, .extrapolate).ground
            #expect(shipped.rms < straight.rms * 1.15 + 0.05, "\(name), seed \(seed)")
        }
    }

    @Test("The latency is part of the distance", arguments: [0.0, 0.05, 0.3])
    func latency(seconds: Double) throws {
        let track = GeneratedTrack.make({ _ in (0, 0, 0) }, start: 50, seconds: 20)
        let shipped = try Self.errors(track, .extrapolate, latency: seconds).ground
        #expect(shipped.max < 0.05)
    }

    @Test("A fall is carried in height")
    func fall() throws {
        let (_, law, start) = try #require(GeneratedTrack.laws.first { $0.name == "fall" })
        let track = GeneratedTrack.make(law, start: start, seconds: 40)
        let held = try Self.errors(track, .hold).height
        let shipped = try Self.errors(track, .extrapolate).height
        #expect(shipped.rms < held.rms / 10)
    }

    @Test("Ten pushes a second, from the second fix on")
    func count() {
        let track = GeneratedTrack.make({ _ in (0, 0, 0) }, start: 10, seconds: 30)
        let pushes = MotionReplay.pushes(
            of: track, hertz: 1, latency: .milliseconds(150), carrying: .hold)
        #expect(abs(pushes.count - 288) <= 2)
    }

    @Test("A track is read, and what is none is refused with its line")
    func reading() throws {
        let header = "time_s,lat,lon,alt_m,speed_mps,course_deg,climb_mps\n"
        let track = try RecordedTrack(csv: header + "0.0,48,11,500,1,90,\n0.5,48.1,11,,,,0.5\n")
        #expect(track.samples.count == 2)
        #expect(track.samples[0].climbMetresPerSecond == nil)
        #expect(track.samples[1].heightMetres == nil)
        #expect(throws: RecordedTrack.ReadError(line: 3)) {
            try RecordedTrack(csv: header + "0,48,11,,,,\n0,48,11,,,,\n")
        }
        #expect(throws: RecordedTrack.ReadError(line: 2)) {
            try RecordedTrack(csv: header + "x,48,11,,,,\n")
        }
        let middle = try #require(track.truth(at: 0.25)?.place.latitudeDegrees)
        #expect(abs(middle - 48.05) < 1e-6)
        #expect(track.truth(at: 0.75) == nil)
    }

    @Test("In a gap of the track nobody knows the truth")
    func gap() {
        let samples = [0.0, 1, 3].map {
            RecordedTrack.Sample(
                seconds: $0, place: Place(latitudeDegrees: 48, longitudeDegrees: 11))
        }
        let track = RecordedTrack(samples: samples)
        #expect(track.truth(at: 0.5) != nil)
        #expect(track.truth(at: 1.5) == nil)
    }

    @Test("Thinning takes the first sample of each tick")
    func thinning() {
        let samples = [0.3, 0.95, 1.05, 1.15, 2.0, 2.1, 3.4].map {
            RecordedTrack.Sample(
                seconds: $0, place: Place(latitudeDegrees: 1, longitudeDegrees: 1))
        }
        let thin = RecordedTrack(samples: samples).thinned(to: 1)
        #expect(thin.map(\.seconds) == [1.05, 2, 3.4])
    }
}
