/// How much of what was seen of a motion goes on: learned from what then came.
///
/// Two things seen are weighed by a share each, so that together they foretell the outcome: least
/// squares over the last minute, beginning with shares that are usual. Where a receiver's noise
/// makes up most of what is seen, little of it comes true and its share falls; where a vehicle
/// keeps its bends and its braking, the share rises. So nobody has to say which rig it is, or how
/// good the receiver.
struct MotionGains: Equatable, Sendable {
    /// What is weighed, in one unit with the outcome.
    struct Pair: Equatable, Sendable {
        var first: Double
        var second: Double

        static let zero = Pair(first: 0, second: 0)
    }

    /// Seconds in which what was learned is forgotten to a third.
    private static let memory = 60.0
    /// What is seen or comes beyond this is an accident, and teaches the less the greater it is.
    private static let wild = 10.0

    private let usual: Pair
    /// So much seen, squared and times seconds, weighs as much as what is usual.
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
        // Scepticism keeps it above zero: the rest is a square sum's, which is not negative.
        let determinant = first * second - product * product
        return Pair(
            first: (one * second - other * product) / determinant,
            second: (other * first - one * product) / determinant)
    }

    /// `outcome` came after `seen` had been seen.
    ///
    /// - Parameters:
    ///   - surprise: by how much the outcome could look like an accident.
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
