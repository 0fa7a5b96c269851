/// How changes of velocity have gone on so far, learned from fix to fix.
struct MotionChanges: Equatable, Sendable {
    /// What the last fixes show: the last change, and the mean of a second or more.
    struct Seen: Equatable, Sendable {
        var now: VelocityChange
        var mean: VelocityChange

        var along: MotionGains.Pair {
            MotionGains.Pair(first: now.along, second: now.along - mean.along)
        }
        var across: MotionGains.Pair {
            MotionGains.Pair(first: now.across, second: now.across - mean.across)
        }
    }

    /// At first, half of a change is expected to go on.
    private static let usual = MotionGains(
        usual: MotionGains.Pair(first: 0.5, second: 0), scepticism: 4)

    private var along = MotionChanges.usual
    private var across = MotionChanges.usual
    /// What the last fix shows; nil where that cannot be told.
    var seen: Seen?

    /// Learns that `outcome` followed `seen`.
    mutating func learn(_ seen: Seen, _ outcome: VelocityChange) {
        // After a lost epoch the outcome is about another span of time than the prediction.
        guard outcome.span > seen.now.span / 2, outcome.span < seen.now.span * 2 else { return }
        along.learn(
            seen.along, outcome: outcome.along,
            surprise: MotionChanges.size(seen.along, outcome.along), elapsed: outcome.span)
        across.learn(
            seen.across, outcome: outcome.across,
            surprise: MotionChanges.size(seen.across, outcome.across), elapsed: outcome.span)
    }

    /// The acceleration that is expected until the next fix, metres a second squared, along the
    /// course and across it.
    var expected: (along: Double, across: Double) {
        guard let seen else { return (0, 0) }
        return (
            MotionChanges.sum(seen.along, along.shares),
            MotionChanges.sum(seen.across, across.shares)
        )
    }

    private static func sum(_ pair: MotionGains.Pair, _ shares: MotionGains.Pair) -> Double {
        pair.first * shares.first + pair.second * shares.second
    }

    private static func size(_ pair: MotionGains.Pair, _ outcome: Double) -> Double {
        (pair.first * pair.first + pair.second * pair.second + outcome * outcome).squareRoot()
    }
}
