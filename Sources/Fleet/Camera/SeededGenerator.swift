/// The core's randomness (SplitMix64): the same seed gives the same numbers on every machine, so that
/// a run of the simulation can be played again.
package struct SeededGenerator: RandomNumberGenerator, Equatable, Sendable {
    private var state: UInt64

    /// The same numbers for the same seed.
    package init(seed: UInt64) { state = seed }

    /// The next number of SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A generator of its own that follows from this one's state: one for each camera, so that what
    /// one camera does never changes another's numbers.
    package mutating func fork() -> SeededGenerator { SeededGenerator(seed: next()) }
}
