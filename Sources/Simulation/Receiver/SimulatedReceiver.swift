package import Clock
import Fleet
package import Navigation

/// A receiver and its gpsd, driving round the course: what the gpsd client would tell the core.
///
/// Feed it time (`advance` at `nextDeadline`); faults last until the instant that is given with
/// them.
package struct SimulatedReceiver: Sendable {
    /// What can be wrong with a receiver.
    package enum Fault: String, Sendable, CaseIterable {
        /// gpsd is gone.
        case disconnected
        /// gpsd is connected and sends nothing.
        case silent
        /// The same fix comes again and again.
        case frozen
        /// Reports come without a place.
        case noFix
        /// Two-dimensional fixes.
        case flat
        /// Reports are held back, and all come at once when the fault ends.
        case stalled
    }

    /// gpsd's name of it.
    package static let device = "/dev/ttyACM0"

    /// The drive that it reports.
    package var course: Course
    /// UTC at `Instant.zero` of the clock that drives it.
    package private(set) var epoch: UnixTime
    private var isRolledOver = false
    /// Fixes a second.
    package private(set) var rate: Int
    /// Time from the instant of a fix to its report.
    package var latency: TimeSpan
    /// The longest time that is added to `latency`; the seed decides how much.
    package var jitter: TimeSpan
    /// Reports that get lost, percent.
    package var lostPercent = 0
    /// Several reports for one fix, as gpsd sends after a loss (field notes A3).
    package var repeats = false
    /// Whether reports hold a velocity: some receivers state none.
    package var statesVelocity = true
    /// The greatest error of a height, metres; the seed decides how much.
    package var heightNoise = 0.0
    /// How far ahead of the truth the time of the next report is; later reports are right again.
    private var nextAhead = TimeSpan.zero
    private var stalled: [ReceiverInput] = []
    /// By how many degrees of latitude reported places are off. A change of it looks like a jump.
    package var offsetDegrees = 0.0

    private var random: SeededGenerator
    /// The present fault, and until when it lasts; nil while there is none.
    package private(set) var fault: (kind: Fault, until: Instant)?
    private var isConnected = false
    /// The instant that the next report is about, and when it is sent.
    private var next: (about: Instant, at: Instant)
    /// The last report, with its true time; a frozen receiver repeats it.
    private(set) var frozen: PositionReport?
    private var sinceSky = 0
    /// Since when correct fixes come; nil while they do not.
    package private(set) var goodSince: Instant?
    /// The instant that the last correct fix was about.
    package private(set) var lastFix: Instant?

    /// - Parameters:
    ///   - start: the first fix is about it.
    ///   - utc: what time it is at `start`.
    ///   - rate: 1 to 25 fixes a second.
    package init(
        course: Course = Course(), start: Instant, utc: UnixTime, rate: Int,
        latency: TimeSpan = .milliseconds(60), jitter: TimeSpan = .zero, seed: UInt64
    ) {
        precondition((1...25).contains(rate), "a receiver gives 1 to 25 fixes a second")
        self.course = course
        epoch = UnixTime(nanoseconds: utc.nanoseconds - start.nanoseconds)
        self.rate = rate
        self.latency = latency
        self.jitter = jitter
        random = SeededGenerator(seed: seed)
        next = (start, start + latency)
    }

    /// Where the rig really is.
    @inline(__always) package func truth(at instant: Instant) -> Course.Truth {
        course.truth(after: TimeSpan(nanoseconds: max(0, instant.nanoseconds)))
    }

    /// When it has something to say.
    @inline(__always) package var nextDeadline: Instant {
        guard isConnected else { return fault.map(\.until) ?? .zero }
        return next.at
    }

    /// What it says until `now`, in order.
    package mutating func advance(to now: Instant) -> [ReceiverInput] {
        var said: [ReceiverInput] = []
        if let fault, fault.until <= now { self.fault = nil }
        if fault?.kind != .stalled, !stalled.isEmpty {
            said += stalled
            stalled.removeAll()
        }
        if !isConnected {
            guard fault?.kind != .disconnected else { return [] }
            isConnected = true
            said.append(.connected)
            skip(to: now)
        }
        while next.at <= now {
            if fault?.kind == .stalled {
                var waiting: [ReceiverInput] = []
                report(at: next.at, &waiting)
                stalled += waiting
                goodSince = nil
            } else {
                report(at: next.at, &said)
            }
            schedule(after: next.about)
        }
        return said
    }

    /// Begins a fault that lasts until `end`.
    ///
    /// - Returns: what the client tells at once.
    package mutating func begin(
        _ kind: Fault, until end: Instant, at now: Instant
    ) -> [ReceiverInput] {
        fault = (kind, end)
        goodSince = nil
        if kind == .disconnected { stalled.removeAll() }
        guard kind == .disconnected, isConnected else { return [] }
        isConnected = false
        return [.disconnected]
    }

    /// Changes the rate, from the next fix on.
    package mutating func setRate(_ rate: Int) {
        precondition((1...25).contains(rate), "a receiver gives 1 to 25 fixes a second")
        self.rate = rate
        goodSince = nil
    }

    /// The receiver's time steps: a leap second becomes known, or a week rolls over. Places go on.
    package mutating func step(by span: TimeSpan) { epoch = epoch + span }

    /// Its weeks are counted in ten bits: it wakes up 1,024 of them ago, and the next time finds the
    /// present again.
    package mutating func rollOver() {
        isRolledOver.toggle()
        step(by: .seconds(isRolledOver ? -619_315_200 : 619_315_200))
    }

    /// Gives the next report a time that is off by `span`.
    package mutating func mislabel(by span: TimeSpan) { nextAhead = span }

    /// Moves the reported places north, all at once.
    package mutating func jump(byDegrees degrees: Double) {
        offsetDegrees += degrees
        goodSince = nil
    }

    private var interval: TimeSpan { TimeSpan(nanoseconds: 1_000_000_000 / Int64(rate)) }

    private mutating func skip(to now: Instant) {
        while next.at < now { schedule(after: next.about) }
    }

    private mutating func schedule(after about: Instant) {
        let earliest = next.at + .milliseconds(1)
        next.about = about + interval
        next.at = next.about + latency
        if jitter > .zero {
            let extra = Int64.random(in: 0...jitter.nanoseconds, using: &random)
            next.at += TimeSpan(nanoseconds: extra)
        }
        next.at = max(next.at, earliest)
    }

    private mutating func report(at now: Instant, _ said: inout [ReceiverInput]) {
        let lost = lostPercent > 0 && Int.random(in: 0..<100, using: &random) < lostPercent
        guard fault?.kind != .silent, !lost else {
            goodSince = nil
            return
        }
        let truth = truth(at: next.about)
        if fault?.kind == .frozen, let frozen {
            said.append(.report(.position(frozen)))
            return
        }
        var report = position(truth)
        frozen = report
        report.time = report.time.map { $0 + nextAhead }
        nextAhead = .zero
        said.append(.report(.position(report)))
        if repeats { said.append(.report(.position(report))) }
        if report.mode >= 2 {
            goodSince = goodSince ?? now
            lastFix = next.about
        } else {
            goodSince = nil
        }
        sinceSky += 1
        if sinceSky >= rate {
            sinceSky = 0
            said.append(
                .report(
                    .sky(
                        SkyReport(
                            device: Self.device, satellitesUsed: report.mode >= 2 ? 12 : 0,
                            hdop: 0.9))))
        }
    }

    private mutating func position(_ truth: Course.Truth) -> PositionReport {
        let hasPlace = fault?.kind != .noFix && !truth.isInTunnel
        let mode = hasPlace ? (fault?.kind == .flat ? 2 : 3) : 1
        var report = PositionReport(
            device: Self.device, mode: mode, status: hasPlace ? 1 : 0,
            time: UnixTime(nanoseconds: epoch.nanoseconds + next.about.nanoseconds))
        guard hasPlace else { return report }
        report.latitudeDegrees = truth.latitudeDegrees + offsetDegrees
        report.longitudeDegrees = truth.longitudeDegrees
        if statesVelocity {
            report.speedMetresPerSecond = truth.speedMetresPerSecond
            report.courseDegrees = truth.courseDegrees
        }
        report.horizontalAccuracyMetres = 1.7
        report.speedAccuracyMetresPerSecond = 0.2
        guard mode == 3 else { return report }
        let noise =
            heightNoise > 0 ? Double.random(in: -heightNoise...heightNoise, using: &random) : 0
        report.heightMetres = truth.heightMetres + noise
        report.ellipsoidHeightMetres = truth.heightMetres + noise + 47.3
        report.climbMetresPerSecond = truth.climbMetresPerSecond
        report.verticalAccuracyMetres = 3
        return report
    }
}
