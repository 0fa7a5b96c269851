package import Clock

/// How a position between fixes comes about.
package enum Carrying: String, Sendable, CaseIterable {
    /// The last fix as it came.
    case hold
    /// Straight on with the last velocity.
    case constantVelocity = "constant-velocity"
    /// With turn rate and acceleration where the fixes allow it: the default.
    case extrapolate
}

/// Where the rig is at one instant.
package struct CarriedPosition: Equatable, Sendable {
    /// Place, height, speed, course, climb and time, all of `instant`. Its `time` is what a camera
    /// should be told: the receiver's, or the system clock's where that one cannot be right; nil
    /// where neither is to be believed.
    package var fix: Fix
    /// The instant that the position is for.
    package var instant: Instant
    /// From the fix's own instant to `instant`; with `hold`, how old the place is.
    package var age: TimeSpan
    /// Of the epoch it was carried from, as in `PositionEvent.fix`.
    package var epochSequence: Int

    /// A position; `age` must be what lies between the fix's instant and `instant`.
    package init(fix: Fix, instant: Instant, age: TimeSpan, epochSequence: Int) {
        self.fix = fix
        self.instant = instant
        self.age = age
        self.epochSequence = epochSequence
    }
}
