/// How the rig's height goes on after a fix: with the climb that the receiver states, and with the
/// change of climb that this foretells (decision 43).
///
/// The stated climb counts, unless the heights themselves climb steadily in another way. A height
/// alone is noise, and so is a climb that is only the difference of the last two heights, as gpsd
/// makes one where a receiver states none: such a climb counts once it has been steady for seconds.
/// How much of a climb and of its change comes true is learned, since receivers differ.
struct HeightMotion: Equatable, Sendable {
    /// What is believed of the climb in the time after a fix.
    struct Course: Equatable, Sendable {
        /// Metres a second at the fix.
        var climb = 0.0
        /// Metres a second squared, which fade with time.
        var acceleration = 0.0
        /// The stated climb where it is credible, metres a second.
        var stated = 0.0
        /// Metres by which the rise may differ from what the stated climb gives.
        var slack = Double.infinity

        func rise(seconds: Double) -> Double {
            let rise = climb * seconds + acceleration * HeightMotion.gained(seconds)
            let plain = stated * seconds
            return min(max(rise, plain - slack), plain + slack)
        }

        func climb(seconds: Double) -> Double {
            let rise = climb * seconds + acceleration * HeightMotion.gained(seconds)
            if (rise - stated * seconds).magnitude > slack { return stated }
            return climb + acceleration * GroundMotion.faded(seconds)
        }
    }

    /// Seconds that a climb stays without a newer height.
    private static let lifetime = 2.5
    /// A climb up to this is believed without heights that confirm it (field notes A9.10).
    static let credible = 20.0
    /// Nothing that carries a camera falls faster.
    static let fastest = 200.0
    /// Metres by which the rise may differ from the stated climb's while nothing proves a better
    /// guess.
    private static let slack = 1.0
    /// Metres by which steady heights may differ from the stated climb where the receiver states no
    /// accuracy.
    private static let accuracy = 3.0
    /// How far a climb may be from the difference of the last two heights to count as gpsd's own
    /// difference of them: the climb is rounded (metres a second), and so are the heights (metres).
    private static let rounding = (difference: 0.002, height: 0.001)
    /// After so many such differences in a row the receiver's climb counts as gpsd's own.
    private static let differences = 5
    /// Seconds that a contradiction lasts before it counts: noise may climb for three.
    private static let lasting = 3.0
    /// Seconds after which the record of earlier predictions decides.
    private static let early = 10.0
    /// Metres by which the heights of a clean receiver jump from one second to the next, at most.
    private static let calmJump = 0.3
    /// Square metres: heights whose predictions are worse than this on average prove nothing.
    private static let maxProvenError = 4.0
    /// Seconds after which two thirds of the record of predictions are forgotten.
    private static let memory = 60.0

    /// What is believed now.
    private(set) var course = Course()
    private var learned = Learned()
    private var seen: Seen?
    /// `course` and `learned` as they were before the last epoch, which more reports may still
    /// change.
    private var learnedBefore: Learned?
    private var seenBefore: Seen?

    private struct Learned: Equatable {
        /// At first all of the climb is expected to go on, and half of its change.
        var persistence = MotionGains(
            usual: MotionGains.Pair(first: 1, second: 0.5), scepticism: 1)
        /// Mean errors of two predictions, square metres: of the stated climb alone, and of the
        /// course with its change of climb.
        var statedError = 0.0
        var courseError = 0.0
        /// Seconds over which those errors were gathered.
        var seconds = 0.0
        /// Seconds for which the heights have contradicted the stated climb steadily.
        var contradicted = 0.0
        /// Stated climbs in a row that were the difference of the last two heights.
        var differences = 0
    }

    /// What the last fix with a height foretells of the rise until the next one.
    private struct Seen: Equatable {
        var sample: MotionSample
        var pair: MotionGains.Pair
        /// The same as `course`, but without a bound.
        var course: Course
        /// Seconds for which the prediction was made.
        var ahead: Double
    }

    /// The last fix is complete, since another one follows.
    mutating func settle() {
        learnedBefore = learned
        seenBefore = seen
    }

    /// Forgets what was seen: it says nothing of what comes after an interruption.
    mutating func interrupt() {
        seen = nil
        seenBefore = nil
    }

    /// - Parameter bases: with heights, about one, two and three seconds before `last`, as far as
    ///   they are known.
    mutating func fit(_ last: MotionSample, bases: [MotionSample]) {
        learned = learnedBefore ?? learned
        seen = seenBefore
        guard let height = last.heightMetres else {
            // Some receivers state their climb with every other fix only.
            let isNear =
                seen.map { last.seconds(since: $0.sample) <= HeightMotion.lifetime } ?? false
            if !isNear {
                course = Course()
                seen = nil
            }
            return
        }
        let slopes = zip([last] + bases, bases).map { HeightMotion.slope(from: $1, to: $0) }
        let ahead = learn(from: last, height: height)
        if last.climb != nil, learned.differences < HeightMotion.differences {
            fit([last] + bases, slopes: slopes, ahead: ahead)
        } else {
            fit(
                last, slopes: slopes, over: bases.last.map { last.seconds(since: $0) }, ahead: ahead
            )
        }
    }

    /// Goes on with the stated climb of the first of `samples`.
    private mutating func fit(_ samples: [MotionSample], slopes: [Double?], ahead: Double) {
        let contradiction = HeightMotion.contradiction(samples, slopes)
        learned.contradicted = contradiction == nil ? 0 : learned.contradicted + ahead
        let isLasting = learned.contradicted > HeightMotion.lasting
        let shown = isLasting ? contradiction ?? 0 : 0
        func believed(_ index: Int) -> Double? {
            guard samples.indices.contains(index), let climb = samples[index].climb else {
                return nil
            }
            let slope = slopes.indices.contains(index) ? slopes[index] : nil
            return HeightMotion.credible(climb + shown, slope: slope)
        }
        guard let climb = believed(0) else { return }
        var change = 0.0
        if let raw = samples.dropFirst().first?.climb, let was = believed(1),
            slopes.count > 1 || raw.magnitude <= HeightMotion.credible
        {
            change = GroundMotion.lasting((climb - was) / samples[0].seconds(since: samples[1]))
        }
        follow(samples[0], climb: climb, change: change, stated: climb, ahead: ahead)
        if !isProven { course.slack = HeightMotion.slack }
    }

    /// Goes on with the climb that the heights themselves show, once that stands out of their
    /// noise.
    private mutating func fit(
        _ last: MotionSample, slopes: [Double?], over span: Double?, ahead: Double
    ) {
        let latest = slopes.first ?? nil
        follow(last, climb: latest ?? 0, change: 0, stated: 0, ahead: ahead)
        if isProven { return }
        // At first there is no record of predictions that could prove anything.
        let early = learned.seconds < HeightMotion.early ? HeightMotion.calm(slopes) : nil
        let climb = HeightMotion.steady(slopes, over: span) ?? early ?? 0
        course = Course(climb: climb, stated: climb)
    }

    private mutating func follow(
        _ last: MotionSample, climb: Double, change: Double, stated: Double, ahead: Double
    ) {
        let pair = MotionGains.Pair(
            first: climb, second: change * HeightMotion.gained(ahead) / ahead)
        let shares = learned.persistence.shares
        course = Course(
            climb: climb * shares.first, acceleration: change * shares.second, stated: stated)
        seen = Seen(sample: last, pair: pair, course: course, ahead: ahead)
    }

    /// Whether predictions beyond the stated climb have come true of late.
    private var isProven: Bool {
        learned.seconds > 1 && learned.courseError < learned.statedError * 0.95
            && learned.courseError < HeightMotion.maxProvenError * learned.seconds
    }

    /// Compares what was foretold with `height`, and returns how many seconds passed: the next
    /// prediction is for about as many.
    private mutating func learn(from last: MotionSample, height: Double) -> Double {
        guard let seen, let before = seen.sample.heightMetres else { return 1 }
        let span = last.seconds(since: seen.sample)
        guard span > 0, span <= HeightMotion.lifetime else { return 1 }
        let outcome = (height - before) / span
        if let climb = last.climb {
            let rounding = HeightMotion.rounding.difference + HeightMotion.rounding.height / span
            let isDifference = (climb - outcome).magnitude <= rounding
            learned.differences = isDifference ? learned.differences + 1 : 0
        }
        let (off, change) = (outcome - seen.pair.first, seen.pair.second)
        learned.persistence.learn(
            seen.pair, outcome: outcome, surprise: (off * off + change * change).squareRoot(),
            elapsed: span)
        let kept = Trigonometry.exponential(-span / HeightMotion.memory)
        let stated = height - before - seen.course.stated * span
        let foretold = height - before - seen.course.rise(seconds: span)
        learned.statedError = learned.statedError * kept + stated * stated * span
        learned.courseError = learned.courseError * kept + foretold * foretold * span
        learned.seconds = learned.seconds * kept + span
        return span
    }

    /// Metres a second from one to another; nil where a height is missing, or where nothing could
    /// climb so fast.
    private static func slope(from before: MotionSample, to last: MotionSample) -> Double? {
        guard let low = before.heightMetres, let high = last.heightMetres else { return nil }
        let slope = (high - low) / last.seconds(since: before)
        return slope.magnitude <= HeightMotion.fastest ? slope : nil
    }

    /// The climb that the heights of some seconds agree on; nil where they do not.
    ///
    /// - Parameter span: seconds from the first of them to the last.
    private static func steady(_ slopes: [Double?], over span: Double?) -> Double? {
        guard let span, slopes.count >= 3 || span >= 3.5, let latest = slopes.first ?? nil
        else { return nil }
        let known = slopes.compactMap { $0 }
        guard known.count == slopes.count, known.count >= 2 else { return nil }
        let mean = known.reduce(0, +) / Double(known.count)
        let agree = known.allSatisfy { ($0 - mean).magnitude <= mean.magnitude / 2 }
        return agree ? latest : nil
    }

    /// The climb of heights that hardly jump, so that it can be wrong by no more than their jumps.
    private static func calm(_ slopes: [Double?]) -> Double? {
        guard let latest = slopes.first ?? nil else { return nil }
        guard slopes.count > 1, let before = slopes[1] else {
            return latest.magnitude <= calmJump ? latest : nil
        }
        return (latest - before).magnitude <= calmJump ? latest : nil
    }

    /// Metres that an acceleration of 1 m/s² adds in `seconds` while it fades.
    static func gained(_ seconds: Double) -> Double {
        GroundMotion.fading * (seconds - GroundMotion.faded(seconds))
    }

    /// Metres a second by which steady heights contradict what is stated, beyond their accuracy;
    /// nil where they do not.
    ///
    /// - Parameter slopes: from each of `samples` to the one before it.
    private static func contradiction(_ samples: [MotionSample], _ slopes: [Double?]) -> Double? {
        guard slopes.count >= 3 else { return nil }
        let accuracy = samples[0].heightAccuracy ?? 0
        var offs: [Double] = []
        var metres = 0.0
        for (index, slope) in slopes.enumerated() {
            guard let slope, let after = samples[index].climb, let before = samples[index + 1].climb
            else { return nil }
            let off = slope - (after + before) / 2
            offs.append(off)
            metres += off * samples[index].seconds(since: samples[index + 1])
        }
        let mean = offs.reduce(0, +) / Double(offs.count)
        let isSteady = offs.allSatisfy { ($0 - mean).magnitude <= mean.magnitude / 2 }
        return isSteady && metres.magnitude > max(accuracy, HeightMotion.accuracy) ? mean : nil
    }

    /// The stated climb; 0 where it is a great one that the heights do not confirm.
    private static func credible(_ climb: Double, slope: Double?) -> Double {
        if climb.magnitude <= credible { return climb }
        guard let slope else { return 0 }
        let near = (climb - slope).magnitude <= credible / 2 + slope.magnitude / 2
        return near ? climb : 0
    }
}
