import Clock

/// One receiver: its reports become epochs, its epochs fixes. Pure state, no choice between
/// receivers.
///
/// Functions that only read are inlined: a call would copy the whole struct, more than a kilobyte
/// at each report and push.
struct Receiver: Equatable, Sendable {
    /// What a report led to, in order.
    struct Outcome: Equatable, Sendable {
        /// The epoch before it, which the report has ended; nil where it ended none.
        var closed: Closed?
        /// Epochs before it that were held back for their strange time, and that the receiver's
        /// step has now explained.
        var late: [Closed] = []
        /// The time of an epoch that is not later than the one before it. Such an epoch brings no
        /// new fix, but the trust in time depends on it.
        var wentBack: UnixTime?
        var news: News?
    }

    /// A place that was not known before.
    enum News: Equatable, Sendable {
        /// The first place of an epoch.
        case first
        /// Another place under the same time.
        case other
    }

    /// An epoch that is over, with its fix.
    struct Closed: Equatable, Sendable {
        var fix: Fix
        /// As in `Epoch.sequence`.
        var sequence: Int?
    }

    /// A fix is fresh for two and a half epochs, within these bounds.
    static let freshness = (
        epochs: 2.5, least: TimeSpan.seconds(1), most: TimeSpan.milliseconds(2500)
    )
    /// The bound itself still counts as kept, so that deadlines lie one nanosecond after it.
    private static let instantAfter = TimeSpan(nanoseconds: 1)
    /// An epoch is over after this much silence, or after half its interval where that is longer.
    private static let minQuiet = TimeSpan.milliseconds(60)
    /// After this time the satellites of a sky report count as unknown.
    private static let skyMemory = TimeSpan.seconds(10)
    /// A receiver with intervals of at least this may repeat a time: a report after this share of
    /// its interval belongs to the next epoch.
    private static let slowest = (interval: TimeSpan.milliseconds(900), share: 0.75)
    /// Metres: no frozen receiver's place was seen to move farther at once.
    private static let leap = 3.0
    /// Metres a second below which a place may stand still although the receiver works.
    private static let resting = 0.5
    /// Metres: a rig that moves this far must show another place.
    private static let noticeable = 1.0

    private struct PlaceBefore: Equatable {
        var place: Place
        var changed: Bool
    }

    let device: String
    private(set) var rate = EpochRate()
    private(set) var clock = ReceiverClock()
    private(set) var track = MotionTrack()
    private(set) var height = HeightMemory()
    private(set) var epoch: Epoch?
    /// The last fix with a new time or place.
    private(set) var fix: Fix?
    /// The instant that the fix is about, as far as is known: its age counts from here.
    private(set) var own = Instant.zero
    /// Whether the fix seems to have the time of another epoch.
    private var isStrange = false
    /// The time of the last epoch that was not strange.
    private var lastTrueTime: UnixTime?
    /// Epochs that are over and whose time is strange: rows if it was a step, none if it was an
    /// error.
    private(set) var withheldRows: [Closed] = []
    /// Whether it was told that the pauses between fixes are long, and that the receiver states no
    /// velocity.
    var saidSlow = false
    var saidDerived = false
    private(set) var sequence: Int?
    /// Whether the receiver's last word was that it has a fix.
    private(set) var hasFix = false
    /// Whether the last report had a place.
    private(set) var lastHadPlace = false
    private(set) var lastReport: Instant
    /// The place of the epoch before, and whether that one had changed against the one before it.
    private var placeBefore: PlaceBefore?
    private var satellites: Int?
    private var hdop: Double?
    private var skyInstant: Instant?

    init(device: String, at now: Instant) {
        self.device = device
        lastReport = now
    }

    /// How long a fix stays fresh.
    @inline(__always) var freshnessBound: TimeSpan {
        guard let interval = rate.interval else { return Receiver.freshness.most }
        return min(
            max(interval * Receiver.freshness.epochs, Receiver.freshness.least),
            Receiver.freshness.most)
    }

    /// Until when the fix is fresh, the instant itself included; nil without one.
    @inline(__always) var freshUntil: Instant? {
        guard hasFix, fix != nil else { return nil }
        return own + freshnessBound
    }

    /// The interval of a receiver whose fixes go stale before the next one comes; nil for others.
    var slowInterval: TimeSpan? {
        guard rate.isSettled, let interval = rate.interval, interval > Receiver.freshness.most
        else { return nil }
        return interval
    }

    /// Until when the receiver is said to have a fix: longer than the fix is fresh where fixes are
    /// that rare.
    @inline(__always) var fixUntil: Instant? {
        guard let freshUntil else { return nil }
        guard let interval = rate.interval, interval > Receiver.freshness.most, lastHadPlace,
            let arrival = fix?.arrival
        else { return freshUntil }
        return max(freshUntil, arrival + interval * Receiver.freshness.epochs)
    }

    @inline(__always) func isFresh(at now: Instant) -> Bool {
        guard let freshUntil else { return false }
        return now <= freshUntil
    }

    /// When the open epoch ends if no more reports come; nil without an open one.
    @inline(__always) var epochDeadline: Instant? {
        guard epoch?.closed == false, epoch?.isEmpty == false,
            let last = epoch?.lastReport, let arrival = epoch?.arrival
        else { return nil }
        let interval = rate.interval ?? .seconds(1)
        let quiet = max(Receiver.minQuiet, interval * 0.5)
        return min(last + quiet, arrival + max(interval, quiet) * 2)
    }

    /// When something changes although no report comes.
    ///
    /// - Parameters:
    ///   - isFresh: what the fleet was told last.
    ///   - isSilent: the fleet was told that nothing comes.
    @inline(__always) func deadline(isFresh: Bool, isSilent: Bool) -> Instant {
        let end = epochDeadline ?? .never
        if isFresh { return min(end, freshUntil.map { $0 + Receiver.instantAfter } ?? .never) }
        if isSilent { return end }
        let silence = max(lastReport + freshnessBound, fixUntil ?? .zero)
        return min(end, silence + Receiver.instantAfter)
    }

    /// The epoch that ends by `now`; returned once, nil otherwise.
    mutating func closeEpoch(at now: Instant) -> Closed? {
        guard let deadline = epochDeadline, deadline <= now else { return nil }
        return closeEpoch()
    }

    mutating func closeEpoch() -> Closed? {
        guard epoch?.closed == false else { return nil }
        epoch?.closed = true
        guard epoch?.advanced == true, let fix = epoch?.fix else { return nil }
        let closed = Closed(fix: fix, sequence: epoch?.sequence)
        guard epoch?.verdict == .strange else { return closed }
        // Two rows at most: a third strange epoch proves a step, and then all count, or none of
        // them is one.
        if withheldRows.count == ReceiverClock.enough - 1 { withheldRows.removeFirst() }
        withheldRows.append(closed)
        return nil
    }

    /// Where the rig is at `now`; nil without a fresh fix.
    @inline(__always) func position(
        at now: Instant, carrying: Carrying, _ clocks: ClockJudge
    ) -> CarriedPosition? {
        guard isFresh(at: now), let sequence, let fix else { return nil }
        let age = max(now - own, .zero)
        var carried = track.carry(
            height.completing(fix, climb: track.height.course.climb), seconds: age.seconds,
            carrying: carrying)
        let passed = carrying == .hold ? TimeSpan.zero : age
        carried.time = clocks.pushedTime(time(of: fix).map { $0 + passed }, at: now)
        return CarriedPosition(fix: carried, instant: now, age: age, epochSequence: sequence)
    }

    /// The time of the instant that the fix is about: the receiver's, or its clock's where the
    /// receiver's is strange.
    private func time(of fix: Fix) -> UnixTime? {
        guard isStrange, let offset = clock.nanoseconds else { return fix.time }
        return UnixTime(nanoseconds: own.nanoseconds &- offset)
    }

    /// gpsd let the receiver go: it has no fix until it reports one again.
    mutating func letGo() { hasFix = false }

    /// Why there is no fresh fix.
    @inline(__always) func loss(at now: Instant) -> Loss {
        if now - lastReport > freshnessBound { return .silence }
        // Reports that were held up somewhere come late and are old: they say nothing of the
        // present.
        if hasFix, let fix, fix.arrival - own > freshnessBound { return .silence }
        return hasFix && lastHadPlace ? .frozen : .noFix
    }

    /// Gives the open epoch its number within the run; nil while the receiver is not the chosen
    /// one.
    mutating func number(_ sequence: Int?) {
        self.sequence = sequence
        epoch?.sequence = sequence
    }

    mutating func handle(_ sky: SkyReport, at now: Instant) {
        // A count of 0 beside a fix is wrong (field notes A9.9); the count before it stays.
        if let used = sky.satellitesUsed, (1...255).contains(used) {
            satellites = used
            skyInstant = now
        }
        hdop = sky.hdop.within(0...99) ?? hdop
    }

    mutating func handle(
        _ report: PositionReport, at now: Instant, _ clocks: ClockJudge
    ) -> Outcome {
        lastReport = now
        var outcome = Outcome()
        if !belongsToEpoch(report, at: now) {
            outcome.closed = closeEpoch()
            open(report, at: now)
            if epoch?.advanced == false { outcome.wentBack = report.time }
            if epoch?.verdict != .strange {
                if epoch?.verdict == .stepped { outcome.late = withheldRows }
                withheldRows.removeAll()
            }
        }
        epoch?.lastReport = now
        lastHadPlace = false
        if report.mode < 2 {
            hasFix = false
            return outcome
        }
        guard let arrival = epoch?.arrival,
            let fix = Fix(report, arrival: arrival, satellites: satellites(at: now), hdop: hdop)
        else { return outcome }
        lastHadPlace = true
        outcome.news = handle(fix, at: now, clocks)
        return outcome
    }

    private mutating func handle(_ new: Fix, at now: Instant, _ clocks: ClockJudge) -> News? {
        guard var current = epoch else { return nil }
        let first = current.fix == nil
        if first, new.time == nil, let fix {
            // Without a clock only a change of place, or rest, tells a working receiver from a
            // frozen one.
            let rests = (new.speedMetresPerSecond ?? .infinity) < Receiver.resting
            current.advanced = fix.place != new.place || rests
        }
        guard current.advanced else {
            epoch = current
            return nil
        }
        let moved = current.merge(new)
        if first { current.withheld = repeatsOldPlace(new) }
        if moved, !first { current.withheld = false }
        current.resting = rests(new)
        let news = !current.withheld && (moved || !current.announced || !hasFix)
        let announced = current.announced
        if !current.withheld { current.announced = true }
        epoch = current
        guard !current.withheld, let merged = current.fix else { return nil }
        learn(merged, of: current, known: announced, clocks)
        hasFix = true
        // The place of a frozen receiver may wander, but its time stands still.
        guard news, isFresh(at: now) else { return nil }
        return announced ? .other : .first
    }

    /// Makes `merged` the fix from which positions are carried.
    private mutating func learn(
        _ merged: Fix, of epoch: Epoch, known: Bool, _ clocks: ClockJudge
    ) {
        isStrange = epoch.verdict == .strange
        fix = merged
        own = clocks.instant(of: merged, clock: clock, strange: isStrange)
        height.update(merged)
        if epoch.verdict == .stepped, !known { track.forgetTimes() }
        var sample = MotionSample(merged, resting: epoch.resting)
        if isStrange { sample.time = nil }
        if known { track.replaceLast(sample) } else { track.append(sample) }
    }

    /// Whether the fix has a new time with the place of the epoch before (field notes A9.2): then
    /// the true place is still to come. True once in a row at most, so that a receiver that stands
    /// is believed.
    @inline(__always) private func repeatsOldPlace(_ new: Fix) -> Bool {
        guard hasFix, let fix, let placeBefore, placeBefore.changed, new.place == placeBefore.place,
            let time = new.time, let before = fix.time, time - before <= Receiver.freshness.most
        else { return false }
        return track.speed * (time - before).seconds > Receiver.noticeable
    }

    /// A small speed without a course is believed where the place agrees: receivers leave the
    /// course out when they stand.
    @inline(__always) private func rests(_ new: Fix) -> Bool {
        guard new.courseDegrees == nil, let speed = new.speedMetresPerSecond,
            speed < Receiver.resting, let last = fix, let placeBefore
        else { return false }
        let span =
            if let time = new.time, let before = last.time { time - before } else {
                new.arrival - last.arrival
            }
        let moved = placeBefore.place.displacement(to: new.place).length
        return span <= .zero || moved <= Receiver.resting * max(span.seconds, 1)
    }

    @inline(__always) private func satellites(at now: Instant) -> Int? {
        guard let skyInstant, now - skyInstant <= Receiver.skyMemory else { return nil }
        return satellites
    }

    @inline(__always) private func belongsToEpoch(_ report: PositionReport, at now: Instant) -> Bool
    {
        guard let arrival = epoch?.arrival else { return false }
        if let time = report.time, let begun = epoch?.time {
            let apart = (time - begun).nanoseconds.magnitude
            guard apart <= Epoch.tolerance.nanoseconds.magnitude else { return false }
            return !repeatsTime(report, at: now)
        }
        // Without a time, reports belong together that come close together; one with a time begins
        // an epoch.
        if report.time != nil { return false }
        let usual = rate.interval.map { $0 * 0.5 } ?? Receiver.minQuiet
        return now - arrival < usual
    }

    /// Whether a report of the epoch's own time is about another instant: a receiver whose time
    /// steps back by its interval repeats one, as gpsd does at 23:59:60. This is believed once in a
    /// row; after that the receiver counts as frozen.
    private func repeatsTime(_ report: PositionReport, at now: Instant) -> Bool {
        guard let epoch, !epoch.isRepeat, let place = epoch.fix?.place,
            let interval = rate.interval,
            interval >= Receiver.slowest.interval,
            now - epoch.arrival >= interval * Receiver.slowest.share, report.mode >= 2
        else { return false }
        // The place of a frozen receiver may wander, but it does not follow the drive.
        let new = Place(
            latitudeDegrees: report.latitudeDegrees, longitudeDegrees: report.longitudeDegrees)
        let way = place.displacement(to: new)
        if way.length > Receiver.leap { return true }
        guard let motion = track.straight, motion.speed > Receiver.resting else { return false }
        let expected = motion.way(seconds: (now - epoch.arrival).seconds)
        return (way - expected).length <= expected.length / 2
    }

    private mutating func open(_ report: PositionReport, at now: Instant) {
        if let place = epoch?.fix?.place {
            placeBefore = PlaceBefore(
                place: place, changed: placeBefore.map { $0.place != place } ?? false)
        }
        var advanced = true
        var isRepeat = false
        var verdict = ReceiverClock.Verdict.fits
        if let time = report.time, let previous = epoch?.time {
            isRepeat = time == previous && repeatsTime(report, at: now)
            advanced = time > previous || isRepeat
            // Where the epoch before had a false time, this time is compared with the last true
            // one.
            if !advanced, epoch?.verdict == .strange, let lastTrueTime {
                advanced = time > lastTrueTime
            }
        }
        if let time = report.time, report.mode >= 2 {
            verdict = clock.add(time: time, arrival: now, usual: rate.interval)
        } else {
            clock.hear(at: now)
        }
        if let time = report.time, let previous = epoch?.time {
            if time > previous { rate.add(time - previous, time: time) }
        } else if report.time == nil, epoch?.time == nil, let before = epoch?.arrival {
            rate.add(now - before, time: UnixTime(nanoseconds: now.nanoseconds))
        }
        if verdict != .strange, let time = report.time { lastTrueTime = time }
        epoch = Epoch(time: report.time, arrival: now, advanced: advanced, verdict: verdict)
        epoch?.isRepeat = isRepeat
    }
}
