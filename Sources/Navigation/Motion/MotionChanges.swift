/// What changes of velocity have been seen to lead to.
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

    /// Half of a change goes on, at first.
    private static let usual = MotionGains(
        usual: MotionGains.Pair(first: 0.5, second: 0), scepticism: 4)

    private var along = MotionChanges.usual
    private var across = MotionChanges.usual
    /// Of the last fix; nil where it cannot be told.
    var seen: Seen?

    /// `outcome` followed `seen`.
    mutating func learn(_ seen: Seen, _ outcome: VelocityChange) {
        // After a lost epoch it is another time that was foretold.
        guard outcome.span > seen.now.span / 2, outcome.span < seen.now.span * 2 else { return }
        along.learn(
            seen.along, outcome: outcome.along,
            surprise: MotionChanges.size(seen.along, outcome.along), elapsed: outcome.span)
        across.learn(
            seen.across, outcome: outcome.across,
            surprise: MotionChanges.size(seen.across, outcome.across), elapsed: outcome.span)
    }

    /// Metres a second squared until the next fix, along and across.
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
