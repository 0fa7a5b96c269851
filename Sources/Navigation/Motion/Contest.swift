/// Which of several ways to look ahead has been right of late: each is asked for about a second
/// ahead, and held against the fix that then came.
struct Contest: Equatable, Sendable {
    /// Seconds in which an error is forgotten to a third.
    private static let memory = 20.0

    /// Summed squared errors, square metres.
    private(set) var errors: [Double]

    /// - Parameter handicaps: square metres that count against each from the start, and do not fade:
    ///   what comes first has to be beaten by as much.
    init(handicaps: [Double]) {
        self.handicaps = handicaps
        errors = Array(repeating: 0, count: handicaps.count)
    }

    private let handicaps: [Double]

    /// Adds what each was wrong by, metres squared, `elapsed` seconds after the last time; nil where
    /// it had nothing to say.
    mutating func score(_ squares: [Double?], elapsed: Double) {
        let kept = Trigonometry.exponential(-elapsed / Contest.memory)
        for (index, square) in squares.enumerated() {
            errors[index] *= kept
            if let square { errors[index] += square }
        }
    }

    /// The standing of one: less is better.
    func standing(_ index: Int) -> Double { errors[index] + handicaps[index] }
}
