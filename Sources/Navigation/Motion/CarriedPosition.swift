package import Clock

/// How the position between two fixes is made.
package enum Carrying: String, Sendable, CaseIterable {
    /// The place of the last fix, unchanged.
    case hold
    /// The last fix, moved straight on with its velocity.
    case constantVelocity = "constant-velocity"
    /// The last fix, moved on with its velocity, and with turn rate and acceleration where the
    /// fixes show them: the default.
    case extrapolate
}

/// Where the rig is at one instant.
package struct CarriedPosition: Equatable, Sendable {
    /// Place, height, speed, course, climb and time, all for `instant`. Its `time` is what a camera
    /// should be told: the receiver's, or the system clock's where that one cannot be right; nil
    /// where neither can be believed.
    package var fix: Fix
    /// The instant that the position is for.
    package var instant: Instant
    /// From the fix's own instant to `instant`; with `hold`, how old the place is.
    package var age: TimeSpan
    /// The number of the epoch that the position was carried from, as in `PositionEvent.fix`.
    package var epochSequence: Int

    /// A position; `age` must be what lies between the fix's instant and `instant`.
    package init(fix: Fix, instant: Instant, age: TimeSpan, epochSequence: Int) {
        self.fix = fix
        self.instant = instant
        self.age = age
        self.epochSequence = epochSequence
    }
}
