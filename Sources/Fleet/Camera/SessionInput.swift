package import LineProtocol
package import RadioPort

/// Everything that can happen to one camera's session.
///
/// GPS pushes are not among them: they are the hot path, and go through `CameraSession.offer(_:at:)`.
package enum SessionInput: Equatable, Sendable {
    /// Notifications are on and frames can be written (`RadioEvent.linkOpen`): the handshake begins.
    ///
    /// - `cameraNumber`: for step 4, 0 when the roster has one camera, else 1 to 99.
    /// - `popup`: make the camera ask its user although it knows us (verify_mode 1): pairing by
    ///   command. Otherwise a camera that knows us answers by itself.
    case linkOpen(LinkParameters, cameraNumber: Int, popup: Bool)
    /// The link is down, whoever ended it.
    case linkClosed
    /// One notification of FFF4, as it came.
    case notification([UInt8])
    /// A frame of ours was not taken (`RadioEvent.frameDropped`): a push is uncounted, anything else
    /// is sent again soon.
    case frameDropped([UInt8])
    /// Answered by exactly one `commandDone` with this ticket, at once or later.
    case command(Ticket, CameraCommand)
    /// Something more urgent comes: the command under way fails with these words, another may follow
    /// at once. What it has set in motion is not taken back.
    case interrupt(String)
    /// The rig is about to end the link, or to end altogether: the command under way fails with these
    /// words, no other is taken, nothing but void frames is sent any more.
    case prepareToClose(String)
    /// A person said `reconnect` (or changed the roster): a refusal, unanswered taps and refused modes
    /// are forgotten.
    case forgetRefusal
    /// The instant of `CameraSession.nextDeadline` has come.
    case wake
}

/// Everything that a session wants done, in this order.
package enum SessionEffect: Equatable, Sendable {
    /// One whole frame for this camera's link.
    case send([UInt8])
    /// End the link. Nothing more is sent; the session waits for `linkClosed`.
    case closeLink(CloseReason)
    case commandDone(Ticket, CameraOutcome)
    /// The camera, or the person at it, said yes.
    case consented
    /// A notice about this camera; the rig adds name and instants (`now` of the call).
    case notice(Notice.Kind, [Field])
    /// A recording ended. The rig raises the alarm where the camera did it by itself while others
    /// record.
    case recordingStopped(StopCause)
    /// `CameraSession.cameraState` is another one.
    case stateChanged
}

/// Why a session ends its link.
package enum CloseReason: Equatable, Sendable {
    /// Neither receipt nor consent within 5 s of a step 1 that asks for no tap.
    case noReceipt
    /// Nobody tapped the camera within 60 s.
    case noTap
    /// The camera, or the person at it, said no.
    case refused
    /// No notification for the watchdog's time while ready.
    case silent
    /// No answer to any query for the watchdog's time, while its notifications may go on.
    case unanswered
    /// A sleeping camera's link lives again: only a new handshake makes it listen.
    case awake
    /// The link opened although the camera refused or went unanswered three times.
    case notAskedAgain

    /// In a few words, for status and log.
    package var words: String {
        switch self {
        case .noReceipt: "no answer to the handshake"
        case .noTap: "nobody confirmed on the camera"
        case .refused: "refused on the camera"
        case .silent: "no sign of life"
        case .unanswered: "answers nothing any more"
        case .awake: "woke up on the old link"
        case .notAskedAgain: "not asked again before reconnect"
        }
    }
}

/// Who ended a recording, as far as can be told.
package enum StopCause: String, Sendable, CaseIterable {
    /// A command of ours asked for it.
    case command
    /// The camera or its shutter key.
    case camera
    /// The card is full.
    case card
    /// It was too hot.
    case hot
    /// It ended while there was no link.
    case unseen
}
