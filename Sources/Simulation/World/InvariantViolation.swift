package import Clock

/// A rule of the product that did not hold.
package struct InvariantViolation: Error, Equatable, Sendable {
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
        /// A camera received what it must not: its own word for it stands in the detail.
        case violation
        /// Two Connects at once on one adapter.
        case connects
        /// A request about somebody else's camera.
        case stranger
        /// A record or key command without anybody's order, or once too often.
        case replay
        /// A camera that could be ready was not within its bound.
        case unready
        /// A stalled link that stands too long.
        case stalled
        /// A camera that is served and is not on the roster.
        case orphan
        /// A command without its end, or with two.
        case reply
        /// The rig did not let time pass.
        case livelock
        /// The orderly end took too long, or left cameras with a position.
        case ending
    }

    package var rule: Rule
    package var at: Instant
    package var detail: String

    package init(_ rule: Rule, at: Instant, _ detail: String) {
        self.rule = rule
        self.at = at
        self.detail = detail
    }
}
