import Clock
import Fleet
import Navigation
import OsmoProtocol

/// Plays the episodes of a receiver through the daemon's own positions and push schedule.
struct PushedStream {
    /// What the receiver does for a while.
    enum Episode: CaseIterable, Sendable {
        case good, noFix, silent, frozen, jumped, gone
    }

    struct Sent {
        var at: Double
        var frame: PushSchedule.Frame
        var place: Place?
    }

    static let start = Instant(nanoseconds: 1_000_000_000_000)
    static let epoch = UnixTime(nanoseconds: 1_782_900_000_000_000_000)
    static let pace = 20.0

    let hertz: Double
    private(set) var sent: [Sent] = []
    /// When each new place came, and where it was.
    private(set) var news: [(at: Double, place: Place)] = []
    private(set) var losses: [(at: Double, loss: Loss)] = []
    private var source = PositionSource(device: nil, buildDate: PushedStream.epoch)
    private var schedule = PushSchedule(rate: 10)
    private(set) var now = 0.0
    private var tick = 0
    private var lastReport: PositionReport?
    /// How far the receiver has jumped north, metres.
    private var offset = 0.0

    init(hertz: Double) {
        self.hertz = hertz
        _ = source.handle(.connected, at: Self.start)
    }

    /// The place that the receiver states at `time`.
    func place(at time: Double) -> Place {
        Place(latitudeDegrees: 48, longitudeDegrees: 11).moved(
            by: GroundVector(north: offset + Self.pace * time, east: 0), carrying: .zero
        ).0
    }

    mutating func play(_ episode: Episode, seconds: Double) {
        if episode == .jumped { offset += 500 }
        if episode == .gone { hear(.disconnected) }
        let end = now + seconds
        while Double(tick + 1) / hertz <= end {
            tick += 1
            let time = Double(tick) / hertz
            pass(until: time)
            now = time
            switch episode {
            case .good, .jumped: report(mode: 3)
            case .noFix: report(mode: 1)
            case .frozen: lastReport.map { hear(.report(.position($0))) }
            case .silent, .gone: break
            }
        }
        pass(until: end)
        now = end
        if episode == .gone { hear(.connected) }
    }

    mutating func close() {
        schedule.close(at: instant(now))
        send(at: instant(now))
        pass(until: now + 5)
    }

    private mutating func report(mode: Int) {
        var report = PositionReport(
            device: "a", mode: mode, time: Self.epoch + .seconds(now))
        if mode > 1 {
            let place = place(at: now)
            report.latitudeDegrees = place.latitudeDegrees
            report.longitudeDegrees = place.longitudeDegrees
            report.speedMetresPerSecond = Self.pace
            report.courseDegrees = 0
            lastReport = report
            news.append((now, place))
        }
        hear(.report(.position(report)))
    }

    private func instant(_ seconds: Double) -> Instant { Self.start + .seconds(seconds) }

    private mutating func pass(until end: Double) {
        while true {
            let due = [source.nextDeadline, schedule.nextDeadline].compactMap { $0 }.min()
            guard let due, due < instant(end) else { return }
            let at = max(due, instant(sent.last?.at ?? 0))
            take(source.advance(to: at), at: at)
        }
    }

    private mutating func hear(_ input: ReceiverInput) {
        take(source.handle(input, at: instant(now)), at: instant(now))
    }

    private mutating func take(_ events: [PositionEvent], at now: Instant) {
        for event in events {
            switch event {
            case .fix(let fix, _):
                schedule.fixArrived(fix.arrival, interval: source.epochInterval)
            case .lost(let loss):
                losses.append(((now - Self.start).seconds, loss))
                schedule.lost(at: now, gone: loss == .gone)
            case .epochClosed, .state, .slow, .velocityDerived, .device, .timeTrusted,
                .timeRevoked, .timeDoubted:
                break
            }
        }
        send(at: now)
    }

    private mutating func send(at now: Instant) {
        guard let frame = schedule.advance(to: now) else { return }
        let place = source.position(at: now, carrying: .extrapolate)?.fix.place
        sent.append(
            Sent(
                at: (now - Self.start).seconds, frame: frame,
                place: frame == .position ? place : nil))
    }
}
