package import Clock

/// How long a camera's session waits for what (protocol 4.2, decision 10). What is due at an
/// instant happens at that instant, not a nanosecond before.
package enum SessionTiming {
    /// From step 1 of the handshake to its receipt.
    package static let receipt = TimeSpan.seconds(5)
    /// From the receipt until the camera is taken to be asking its user: one that knows us has
    /// consented by then. From step 1 where it was told to ask.
    package static let consentGrace = TimeSpan.seconds(1)
    /// From the receipt to the tap; from step 1 where it was told to ask and gives no receipt.
    package static let tap = TimeSpan.seconds(60)
    /// How often the owner is asked in vain for a tap before the camera is left alone.
    package static let taps = 3
    /// From the version query after the handshake to going on without its answer.
    package static let version = TimeSpan.seconds(5)
    /// Between the first subscriptions, while not ready.
    package static let subscription = TimeSpan.seconds(2)
    /// How often the subscription is sent again before the camera counts as ready without status.
    package static let resubscriptions = 3
    /// From the last status, or the last subscription, to the next one; also how old a status may
    /// be to count as present.
    package static let status = TimeSpan.seconds(3)
    /// From the last notification to the first version query that asks for a sign of life.
    package static let silence = TimeSpan.seconds(1)
    /// The time to the next such query doubles this often.
    package static let silenceDoublings = 6
    /// Between queries that prove that pushes arrive, while answers come.
    package static let proof = TimeSpan.milliseconds(500)
    /// So many unanswered queries are asked at that pace; after them the time doubles with each.
    package static let steadyProofs = 2
    /// From a push to such a query at least: on the WriteValue path it would meet the push in flight.
    package static let proofAfterPush = TimeSpan.milliseconds(40)
    /// Between queries to a streaming camera that is not known to answer them: its answers may have
    /// been lost so far.
    package static let retrial = TimeSpan.seconds(5)
    /// Links in a row that were ended for want of an answer without one since the camera was ready:
    /// it is taken not to answer while it streams, and its notifications alone count again.
    package static let unansweredLinks = 2

    /// From a try of a command to its acknowledgement.
    package static let answer = TimeSpan.seconds(1.5)
    /// Tries of a command that may be repeated.
    package static let tries = 3
    /// From the acknowledgement to the status that shows it.
    package static let confirmation = TimeSpan.seconds(3)
    /// From a raw frame to its answer.
    package static let rawAnswer = TimeSpan.seconds(2)
    /// From a restart command to its answer, or to the link's end.
    package static let restart = TimeSpan.seconds(3)
    /// A link that ends this soon after a restart command is taken to have ended because of it.
    package static let restartEffect = TimeSpan.seconds(30)
    /// A recording that ends this soon after a command of ours is taken to have ended because of it.
    package static let commandEffect = TimeSpan.seconds(5)

    /// From a frame that was not taken to its next attempt.
    package static let resend = TimeSpan.milliseconds(30)
    /// Attempts for one such frame after the first.
    package static let resends = 10
    /// Such frames held at once; with more the oldest goes.
    package static let resendFrames = 4

    /// Late status of a camera that fell asleep is ignored for this long.
    package static let lateStatus = TimeSpan.seconds(10)
    /// Status pushes that say "normal" after that, in a row, before it is taken to be awake.
    package static let awakeStatuses = 4
    /// How long after falling asleep a camera can be woken by broadcast (protocol 3.9).
    package static let wakeWindow = TimeSpan.seconds(30 * 60)
}
