/// How the rig's height goes on after a fix: with the stated climb, or the heights' own slope where
/// none is stated, and with what its change foretells.
///
/// How much of either comes true is learned, since receivers differ: their climb may be measured, or
/// gpsd's difference of two rounded heights.
struct HeightMotion: Equatable, Sendable {
    /// Metres a second at the fix, and metres a second squared that fade.
    struct Course: Equatable, Sendable {
        var climb = 0.0
        var acceleration = 0.0

        func rise(seconds: Double) -> Double {
            climb * seconds + acceleration * HeightMotion.gained(seconds)
        }

        func climb(seconds: Double) -> Double {
            climb + acceleration * GroundMotion.faded(seconds)
        }
    }

    /// Seconds that a climb stays without a newer height.
    private static let lifetime = 2.5
    /// A climb up to this is believed without heights that confirm it (field notes A9.10).
    static let credible = 10.0
    /// Nothing that carries a camera falls faster.
    static let fastest = 200.0

    /// What is believed now.
    private(set) var course = Course()
    /// The climb goes on wholly, and half of its change.
    private var persistence = MotionGains(
        usual: MotionGains.Pair(first: 1, second: 0.5), scepticism: 1)
    private var seen: Seen?
    /// Both as they were before the last epoch, which more reports may still change.
    private var persistenceBefore: MotionGains?
    private var seenBefore: Seen?

    /// What the last fix with a height says of the rising that follows.
    private struct Seen: Equatable {
        var sample: MotionSample
        var pair: MotionGains.Pair
        /// Seconds for which the pair was made.
        var ahead: Double
    }

    /// The last fix is complete: another one follows.
    mutating func settle() {
        persistenceBefore = persistence
        seenBefore = seen
    }

    /// Nothing that was seen says anything of what comes.
    mutating func interrupt() {
        seen = nil
        seenBefore = nil
    }

    /// - Parameters:
    ///   - before: with a height, about a second before `last`; nil where nothing was.
    ///   - earlier: with a height, about a second before that.
    mutating func fit(_ last: MotionSample, before: MotionSample?, earlier: MotionSample?) {
        persistence = persistenceBefore ?? persistence
        seen = seenBefore
        guard let height = last.heightMetres else {
            // Some receivers tell it with every other fix only.
            let isNear =
                seen.map { last.seconds(since: $0.sample) <= HeightMotion.lifetime } ?? false
            if !isNear {
                course = Course()
                seen = nil
            }
            return
        }
        let ahead = learn(from: last, height: height)
        let slope = slope(from: before, to: last)
        let slopeBefore = self.slope(from: earlier, to: before)
        var pair = MotionGains.Pair.zero
        var change = 0.0
        if let stated = last.climb {
            pair.first = HeightMotion.confirmed(stated, by: slope)
            if let before, let climb = before.climb,
                slopeBefore != nil || climb.magnitude <= HeightMotion.credible
            {
                let was = HeightMotion.confirmed(climb, by: slopeBefore)
                change = GroundMotion.lasting((pair.first - was) / last.seconds(since: before))
            }
        } else if let slope {
            // Nothing else confirms it but that it has been so for a while.
            pair.first = HeightMotion.confirmed(slope, by: slopeBefore)
        }
        pair.second = change * HeightMotion.gained(ahead) / ahead
        seen = Seen(sample: last, pair: pair, ahead: ahead)
        let shares = persistence.shares
        course = Course(climb: pair.first * shares.first, acceleration: change * shares.second)
    }

    /// Holds what was seen against `height`, and says how long it took: about so long will the next.
    private mutating func learn(from last: MotionSample, height: Double) -> Double {
        guard let seen, let before = seen.sample.heightMetres else { return 1 }
        let span = last.seconds(since: seen.sample)
        guard span > 0, span <= HeightMotion.lifetime else { return 1 }
        let outcome = (height - before) / span
        let (off, change) = (outcome - seen.pair.first, seen.pair.second)
        persistence.learn(
            seen.pair, outcome: outcome, surprise: (off * off + change * change).squareRoot(),
            elapsed: span)
        return span
    }

    /// Metres a second from one to another; nil where a height is missing, or nothing moves so.
    private func slope(from before: MotionSample?, to last: MotionSample?) -> Double? {
        guard let before, let last, let low = before.heightMetres, let high = last.heightMetres
        else { return nil }
        let slope = (high - low) / last.seconds(since: before)
        return slope.magnitude <= HeightMotion.fastest ? slope : nil
    }

    /// Metres that a metre a second squared that fades has added after `seconds`.
    private static func gained(_ seconds: Double) -> Double {
        GroundMotion.fading * (seconds - GroundMotion.faded(seconds))
    }

    /// A climb, as far as another source confirms it; a great one that none confirms is none.
    static func confirmed(_ climb: Double, by other: Double?) -> Double {
        if climb.magnitude <= credible { return climb }
        guard let other else { return 0 }
        let near = (climb - other).magnitude <= credible + other.magnitude / 2
        return near ? climb : other
    }
}
