/// The last fixes of a receiver, and the motion that they show.
///
/// Over the ground two ways to look ahead compete: straight on with the stated velocity, and with
/// turn rate and acceleration as the last two seconds show them. The second is better for every
/// vehicle with a good receiver, and worse at walking pace or with a noisy one.
struct MotionTrack: Equatable, Sendable {
    /// At 40 fixes a second these are the remembered seconds.
    private static let longest = 160
    /// Seconds; older fixes tell nothing of now.
    private static let memory = 4.0
    /// Seconds that motion is measured over, where fixes come faster.
    private static let baseline = 0.9
    /// A stated velocity stays for this long without a newer one, at most.
    private static let velocityLifetime = 2.5
    /// Metres a second below which a rig stands: receivers state less than this at rest.
    private static let rest = 0.1
    /// Metres a second at which turning begins to be believed, and is believed wholly.
    private static let slow = 2.0
    private static let brisk = 3.0
    /// Sideways metres a second, below which a turn within a baseline is mostly noise.
    private static let turnNoise = 0.28
    /// Changes of turning and accelerating, metres a second, likewise.
    private static let changeNoise = 0.8
    /// What share of such a change goes on.
    private static let turnChange = 0.6
    private static let accelerationChange = 0.4
    /// Radians a second; no rig turns faster at speed.
    private static let fastestTurn = 1.5
    /// Metres that a fix may lie beside the expected place, and more for each second.
    private static let leap = (base: 50.0, perSecond: 50.0)
    /// Likewise above or below the expected height.
    private static let verticalLeap = (base: 30.0, perSecond: 30.0)
    /// The curved way has to be worse by this before the straight one is taken.
    private static let lead = (factor: 1.2, square: 1.0)

    /// In order of time. A slice gives up what stands in front without moving the rest.
    private(set) var samples: ArraySlice<MotionSample> = []
    /// Straight on with the stated velocity; nil while that is unknown.
    private(set) var straight: GroundMotion?
    /// With turn rate and acceleration; nil where they cannot be told.
    private(set) var curved: GroundMotion?
    private(set) var height = HeightMotion()
    private var lag = VelocityLag()
    private var contest = Contest(handicaps: [0, 0])
    private var guess: Guess?

    /// What was expected from a fix, to be held against one about a second later.
    private struct Guess: Equatable {
        var sample: MotionSample
        var straight: GroundMotion?
        var curved: GroundMotion?
        var heights: [HeightMotion.Course?]
    }

    /// Metres a second as last stated; 0 while unknown.
    var speed: Double { straight?.speed ?? 0 }

    /// The motion that is believed now.
    func ground(_ carrying: Carrying) -> GroundMotion? {
        guard carrying == .extrapolate, let curved else { return straight }
        let allowed = contest.standing(0) * MotionTrack.lead.factor + MotionTrack.lead.square
        return contest.standing(1) <= allowed ? curved : straight
    }

    /// A new epoch's fix.
    mutating func append(_ sample: MotionSample) {
        learn()
        if let last = samples.last, !follows(sample, last) {
            samples.removeAll()
            guess = nil
        }
        if samples.count == MotionTrack.longest { samples.removeFirst() }
        samples.append(sample)
        while let first = samples.first, sample.seconds(since: first) > MotionTrack.memory {
            samples.removeFirst()
        }
        fit()
    }

    /// More, or something better, about the last epoch.
    mutating func replaceLast(_ sample: MotionSample) {
        if samples.isEmpty { return append(sample) }
        samples[samples.endIndex - 1] = sample
        fit()
    }

    /// False for a step of time and for a leap: what was before tells nothing.
    private func follows(_ sample: MotionSample, _ last: MotionSample) -> Bool {
        let span = sample.seconds(since: last)
        guard span > 0, span <= MotionTrack.memory else { return false }
        let way = straight?.way(seconds: span) ?? .zero
        let beside = (last.place.displacement(to: sample.place) - way).length
        if let from = last.heightMetres, let to = sample.heightMetres {
            let off = (to - from - height.course.rise(seconds: span)).magnitude
            let allowed =
                MotionTrack.verticalLeap.base + MotionTrack.verticalLeap.perSecond * span
            if off > allowed { return false }
        }
        return beside <= MotionTrack.leap.base + MotionTrack.leap.perSecond * span
    }

    /// Learns from the last fix, which is complete when the next one comes.
    private mutating func learn() {
        guard let last = samples.last else { return }
        if let index = baseIndex(before: samples.endIndex - 1), samples.count > 1 {
            let elapsed = last.seconds(since: samples[samples.endIndex - 2])
            lag.learn(samples[index...], elapsed: elapsed)
        }
        if let guess {
            let span = last.seconds(since: guess.sample)
            if span < MotionTrack.baseline { return }
            if span <= MotionTrack.velocityLifetime { score(guess, at: last, span: span) }
        }
        guess = Guess(
            sample: last, straight: straight, curved: curved, heights: height.guesses())
    }

    private mutating func score(_ guess: Guess, at last: MotionSample, span: Double) {
        let way = guess.sample.place.displacement(to: last.place)
        if let straight = guess.straight, let curved = guess.curved {
            let squares = [straight, curved].map { motion -> Double? in
                let error = motion.way(seconds: span) - way
                return error.dot(error)
            }
            contest.score(squares, elapsed: span)
        }
        if let before = guess.sample.heightMetres, let after = last.heightMetres {
            height.score(guess.heights, rose: after - before, seconds: span)
        }
    }

    /// The newest sample a baseline before `index`.
    private func baseIndex(before index: Int) -> Int? {
        let sample = samples[index]
        return samples[..<index].lastIndex {
            sample.seconds(since: $0) >= MotionTrack.baseline
        }
    }

    /// The newest sample with a height a baseline before the last one; what began a moment ago still
    /// confirms or denies a great climb.
    private var heightBase: MotionSample? {
        guard let last = samples.last else { return nil }
        let earlier = samples.dropLast()
        return earlier.last {
            $0.heightMetres != nil && last.seconds(since: $0) >= MotionTrack.baseline
        } ?? earlier.first { $0.heightMetres != nil }
    }

    private mutating func fit() {
        straight = nil
        curved = nil
        guard let last = samples.last else { return }
        let base = baseIndex(before: samples.endIndex - 1)
        height.fit(last, before: heightBase)
        guard let known = samples.last(where: { $0.velocity != nil }),
            let velocity = known.velocity,
            last.seconds(since: known) <= MotionTrack.velocityLifetime
        else { return }
        straight = velocity.length < MotionTrack.rest ? .rest : GroundMotion(velocity)
        guard known == last, velocity.length > MotionTrack.slow, let base,
            let before = samples[base].velocity
        else { return }
        let span = last.seconds(since: samples[base])
        var change: Change?
        if let earlier = baseIndex(before: base), let first = samples[earlier].velocity {
            change = Change(
                from: first, to: before, in: samples[base].seconds(since: samples[earlier]))
        }
        curved = curve(velocity, now: Change(from: before, to: velocity, in: span), before: change)
    }

    /// How velocity changed between two fixes.
    private struct Change {
        /// Radians a second; 0 where one of them was too slow to have a course.
        var turn: Double
        /// Metres a second squared.
        var acceleration: Double
        var span: Double
        var isTurnKnown: Bool

        init(from first: GroundVector, to second: GroundVector, in span: Double) {
            self.span = span
            isTurnKnown = first.length > MotionTrack.slow && second.length > MotionTrack.slow
            turn = isTurnKnown ? Trigonometry.wrapped(second.course - first.course) / span : 0
            acceleration = (second.length - first.length) / span
        }
    }

    private func curve(_ velocity: GroundVector, now: Change, before: Change?) -> GroundMotion {
        var motion = GroundMotion(velocity)
        let speed = motion.speed
        let pace = MotionTrack.brisk - MotionTrack.slow
        let belief = min(1, (speed - MotionTrack.slow) / pace)
        let turnNoise = MotionTrack.turnNoise / now.span
        let changeNoise = MotionTrack.changeNoise / now.span
        let sideways = now.turn * speed * belief
        motion.turnRate = MotionTrack.beyond(turnNoise, sideways) / speed
        motion.acceleration = now.acceleration
        // A turn too small to be one is noise of the course, and noise is halved by the mean of two.
        let share = MotionTrack.share(turnNoise, sideways)
        motion.course -= (1 - share) * now.turn * belief * now.span / 2
        if let before {
            let braked = now.acceleration - before.acceleration
            motion.acceleration +=
                MotionTrack.accelerationChange * MotionTrack.beyond(changeNoise, braked)
            if now.isTurnKnown, before.isTurnKnown {
                let bent = (now.turn - before.turn) * speed * belief
                motion.turnRate +=
                    MotionTrack.turnChange * MotionTrack.beyond(changeNoise, bent) / speed
            }
        }
        let fastest = MotionTrack.fastestTurn
        motion.turnRate = min(max(motion.turnRate, -fastest), fastest)
        motion.lag = lag.seconds
        return motion
    }

    /// How much of a value is more than noise: nothing of a small one, all of a great one.
    private static func share(_ noise: Double, _ value: Double) -> Double {
        value * value / (value * value + noise * noise)
    }

    private static func beyond(_ noise: Double, _ value: Double) -> Double {
        value * share(noise, value)
    }
}

extension MotionTrack {
    /// `fix` as it is `seconds` later.
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
        carried.climbMetresPerSecond = course.climb(seconds: seconds)
        carried.heightMetres = fix.heightMetres.map { $0 + rise }
        carried.ellipsoidHeightMetres = fix.ellipsoidHeightMetres.map { $0 + rise }
        return carried
    }
}
