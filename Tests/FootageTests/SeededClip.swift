import Clock

@testable import Film
@testable import Footage

/// A clip as it would be read, and the pushes of its time, made from a seed. No file is written, so
/// that hundreds of drives can be tried.
struct SeededClip {
    var rate = FilmSettings.Rate(frames: 30_000, seconds: 1001)
    var seconds = 600.0
    /// Standard deviation of the arrivals of pushes, seconds.
    var jitter = 0.005
    var delay = 0.030
    /// Share of pushes that get lost.
    var lost = 0.05
    /// Drift of the camera's clock, parts in a million.
    var drift = 0.0
    var logDrift = 0.0
    var random: FilmRandom

    /// The shortest delay of any push, seconds.
    private(set) var least = 1.0
    /// The camera's clock at the first frame, and UTC then, microseconds.
    private(set) var firstClock = 0.0
    private(set) var start = 0.0

    static let poweredOn = 1_782_900_000e6

    init(seed: UInt64) {
        random = FilmRandom(seed: seed)
        drift = (random.fraction() * 2 - 1) * 60
        logDrift = (random.fraction() * 2 - 1) * 40
    }

    mutating func make() -> (clip: FilmedClip, pushes: [SentPush]) {
        var pushes: [SentPush] = []
        var arrivals: [(clock: Double, place: HeldPlace)] = []
        let rateOfClock = 1 + drift / 1e6
        start = 20 + random.fraction() * 5
        firstClock = (start * 1e6 * rateOfClock).rounded()
        let log = 5000 + random.fraction() * 100
        for number in 0..<Int((start + seconds + 3) * 10) {
            let sent = Double(number) / 10 + 0.0004 * random.fraction()
            let place = HeldPlace(
                latitudeE7: 481_000_000 + Int32(number) * 120,
                longitudeE7: 115_000_000 - Int32(number) * 90,
                heightMillimetres: 520_000 + Int32(number % 97))
            pushes.append(
                SentPush(
                    log: 0, monotonicMicroseconds: Int64((log + sent * (1 + logDrift / 1e6)) * 1e6),
                    utcMicroseconds: Int64(Self.poweredOn + sent * 1e6), place: place))
            let late = max(0.001, delay + jitter * random.normal())
            guard random.fraction() >= lost else { continue }
            if sent >= start, sent <= start + seconds { least = min(least, late) }
            let clock = (sent + late) * 1e6 * rateOfClock
            arrivals.append((max(clock, arrivals.last?.clock ?? 0), place))
        }
        start = start * 1e6 + Self.poweredOn
        return (film(arrivals), pushes)
    }

    private func film(_ arrivals: [(clock: Double, place: HeldPlace)]) -> FilmedClip {
        var clip = FilmedClip()
        var coming = arrivals[...]
        var held: HeldPlace?
        let frames = Int(seconds * rate.perSecond)
        for number in 0..<frames {
            let clock = Int64((firstClock + Double(number) * 1e6 / rate.perSecond).rounded())
            let before = clip.frames > 0 ? clip.lastClock : nil
            var place = held
            while let next = coming.first, next.clock <= Double(clock) {
                place = next.place
                coming.removeFirst()
            }
            if let place {
                if place != held {
                    clip.runs.append(
                        HeldRun(place: place, first: clock, before: before, last: clock))
                } else if !clip.runs.isEmpty {
                    clip.runs[clip.runs.count - 1].last = clock
                }
                held = place
            }
            if before == nil { clip.firstClock = clock }
            clip.lastClock = clock
            clip.frames += 1
        }
        clip.framesWithFix = clip.frames
        clip.shownSeconds = seconds
        return clip
    }
}
