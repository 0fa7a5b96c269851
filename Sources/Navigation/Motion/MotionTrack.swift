import Clock

/// The last fixes of a receiver, and the motion that they show.
///
/// Over the ground the rig is expected to go on with the stated velocity, and with as much of its
/// turning and its acceleration as has come true of late (`MotionGains`).
struct MotionTrack: Equatable, Sendable {
    /// Enough fixes for `memory` seconds at 40 fixes a second.
    private static let maxSamples = 160
    /// Seconds after which a fix says nothing of the present motion.
    private static let memory = 4.0
    /// Seconds over which motion is measured, besides the last two fixes.
    private static let baseline = 0.9
    /// How long a stated velocity counts without a newer one, seconds.
    private static let velocityLifetime = 2.5
    /// Metres a second below which the rig counts as standing: receivers state less than this at
    /// rest.
    private static let rest = 0.1
    /// Metres a second up to which the course is too noisy to derive a turn rate from.
    private static let slow = 2.0
    /// Radians a second: a faster turn does not last.
    private static let fastestTurn = 1.0
    /// Metres that a fix may lie beside the expected place before it counts as a leap, at once and
    /// for each second.
    private static let leap = (base: 50.0, perSecond: 50.0)
    /// The same for heights.
    private static let verticalLeap = (base: 30.0, perSecond: 30.0)
    /// The greatest climb that is told to cameras, metres a second, whatever heights say (contract
    /// 8.4).
    private static let fastestClimb = 100.0

    /// The remembered fixes in order of time. A slice drops its first elements without moving the
    /// others.
    private(set) var samples: ArraySlice<MotionSample> = []
    /// Straight on with the stated velocity; nil while that is unknown.
    private(set) var straight: GroundMotion?
    /// With turn rate and acceleration; nil where they cannot be told.
    private(set) var curved: GroundMotion?
    private(set) var height = HeightMotion()
    private var lag = VelocityLag()
    private var changes = MotionChanges()
    /// `changes` as they were before the last epoch, which more reports may still change.
    private var changesBefore = MotionChanges()
    /// Metres a second of climb between the last two fixes, leaps included.
    private var lastRise: Double?
    /// Seconds between the places that the last derived velocity was made from.
    private var derivedSpan = 1.0
    /// Since when velocities have been derived.
    private var derivedSince: Instant?

    /// Whether the receiver states no velocity, and has not for seconds.
    var isDerived: Bool {
        guard let derivedSince, let last = samples.last else { return false }
        return (last.arrival - derivedSince).seconds >= MotionTrack.memory
    }

    /// The last stated speed, metres a second; 0 while unknown.
    var speed: Double { straight?.speed ?? 0 }

    /// The motion that is believed now.
    func ground(_ carrying: Carrying) -> GroundMotion? {
        carrying == .extrapolate ? curved ?? straight : straight
    }

    /// Adds the fix of a new epoch.
    mutating func append(_ sample: MotionSample) {
        learnLag()
        changesBefore = changes
        height.settle()
        if let last = samples.last {
            if !follows(sample, last) {
                samples.removeAll()
                changesBefore.seen = nil
                height.interrupt()
            }
            lastRise = MotionTrack.rise(from: last, to: sample)
        }
        if samples.count == MotionTrack.maxSamples { samples.removeFirst() }
        samples.append(sample)
        while let first = samples.first, sample.seconds(since: first) > MotionTrack.memory {
            samples.removeFirst()
        }
        fit()
    }

    /// Replaces the fix of the last epoch by one that knows more or better.
    mutating func replaceLast(_ sample: MotionSample) {
        if samples.isEmpty { return append(sample) }
        samples[samples.endIndex - 1] = sample
        fit()
    }

    /// Whether `sample` goes on from `last`; false after a step of time and after a leap, when
    /// older fixes say nothing of the motion.
    private func follows(_ sample: MotionSample, _ last: MotionSample) -> Bool {
        let span = sample.seconds(since: last)
        guard span > 0, span <= MotionTrack.memory else { return false }
        let way = straight?.way(seconds: span) ?? .zero
        let beside = (last.place.displacement(to: sample.place) - way).length
        if let from = last.heightMetres, let to = sample.heightMetres {
            let allowed =
                MotionTrack.verticalLeap.base + MotionTrack.verticalLeap.perSecond * span
            let off = (to - from - height.course.rise(seconds: span)).magnitude
            // The same leap twice is no error: the rig falls or climbs.
            let again = lastRise.map { (to - from - $0 * span).magnitude } ?? off
            if min(off, again) > allowed { return false }
        }
        return beside <= MotionTrack.leap.base + MotionTrack.leap.perSecond * span
    }

    /// Metres a second; nil where a height is missing or no time passed.
    private static func rise(from last: MotionSample, to sample: MotionSample) -> Double? {
        let span = sample.seconds(since: last)
        guard span > 0, let before = last.heightMetres, let after = sample.heightMetres
        else { return nil }
        return (after - before) / span
    }

    /// Learns from the last fix, which is complete when the next one comes.
    private mutating func learnLag() {
        guard let last = samples.last, samples.count > 1,
            let index = baseIndex(before: samples.endIndex - 1)
        else { return }
        let elapsed = last.seconds(since: samples[samples.endIndex - 2])
        lag.learn(samples[index...], elapsed: elapsed)
    }

    /// The newest sample that is at least a baseline older than the one at `index`.
    private func baseIndex(before index: Int) -> Int? {
        let sample = samples[index]
        return samples[..<index].lastIndex {
            sample.seconds(since: $0) >= MotionTrack.baseline
        }
    }

    /// The newest sample with a height that is at least a baseline older than `sample`. Where the
    /// track is too short for that, the first with a height: it still confirms or denies a great
    /// climb.
    private func heightBase(before sample: MotionSample) -> MotionSample? {
        let base = samples.last {
            $0.heightMetres != nil && sample.seconds(since: $0) >= MotionTrack.baseline
        }
        return base ?? samples.first { $0.heightMetres != nil && sample.seconds(since: $0) > 0 }
    }

    /// With heights, about one, two and three seconds before the last sample, as far as they are
    /// known.
    private func heightBases(before sample: MotionSample) -> [MotionSample] {
        var bases: [MotionSample] = []
        var from = sample
        while bases.count < 3, let base = heightBase(before: from) {
            bases.append(base)
            from = base
        }
        return bases
    }

    private mutating func fit() {
        straight = nil
        curved = nil
        changes = changesBefore
        let seen = changes.seen
        changes.seen = nil
        guard let last = samples.last else { return }
        height.fit(last, bases: heightBases(before: last))
        deriveVelocity()
        guard let last = samples.last, let known = samples.last(where: { $0.velocity != nil }),
            let velocity = known.velocity,
            last.seconds(since: known) <= MotionTrack.velocityLifetime
        else { return }
        straight = velocity.length < MotionTrack.rest ? .rest : GroundMotion(velocity)
        guard known == last, velocity.length > MotionTrack.slow, samples.count > 1,
            let now = change(from: samples.endIndex - 2)
        else { return }
        if let seen { changes.learn(seen, now) }
        changes.seen = MotionChanges.Seen(now: now, mean: meanChange ?? now)
        curved = curve(known, velocity, over: now.span)
    }

    /// How velocity changed from one sample to the next; nil where one of them is unknown.
    private func change(from index: Int) -> VelocityChange? {
        guard let before = samples[index].velocity, let after = samples[index + 1].velocity
        else { return nil }
        return VelocityChange(
            from: before, to: after, in: samples[index + 1].seconds(since: samples[index]),
            slow: MotionTrack.slow)
    }

    /// The mean change of velocity over at least a baseline and two steps; nil where that is not
    /// known.
    private var meanChange: VelocityChange? {
        guard let last = samples.last else { return nil }
        let first = samples.dropLast(2).lastIndex {
            last.seconds(since: $0) > MotionTrack.baseline
        }
        guard let first else { return nil }
        var mean = VelocityChange(along: 0, across: 0, span: 0)
        for index in first..<samples.endIndex - 1 {
            guard let step = change(from: index) else { return nil }
            mean.along += step.along * step.span
            mean.across += step.across * step.span
            mean.span += step.span
        }
        mean.along /= mean.span
        mean.across /= mean.span
        return mean
    }

    private func curve(
        _ sample: MotionSample, _ velocity: GroundVector, over span: Double
    ) -> GroundMotion {
        var motion = GroundMotion(velocity)
        let expected = changes.expected
        // The expected change is the mean over the time until the next fix; the rates fade from a
        // value that gives this mean.
        let start = span / GroundMotion.faded(span)
        motion.acceleration = GroundMotion.lasting(expected.along) * start
        let turn = GroundMotion.lasting(expected.across) / motion.speed
        motion.turnRate = min(max(turn, -MotionTrack.fastestTurn), MotionTrack.fastestTurn) * start
        motion.lag = sample.isDerived ? derivedSpan / 2 : lag.seconds
        return motion
    }
}

// MARK: - Receivers that state no velocity

extension MotionTrack {
    /// Forgets the times of all samples after a step: they belong to another time line, so that
    /// from now on only arrivals count.
    mutating func forgetTimes() {
        for index in samples.indices { samples[index].time = nil }
    }

    /// Gives the last sample a velocity where the receiver has stated none for a while: the way of
    /// the last second, or rest where that way is no greater than its change from second to second,
    /// as noise is (decision 42).
    private mutating func deriveVelocity() {
        guard let last = samples.last, last.velocity == nil else {
            derivedSince = nil
            return
        }
        let hasStated = samples.contains {
            $0.velocity != nil && !$0.isDerived
                && last.seconds(since: $0) <= MotionTrack.velocityLifetime
        }
        guard !hasStated, let middle = baseIndex(before: samples.endIndex - 1),
            let first = baseIndex(before: middle)
        else { return }
        let (one, other) = (samples[first], samples[middle])
        let (span, spanBefore) = (last.seconds(since: other), other.seconds(since: one))
        let way = other.place.displacement(to: last.place)
        let expected = one.place.displacement(to: other.place) * (span / spanBefore)
        derivedSpan = span
        derivedSince = derivedSince ?? last.arrival
        let index = samples.endIndex - 1
        samples[index].isDerived = true
        samples[index].velocity =
            way.length > (way - expected).length ? way * (1 / span) : .zero
    }

    /// `fix` carried on by `seconds`.
    func carry(_ fix: Fix, seconds: Double, carrying: Carrying) -> Fix {
        let seconds = carrying == .hold ? 0 : seconds
        var carried = fix
        if let motion = ground(carrying) {
            let way = motion.way(seconds: seconds)
            let velocity = motion.velocity(seconds: seconds)
            let (place, turned) = fix.place.moved(by: way, carrying: velocity)
            carried.latitudeDegrees = place.latitudeDegrees
            carried.longitudeDegrees = place.longitudeDegrees
            carried.speedMetresPerSecond = turned.length
            carried.courseDegrees = turned == .zero ? nil : turned.courseDegrees
        } else {
            carried.speedMetresPerSecond = nil
            carried.courseDegrees = nil
        }
        guard fix.mode == .threeD else {
            carried.climbMetresPerSecond = nil
            return carried
        }
        let course = height.course
        let rise = course.rise(seconds: seconds)
        let climb = course.climb(seconds: seconds)
        carried.climbMetresPerSecond = min(
            max(climb, -MotionTrack.fastestClimb), MotionTrack.fastestClimb)
        carried.heightMetres = fix.heightMetres.map { $0 + rise }
        carried.ellipsoidHeightMetres = fix.ellipsoidHeightMetres.map { $0 + rise }
        return carried
    }
}
