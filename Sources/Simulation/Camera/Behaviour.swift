package import Clock
package import OsmoProtocol

/// How a simulated camera behaves, faults included. The defaults are a healthy camera that knows
/// us.
package struct Behaviour: Equatable, Sendable {
    /// How the camera's owner answers the question whether we may control the camera.
    package enum Consent: Equatable, Sendable {
        /// The pairing is on record: allowed without a question, unless a popup is forced.
        case known
        /// Somebody taps "allow" after a while; from then on it is on record.
        case confirmed(after: TimeSpan)
        /// Somebody taps "refuse" after a while.
        case refused(after: TimeSpan)
        /// The question stands until `confirm` or `refuse` is commanded.
        case waits
    }

    /// In which order steps 2 and 3 of the handshake come.
    package enum Order: String, Sendable, CaseIterable { case normal, reversed, missing }

    /// What an Osmo 360 does with a command to switch to a mode of its other lens group.
    package enum CrossLens: String, Sendable, CaseIterable { case refused, ignored }

    /// Whether, and by whom, a controller is allowed (protocol 3.1, step 3).
    package var consent = Consent.known
    /// The order of handshake steps 2 and 3; with `missing` step 2 never comes.
    package var order = Order.normal
    /// Step 2 carries return code 2 and nothing follows.
    package var refusesReceipt = false

    /// From a command to its answer.
    package var answerDelay = TimeSpan.milliseconds(15)
    /// The longest time that is added to `answerDelay`; the seed decides how much.
    package var answerJitter = TimeSpan.milliseconds(10)
    /// Answers that never come, percent.
    package var lostPercent = 0
    /// Answers that come only after `lateDelay`, percent.
    package var latePercent = 0
    /// How long after its command a late answer comes.
    package var lateDelay = TimeSpan.milliseconds(2500)
    /// Status pushes that never come, percent.
    package var statusLostPercent = 0

    /// Says nothing at all, as if its firmware hung.
    package var mute = false
    /// Answers, but pushes no status.
    package var withholdsStatus = false
    /// Sends a 1D05 response to the subscription, besides the status pushes.
    package var answersSubscription = false
    /// Answers the version query.
    package var answersVersion = true
    /// Obeys a restart.
    package var restarts = true
    /// Pushes its texts after a subscription, as newer firmware does.
    package var greetsWithText = true
    /// Older Action 4 firmware: 31-byte status, texts in slots of 20.
    package var old = false
    /// Sends notifications of DJI's other protocol (DUML) between its own.
    package var noisy = false
    /// Status frames carry CmdType 01, as an Osmo 360's do.
    package var asksForAnswers = false
    /// Notifications come in pieces of 20 bytes.
    package var splits = false

    /// From an accepted record command until it records, or has stopped.
    package var recordDelay = TimeSpan.milliseconds(400)
    /// From an accepted mode switch until the mode has changed.
    package var modeDelay = TimeSpan.milliseconds(400)
    /// Accepts record commands and does nothing.
    package var ignoresRecord = false
    /// Accepts mode switches and does nothing.
    package var ignoresMode = false
    /// `refused` answers with return code 2; `ignored` answers with success and changes nothing.
    package var crossLens = CrossLens.refused
    /// MB a second by which a recording fills the card.
    package var cardRate = 12

    /// Status pushes that still come after the one that says it sleeps.
    package var lateStatuses = 1
    /// Drops the link when it falls asleep, instead of keeping it.
    package var sleepDropsLink = false
    /// How long after falling asleep a broadcast still wakes it.
    package var wakeWindow = TimeSpan.seconds(1800)

    /// A healthy camera whose pairing record has us.
    package init() {}

    /// A healthy camera of this model.
    package init(model: CameraModel) {
        noisy = model == .action5Pro
        asksForAnswers = model == .osmo360
    }
}
