package import Navigation
package import OsmoProtocol

/// One camera's conversation once its link is open, and what is remembered of it between links.
///
/// Pure: inputs with an instant in, effects out. Everything around it (who is connected when, by way
/// of which adapter, who a command is for) is the rig's.
package struct CameraSession: Sendable {
    /// What may be done about connecting this camera, as far as its past goes.
    package enum Standing: Equatable, Sendable {
        /// Connect it.
        case welcome
        /// It sleeps since that instant: it will not answer before it wakes; seen advertising, it has.
        case asleep(since: Instant)
        /// It refused us: not before `reconnect`.
        case refused
        /// It asked for a tap three times and nobody came: not before `reconnect`.
        case untapped
    }

    /// What a GPS frame says.
    package enum PushKind: Sendable { case position, void }

    /// How long after falling asleep a camera can be woken by broadcast (protocol 3.9).
    package static let wakeWindow = Span.seconds(30 * 60)

    /// How the rig should treat the camera; outlives links.
    package private(set) var standing = Standing.welcome
    /// `handshake`, `confirm`, `ready`, `asleep`, `refused`; nil without a link and a memory that
    /// counts, when the rig knows better (absent, connecting, backoff).
    package private(set) var cameraState: CameraState?
    /// Since when.
    package private(set) var stateSince = Instant.zero
    /// By its own word in step 3 of a handshake; nil before the first.
    package private(set) var model: CameraModel?
    /// The four digits that the camera shows while it waits for a tap.
    package private(set) var confirmCode: Int?
    /// By the last status of this link; nil while unknown.
    package private(set) var isRecording: Bool?
    /// Position frames handed to its links, since start.
    package private(set) var pushed = 0
    /// Frames that a link did not take, or that were withheld while paused.
    package private(set) var dropped = 0
    /// Void frames handed to its links.
    package private(set) var voids = 0

    private var rate: Int
    private var watchdog: Span
    private var generator: SeededGenerator

    /// - Parameters:
    ///   - settings: identity, rate and watchdog count here.
    ///   - generator: feeds confirmation codes; one of its own for each camera.
    package init(settings: RigSettings, generator: SeededGenerator) {
        rate = settings.rate
        watchdog = settings.watchdog
        self.generator = generator
    }

    /// Takes over what a reload changed.
    package mutating func apply(_ settings: RigSettings) {
        rate = settings.rate
        watchdog = settings.watchdog
    }

    /// What happens, and what is to be done about it, in this order.
    ///
    /// - Parameter now: never earlier than at the call before.
    package mutating func handle(_ input: SessionInput, at now: Instant) -> [SessionEffect] { [] }

    /// When `wake` has to come; nil while only inputs can change anything.
    package var nextDeadline: Instant? { nil }

    /// Whether a GPS push would go out now: ready, not about to sleep, and credit left.
    package var mayPush: Bool { false }

    /// Asks whether this camera takes part in the push that goes out now, and counts it: as pushed or
    /// void when it does, as dropped when it is withheld for want of credit, not at all when the
    /// camera is not ready.
    ///
    /// - Returns: whether to write the frame to its link.
    package mutating func offer(_ kind: PushKind, at now: Instant) -> Bool { false }

    /// Modes that can be asked for by command: those of its model and lens group, without those that
    /// it refused or did not confirm; empty before its model is known.
    package var offeredModes: [CameraMode] { [] }

    /// Fills in what the session knows. Leaves `state` and `stateSince` alone while `cameraState` is
    /// nil; `name`, `number`, `address`, `adapter`, `rssi` and `optional` are the rig's.
    package func describe(_ summary: inout CameraSummary, at now: Instant) {}
}
