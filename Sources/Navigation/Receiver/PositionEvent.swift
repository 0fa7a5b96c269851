package import Clock

/// What receivers and their positions tell the fleet, in the order in which it happened.
package enum PositionEvent: Equatable, Sendable {
    /// A fix to be pushed at once: the first usable report of an epoch, or another place under the
    /// same time. `sequence` counts epochs within a run, from 1.
    ///
    /// It wakes the schedule. What is pushed then is `PositionSource.position(at:)`, as between
    /// fixes: there is one way to a pushed position.
    case fix(Fix, sequence: Int)
    /// There is no fresh position any more: void frames from now on, until the next `fix`.
    case lost(Loss)
    /// An epoch is over, with all that its reports said: a row for the track. Times of rows
    /// strictly increase, except after a step of time.
    case epochClosed(Fix, sequence: Int)
    case state(ReceiverState)
    /// The receiver's fixes come so far apart that positions are void between them; told once.
    case slow(TimeSpan)
    /// The receiver states no velocity, so that one is derived from its places; told once.
    case velocityDerived
    /// Another receiver is used from now on: the best one, or the first one.
    case device(String)
    /// GPS time has earned its trust. Epochs that arrived at or after `since` belong to it, older
    /// ones do not. `stepped`: it is another time line than the one trusted before.
    case timeTrusted(since: Instant, stepped: Bool)
    /// GPS time made a step, or contradicts the synchronised system clock.
    case timeRevoked
    /// Why time is not trusted although fixes come; told once for each reason until time is
    /// trusted.
    case timeDoubted(TimeDoubt)
}

/// Why there is no fresh position any more.
package enum Loss: String, Sendable, CaseIterable {
    /// The receiver says that it has none (mode 0 or 1).
    case noFix = "no-fix"
    /// No usable report came for as long as a fix stays fresh.
    case silence
    /// Reports come, but their time stands still.
    case frozen
    /// gpsd is gone, or has let the receiver go.
    case gone
}

/// What is wrong with GPS time.
package enum TimeDoubt: String, Sendable, CaseIterable {
    /// Fixes carry none.
    case missing
    /// A date before this program was built: a receiver that has lost count of the weeks.
    case beforeBuild = "before-build"
    /// More than a day away from a synchronised system clock.
    case systemClock = "system-clock"
}
