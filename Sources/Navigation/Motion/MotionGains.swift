/// How much of an observed motion goes on, learned from what came after it.
///
/// Two observed quantities each get a share, so that their weighted sum foretells the outcome. The
/// shares are least squares over the last minute, and begin at usual values. Where a receiver's
/// noise makes up most of what is seen, little of it comes true and its share falls; where a
/// vehicle keeps its bends and its braking, the share rises. So nobody has to configure what the
/// rig is or how good its receiver.
struct MotionGains: Equatable, Sendable {
    /// The two observed quantities, or their shares; both in the unit of the outcome.
    struct Pair: Equatable, Sendable {
        var first: Double
        var second: Double

        static let zero = Pair(first: 0, second: 0)
    }

    /// Seconds after which two thirds of what was learned are forgotten.
    private static let memory = 60.0
    /// Observations and outcomes beyond this look like accidents: the greater they are, the less
    /// they teach.
    private static let wild = 10.0

    private let usual: Pair
    /// How strongly the usual shares count: as much as observations whose squares, times seconds,
    /// add up to this.
    private let scepticism: Double

    private var firstSquare = 0.0
    private var product = 0.0
    private var secondSquare = 0.0
    private var firstOutcome = 0.0
    private var secondOutcome = 0.0

    init(usual: Pair, scepticism: Double) {
        self.usual = usual
        self.scepticism = scepticism
    }

    /// The shares as they are believed now.
    var shares: Pair {
        let (first, second) = (firstSquare + scepticism, secondSquare + scepticism)
        let (one, other) = (
            firstOutcome + scepticism * usual.first, secondOutcome + scepticism * usual.second
        )
        // Scepticism keeps it above zero: the other terms are a sum of squares, which is never
        // negative.
        let determinant = first * second - product * product
        return Pair(
            first: (one * second - other * product) / determinant,
            second: (other * first - one * product) / determinant)
    }

    /// Learns that `outcome` followed `seen`.
    ///
    /// - Parameters:
    ///   - surprise: how far the outcome is from the usual, to tell accidents by.
    ///   - elapsed: seconds that this outcome stands for.
    mutating func learn(_ seen: Pair, outcome: Double, surprise: Double, elapsed: Double) {
        let kept = Trigonometry.exponential(-elapsed / MotionGains.memory)
        let wild = MotionGains.wild * MotionGains.wild
        let weight = elapsed / (1 + surprise * surprise / wild)
        firstSquare = firstSquare * kept + seen.first * seen.first * weight
        product = product * kept + seen.first * seen.second * weight
        secondSquare = secondSquare * kept + seen.second * seen.second * weight
        firstOutcome = firstOutcome * kept + seen.first * outcome * weight
        secondOutcome = secondOutcome * kept + seen.second * outcome * weight
    }
}
