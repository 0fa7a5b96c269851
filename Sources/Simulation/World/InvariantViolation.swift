package import Clock

/// A rule of the product that did not hold.
package struct InvariantViolation: Error, Equatable, Sendable {
    /// What must hold in every run of the virtual world.
    package enum Rule: String, Sendable, CaseIterable {
        /// Two pushes closer than 0.8 / R.
        case spacing
        /// More pushes in a second, or in ten, than the budget allows.
        case budget
        /// A camera waited longer than 1.2 / R although fixes were fresh.
        case gap
        /// A position was pushed that is older than it may be.
        case stale
        /// A position was pushed that is not where the rig is.
        case place
        /// A void was pushed although fixes were fresh.
        case void
        /// A camera received what it must not receive; the detail names the kind of `Violation`.
        case violation
        /// Two Connects at once on one adapter.
        case connects
        /// A request about somebody else's camera.
        case stranger
        /// A record or key command was sent without an order, or once too often.
        case replay
        /// A camera that could be ready was not ready within its bound.
        case unready
        /// A stalled link that stands too long.
        case stalled
        /// A camera that is not on the roster stays connected and ready.
        case orphan
        /// A command got no end of its answer, or two.
        case reply
        /// The radio or the rig did not let time pass: it asked again and again to be called at
        /// once.
        case livelock
        /// The orderly end took too long, or left cameras with a position.
        case ending
    }

    /// The rule that was broken.
    package var rule: Rule
    /// When it was seen to be broken, in virtual time.
    package var at: Instant
    /// What was seen, for people: figures and names.
    package var detail: String

    /// A violation, to be thrown: it ends the run.
    package init(_ rule: Rule, at: Instant, _ detail: String) {
        self.rule = rule
        self.at = at
        self.detail = detail
    }
}
