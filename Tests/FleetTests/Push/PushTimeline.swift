import Clock
import OsmoProtocol

@testable import Fleet

/// Gives the arrivals of fixes to a schedule on a virtual clock, and records what it sends.
struct PushTimeline {
    /// One arrival: when the fix came, and the instant that it is about.
    struct Arrival {
        var at: Double
        var interval: Double?
    }

    struct Sent: Equatable {
        var at: Double
        var frame: PushSchedule.Frame
        /// Whether a fix had come since the push before.
        var news: Bool
    }

    private(set) var sent: [Sent] = []
    var schedule: PushSchedule
    /// Whether there is a camera that accepts what is sent.
    var isHeard = true
    private var news = false

    init(rate: Int) { schedule = PushSchedule(rate: rate) }

    var positions: [Sent] { sent.filter { $0.frame == .position } }

    /// Lets everything happen that is due before `end` seconds.
    mutating func run(until end: Double) {
        while let due = schedule.nextDeadline, due < instant(end) {
            tick(at: max(due, instant(sent.last?.at ?? 0)))
        }
    }

    mutating func fix(at time: Double, interval: Double?) {
        run(until: time)
        schedule.fixArrived(instant(time), interval: interval.map { .seconds($0) })
        news = true
        tick(at: instant(time))
    }

    mutating func lose(at time: Double, gone: Bool = false) {
        run(until: time)
        schedule.lost(at: instant(time), gone: gone)
        tick(at: instant(time))
    }

    mutating func close(at time: Double) {
        run(until: time)
        schedule.close(at: instant(time))
        tick(at: instant(time))
    }

    mutating func play(_ arrivals: [Arrival], until end: Double) {
        for arrival in arrivals { fix(at: arrival.at, interval: arrival.interval) }
        run(until: end)
    }

    private mutating func tick(at now: Instant) {
        guard let frame = schedule.advance(to: now) else { return }
        sent.append(Sent(at: now.seconds, frame: frame, news: news))
        if frame == .position {
            news = false
            if isHeard { schedule.delivered(at: now) }
        }
    }

    /// Virtual time starts at a second, so that nothing lies before the clock's start.
    private func instant(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }
}

/// Makes the arrivals of a receiver, with its jitter, losses and stalls.
struct ArrivalGenerator {
    var hertz: Double
    var jitter = 0.0
    /// The share of epochs that never come.
    var lost = 0.0
    /// Every so many seconds arrivals are held for half a second and come all at once; nil for
    /// never.
    var stall: Double?

    func arrivals<G: RandomNumberGenerator>(
        from start: Double, seconds: Double, using generator: inout G
    ) -> [PushTimeline.Arrival] {
        let interval = 1 / hertz
        var arrivals: [PushTimeline.Arrival] = []
        var latest = start
        for count in 0..<Int(seconds * hertz) {
            let own = start + Double(count) * interval
            let drawn = (
                Double.random(in: -1...1, using: &generator),
                Double.random(in: 0...1, using: &generator)
            )
            if drawn.1 < lost { continue }
            var at = own + jitter + drawn.0 * jitter
            if let stall {
                let phase = own.truncatingRemainder(dividingBy: stall)
                if phase < 0.5 { at = max(at, own - phase + 0.5) }
            }
            latest = max(latest + 1e-6, at)
            arrivals.append(.init(at: latest, interval: interval))
        }
        return arrivals
    }
}
