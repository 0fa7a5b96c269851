import Clock

@testable import Navigation

/// Gives a `PositionSource` the reports of a receiver, with times in seconds from a start, and
/// keeps its events.
struct ReceiverScript {
    /// 2026-07-01T10:00:00Z, the receiver's second 0.
    static let epoch = UnixTime(nanoseconds: 1_782_900_000_000_000_000)
    static let buildDate = UnixTime(nanoseconds: 1_767_225_600_000_000_000)

    var source: PositionSource
    private(set) var events: [(at: Double, event: PositionEvent)] = []

    init(device: String? = nil, connected: Bool = true) {
        source = PositionSource(device: device, buildDate: Self.buildDate)
        if connected { say(.connected, at: 0) }
    }

    static func instant(_ seconds: Double) -> Instant {
        Instant(nanoseconds: 1_000_000_000_000) + .seconds(seconds)
    }

    /// A report with usual values: 3-D, at rest in Munich.
    static func report(
        _ time: Double?, mode: Int = 3, latitude: Double = 48.0, longitude: Double = 11.0,
        height: Double = 500, speed: Double = .nan, course: Double = .nan, climb: Double = .nan,
        eph: Double = .nan, device: String = "/dev/a"
    ) -> PositionReport {
        var report = PositionReport(
            device: device, mode: mode, status: 1, time: time.map { epoch + .seconds($0) })
        guard mode >= 2 else { return report }
        report.latitudeDegrees = latitude
        report.longitudeDegrees = longitude
        report.heightMetres = height
        report.speedMetresPerSecond = speed
        report.courseDegrees = course
        report.climbMetresPerSecond = climb
        report.horizontalAccuracyMetres = eph
        return report
    }

    /// Gives an input at `time`, after everything that is due before.
    @discardableResult
    mutating func say(_ input: ReceiverInput, at time: Double) -> [PositionEvent] {
        pass(until: time)
        return keep(source.handle(input, at: Self.instant(time)), at: time)
    }

    @discardableResult
    mutating func say(_ report: PositionReport, at time: Double) -> [PositionEvent] {
        say(.report(.position(report)), at: time)
    }

    @discardableResult
    mutating func sky(_ used: Int?, hdop: Double = .nan, at time: Double) -> [PositionEvent] {
        say(
            .report(.sky(SkyReport(device: "/dev/a", satellitesUsed: used, hdop: hdop))), at: time)
    }

    /// Configures another receiver.
    mutating func listen(to device: String?, at time: Double) {
        pass(until: time)
        keep(source.listen(to: device, at: Self.instant(time)), at: time)
    }

    /// Lets time pass.
    mutating func pass(until time: Double) {
        while let due = source.nextDeadline, due <= Self.instant(time) {
            let seconds = (due - Self.instant(0)).seconds
            keep(source.advance(to: due), at: seconds)
            if let next = source.nextDeadline { precondition(next > due, "no progress at \(due)") }
        }
    }

    @discardableResult
    private mutating func keep(_ new: [PositionEvent], at time: Double) -> [PositionEvent] {
        events += new.map { (time, $0) }
        return new
    }

    // MARK: Events

    var fixes: [(at: Double, fix: Fix, sequence: Int)] {
        events.compactMap { at, event in
            if case .fix(let fix, let sequence) = event { (at, fix, sequence) } else { nil }
        }
    }

    var rows: [(at: Double, fix: Fix, sequence: Int)] {
        events.compactMap { at, event in
            if case .epochClosed(let fix, let sequence) = event {
                (at, fix, sequence)
            } else {
                nil
            }
        }
    }

    /// The times of the rows, seconds.
    var rowTimes: [Double] {
        rows.compactMap { $0.fix.time.map { ($0 - Self.epoch).seconds } }
    }

    var losses: [(at: Double, loss: Loss)] {
        events.compactMap { at, event in
            if case .lost(let loss) = event { (at, loss) } else { nil }
        }
    }

    var states: [ReceiverState] {
        events.compactMap { if case .state(let state) = $0.event { state } else { nil } }
    }

    var timeEvents: [PositionEvent] {
        events.map(\.event).filter {
            switch $0 {
            case .timeTrusted, .timeRevoked, .timeDoubted: true
            case .fix, .lost, .epochClosed, .state, .slow, .velocityDerived, .device: false
            }
        }
    }

    func position(at time: Double, _ carrying: Carrying = .extrapolate) -> CarriedPosition? {
        source.position(at: Self.instant(time), carrying: carrying)
    }
}

extension [PositionEvent] {
    var hasFix: Bool { contains { if case .fix = $0 { true } else { false } } }
}
