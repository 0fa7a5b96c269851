package import Clock
import LineProtocol
package import OsmoProtocol
package import RadioPort

/// One camera's conversation once its link is open, and what is remembered of it between links.
///
/// Pure: inputs with an instant in, effects out. Everything around it (who is connected when, by way
/// of which adapter, whom a command is for) is the rig's.
///
/// | state | happens | then | effects |
/// | --- | --- | --- | --- |
/// | closed | link opens | handshake | step 1 |
/// | closed | link opens, but it refused or went untapped | closing | close |
/// | handshake | receipt 0 | handshake: consent for 1 s | |
/// | handshake | receipt 0, popup asked for | confirm | |
/// | handshake | 1 s after the receipt | confirm | |
/// | handshake | popup asked for, 1 s without receipt | confirm | |
/// | handshake | 5 s without receipt otherwise | closing | close |
/// | handshake, confirm | consent | identifying | step 4, consented, version query |
/// | handshake, confirm | refusal in step 2 or 3 | closing, refused | close |
/// | confirm | 60 s after the receipt, or after step 1 without | closing; the third time untapped | close |
/// | identifying | version, or 5 s | subscribing | subscription |
/// | identifying | the same, and status came before | ready | subscription |
/// | subscribing | first status | ready | |
/// | subscribing | 2 s, up to three times | subscribing | subscription; version query after 1 s of silence |
/// | subscribing | 2 s after the last | ready, status none | subscription |
/// | identifying, subscribing | about to be ready after the watchdog's time of silence | closing | close |
/// | ready | status, text, answers | ready | notices, commands go on |
/// | ready | 1, 2, 4, … s of silence | ready | version query |
/// | ready | pushes went out that no answer has proven, twice a second | ready | version query |
/// | ready | no answer for the watchdog's time | closing | close |
/// | ready | 3 s without status, but signs of life | ready | subscription |
/// | ready | the watchdog's time of silence | closing | close |
/// | ready | status says asleep; or a sleep was acknowledged and silence followed | asleep | |
/// | ready | refusal (a step 3 out of turn) | closing, refused | close |
/// | any but closed, closing, asleep | consent again | same | step 4 again |
/// | asleep | status that says awake, four in a row after 10 s | closing, welcome | close |
/// | any | link closes | closed | the command under way fails |
package struct CameraSession: Sendable {
    /// What may be done about connecting this camera, as far as its past goes.
    package enum Availability: Equatable, Sendable {
        /// Connect it.
        case available
        /// It sleeps since that instant: it will not answer before it wakes; seen advertising, it has.
        case asleep(since: Instant)
        /// It refused us: not before `forgetRefusal`.
        case refused
        /// It asked for a tap three times and nobody came: not before `forgetRefusal`.
        case unconfirmed
    }

    /// What a GPS frame says.
    package enum PushKind: Sendable {
        case position, void
        /// A void of the burst at the orderly end.
        case lastVoid
    }

    /// How long after falling asleep a camera can be woken by broadcast (protocol 3.9).
    package static let wakeWindow = SessionTiming.wakeWindow

    // What is remembered between links.

    /// How the rig should treat the camera.
    package internal(set) var availability = Availability.available
    /// By its own word in step 3 of a handshake; nil before the first.
    package internal(set) var model: CameraModel?
    /// What 0000 said; nil before the first answer.
    package internal(set) var version: VersionReply?
    /// How often it became ready, less the first time.
    package var reconnects: Int { max(0, timesReady - 1) }
    /// Why its last link, or the last attempt to use it, ended; nil once it is ready.
    package internal(set) var lastError: String?
    /// Since when `cameraState` is what it is.
    package internal(set) var stateSince = Instant.zero
    /// Position frames handed to its links, since start.
    package internal(set) var pushed = 0
    /// Frames that a link did not take, or that were withheld while paused.
    package internal(set) var dropped = 0
    /// Void frames handed to its links.
    package internal(set) var voids = 0
    /// From command to acknowledgement, of the last command.
    package internal(set) var roundTrip: TimeSpan?
    /// Modes that it refused or did not confirm, in the order of failing.
    package internal(set) var refusedModes: [CameraMode] = []
    /// As step 3 stated it, for commands.
    var deviceID: UInt32 = 0
    /// Times that it was ready.
    var timesReady = 0
    /// Taps asked for since the last consent.
    var taps = 0
    /// Whether it recorded when last heard of; nil before.
    var recorded: Bool?
    /// When a command of ours that may end a recording was last sent.
    var recordingTouched: Instant?
    /// A record command that was interrupted after it went out.
    var unsettled: Unsettled?
    /// The record command that waits for it to show.
    var waiting: (ticket: Ticket, command: CameraCommand)?
    /// When a restart was last sent.
    var restarted: Instant?
    /// Battery, card, temperature, mode: what has been spoken of.
    var watch = StatusWatch()
    /// Of these what ends a recording soon.
    var trouble = TroubleWatch()
    /// Of our commands on its links; the GPS stream has its own.
    var sequence: UInt16 = 0
    /// Whether it ever answered a version query.
    var hasAnswered = false
    /// Links in a row that ended as `unanswered`, with no query answered since the camera was ready.
    var unansweredLinks = 0
    /// Whether the end of the wake window has been spoken of.
    var wakeWindowOver = false

    // State of the present link: it begins anew with each.

    /// Where the conversation stands.
    var state = State.closed
    /// nil while there is none.
    package internal(set) var link: LinkParameters?
    /// For step 4.
    var cameraNumber = 0
    /// Finds frames in notifications.
    var decoder = FrameDecoder()
    /// Bounds the GPS stream.
    var credit = PushCredit()
    /// What its last GPS frame said; nil before the first of this link.
    var lastPush: PushKind?
    /// What it said of itself.
    var live = LiveStatus()
    /// The command under way.
    var run: CommandRun?
    /// A record command that its status showed before it was acknowledged.
    var lateAnswer: (sequence: UInt16, until: Instant)?
    /// When a push last went out on this link.
    var lastPushed = Instant.zero
    /// Whether a query was answered since the camera was ready on this link.
    var hasProven = false
    /// Of the last version query.
    var querySequence: UInt16 = 0
    /// Frames that the link did not take.
    var resends = Resends()
    /// The rig is ending the link, with these words.
    var prepareToClose: String?

    // What the rig chose.

    /// Ours towards cameras.
    let identity: ControllerIdentity
    /// Pushes a second.
    var rate: Int
    /// Silence after which a ready camera is let go.
    var watchdog: TimeSpan
    /// Feeds confirmation codes.
    var generator: SeededGenerator

    /// The last `cameraState` that was reported.
    var announced: CameraState?
    /// Effects of the call under way.
    var outbox: [SessionEffect] = []
    /// When `wake` has to come; nil while only inputs can change anything.
    package internal(set) var nextDeadline: Instant?

    /// - Parameters:
    ///   - settings: identity, rate and watchdog count here.
    ///   - generator: feeds confirmation codes; one of its own for each camera.
    package init(settings: RigSettings, generator: SeededGenerator) {
        identity = settings.identity
        rate = settings.rate
        watchdog = settings.watchdog
        self.generator = generator
    }

    /// Takes over what a reload changed: rate and watchdog.
    package mutating func apply(_ settings: RigSettings) {
        rate = settings.rate
        watchdog = settings.watchdog
        nextDeadline = deadline
    }

    /// What happens, and what is to be done about it, in this order.
    ///
    /// - Parameter now: never earlier than at the call before.
    package mutating func handle(_ input: SessionInput, at now: Instant) -> [SessionEffect] {
        switch input {
        case .linkOpen(let parameters, let cameraNumber, let popup):
            open(parameters, cameraNumber: cameraNumber, popup: popup, at: now)
        case .linkClosed: linkClosed(at: now)
        case .notification(let bytes): notified(bytes, at: now)
        case .frameDropped(let frame): frameDropped(frame, at: now)
        case .command(let ticket, let command): start(ticket, command, at: now)
        case .interrupt(let words): interrupt(words, at: now)
        case .prepareToClose(let words): sayFarewell(words, at: now)
        case .forgetRefusal: forgetRefusal()
        case .wake: wake(at: now)
        }
        announce(at: now)
        // What is overdue, since something else became unnecessary, is due now.
        nextDeadline = deadline.map { max($0, now) }
        guard !outbox.isEmpty else { return [] }
        defer { outbox = [] }
        return outbox
    }

    /// `handshake`, `confirm`, `ready`, `asleep`, `refused`; nil without a link and a memory that
    /// counts, when the rig knows better (absent, connecting, backoff).
    @inline(__always) package var cameraState: CameraState? {
        switch state {
        case .handshake, .identifying, .subscribing: .handshake
        case .confirm: .confirm
        case .ready: .ready
        case .asleep: .asleep
        case .closed, .closing:
            switch availability {
            case .available: nil
            case .asleep: .asleep
            case .refused, .unconfirmed: .refused
            }
        }
    }

    /// The four digits that the camera shows while it waits for a tap.
    package var confirmCode: Int? {
        guard case .confirm(let handshake) = state else { return nil }
        return handshake.code
    }

    /// Whether it records, by its last status on this link; nil while unknown.
    package var isRecording: Bool? { live.status?.isRecording }

    /// The next sequence number for a command of ours.
    mutating func nextSequence() -> UInt16 {
        sequence &+= 1
        return sequence
    }

    /// Puts a frame into the effects.
    mutating func send(_ bytes: [UInt8]) {
        credit.count()
        outbox.append(.send(bytes))
    }

    /// Ends the link, and the command under way with it.
    mutating func close(_ reason: CloseReason, at now: Instant) {
        failRun(.notReady, reason.words, at: now)
        // Why it is not welcome says more than that it is not.
        if reason != .notAskedAgain { lastError = reason.words }
        resends.clear()
        state = .closing
        outbox.append(.closeLink(reason))
    }

    /// Reports to the rig where `cameraState` has changed.
    private mutating func announce(at now: Instant) {
        guard cameraState != announced else { return }
        announced = cameraState
        stateSince = now
        outbox.append(.stateChanged)
    }
}
