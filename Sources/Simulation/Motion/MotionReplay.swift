package import Clock
internal import Fleet
package import Navigation

/// Plays a recorded track through the daemon's own positions and push schedule: thinned to the rate
/// of a receiver, and as late as a receiver is. Measures by how much each push is wrong.
package struct MotionReplay: Sendable {
    /// One push, compared with the track.
    package struct Push: Equatable, Sendable {
        /// On the track's clock.
        package var seconds: Double
        /// Distance on the ground between the push and the track, metres.
        package var horizontal: Double
        /// Height of the push less that of the track, metres; nil where one of them has none.
        package var vertical: Double?
        /// Where the push said that the rig is.
        package var place: Place
    }

    private let track: RecordedTrack
    private let carrying: Carrying
    private let latency: TimeSpan
    private var source: PositionSource
    private var schedule = PushSchedule(rate: 10)
    private var fixes = 0
    private var pushes: [Push] = []

    /// The replay's second 0, on the monotonic clock and in UTC.
    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private static let epoch = UnixTime(nanoseconds: 1_782_900_000_000_000_000)

    /// The pushes from the second fix on: after a single fix all ways of carrying a position give
    /// the same.
    ///
    /// - Parameters:
    ///   - hertz: fixes a second.
    ///   - latency: from a fix's own instant to its arrival.
    package static func pushes(
        of track: RecordedTrack, hertz: Double, latency: TimeSpan, carrying: Carrying
    ) -> [Push] {
        var replay = MotionReplay(track: track, latency: latency, carrying: carrying)
        replay.run(track.thinned(to: hertz))
        return replay.pushes
    }

    private init(track: RecordedTrack, latency: TimeSpan, carrying: Carrying) {
        self.track = track
        self.latency = latency
        self.carrying = carrying
        source = PositionSource(
            device: nil, buildDate: MotionReplay.epoch + TimeSpan.seconds(-86_400))
        _ = source.handle(.connected, at: MotionReplay.start)
        // A synchronised clock, by which the latency is known.
        _ = source.setSystemClock(
            MotionReplay.epoch, synchronised: true, at: MotionReplay.start)
    }

    private mutating func run(_ samples: [RecordedTrack.Sample]) {
        for sample in samples {
            let span = TimeSpan.seconds(sample.seconds)
            let arrival = MotionReplay.start + span + latency
            wait(until: arrival)
            let report = report(sample, time: MotionReplay.epoch + span)
            fixes += 1
            record(source.handle(.report(.position(report)), at: arrival), at: arrival)
        }
        if let last = track.samples.last {
            wait(until: MotionReplay.start + .seconds(last.seconds))
        }
    }

    private func report(_ sample: RecordedTrack.Sample, time: UnixTime) -> PositionReport {
        var report = PositionReport(device: "track", mode: 3, status: 1, time: time)
        report.latitudeDegrees = sample.place.latitudeDegrees
        report.longitudeDegrees = sample.place.longitudeDegrees
        report.heightMetres = sample.heightMetres ?? .nan
        report.speedMetresPerSecond = sample.speedMetresPerSecond ?? .nan
        report.courseDegrees = sample.courseDegrees ?? .nan
        report.climbMetresPerSecond = sample.climbMetresPerSecond ?? .nan
        return report
    }

    private mutating func wait(until end: Instant) {
        while true {
            let deadlines = [source.nextDeadline, schedule.nextDeadline].compactMap { $0 }
            guard let due = deadlines.min(), due < end else { return }
            let now = max(due, MotionReplay.start)
            record(source.advance(to: now), at: now)
        }
    }

    private mutating func record(_ events: [PositionEvent], at now: Instant) {
        for event in events {
            switch event {
            case .fix(let fix, _):
                schedule.fixArrived(fix.arrival, interval: source.epochInterval)
            case .lost: schedule.lost(at: now)
            case .epochClosed, .state, .slow, .velocityDerived, .device, .timeTrusted,
                .timeRevoked, .timeDoubted:
                break
            }
        }
        guard schedule.advance(to: now) == .position, fixes > 1,
            let position = source.position(at: now, carrying: carrying)
        else { return }
        let seconds = (now - MotionReplay.start).seconds
        guard let truth = track.truth(at: seconds) else { return }
        let place = position.fix.place
        var vertical: Double?
        if let height = position.fix.heightMetres, let real = truth.heightMetres {
            vertical = height - real
        }
        pushes.append(
            Push(
                seconds: seconds, horizontal: truth.place.displacement(to: place).length,
                vertical: vertical, place: place))
    }
}

/// Statistics of a list of errors, metres.
package struct ErrorSummary: Equatable, Sendable {
    /// The root of the mean square.
    package let rms: Double
    /// 95 of 100 errors are no greater.
    package let p95: Double
    /// The largest error.
    package let max: Double

    /// nil for an empty list.
    package init?(_ errors: [Double]) {
        let sorted = errors.map(\.magnitude).sorted()
        guard let greatest = sorted.last else { return nil }
        let squares = sorted.reduce(0) { $0 + $1 * $1 }
        rms = (squares / Double(sorted.count)).squareRoot()
        p95 = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
        max = greatest
    }
}
