/// Randomness of a film (SplitMix64): the same seed gives the same film.
struct FilmRandom: Equatable, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to but not 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Of a standard normal distribution: twelve fractions less six.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + fraction() } }
}
