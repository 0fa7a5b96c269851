import Clock
import OsmoProtocol

extension CameraSession {
    /// Where the conversation stands. What is remembered between links stands beside it.
    enum State: Equatable, Sendable {
        /// No link.
        case closed
        /// Step 1 is out.
        case handshake(Handshake)
        /// The camera shows the code and waits for a tap.
        case confirm(Handshake)
        /// Step 4 and the version query have been sent; the answer to the query is awaited until
        /// this instant.
        case identifying(until: Instant)
        /// The subscription is out; no status yet.
        case subscribing(Subscribing)
        /// GPS streams, commands are taken.
        case ready(Watching)
        /// The link stands, the camera sleeps: not one byte.
        case asleep(Sleeping)
        /// The link is to end; nothing counts before it has.
        case closing
    }

    /// A handshake before its step 3.
    struct Handshake: Equatable, Sendable {
        /// Of step 1.
        var sequence: UInt16
        /// Four digits, as the camera shows them.
        var code: Int
        /// The camera asks its user in any case.
        var popup: Bool
        /// When step 2, later the tap, has to have come.
        var until: Instant
        /// When the camera is taken to be asking its user; nil while nothing says that it may.
        var asksAt: Instant?
        /// Step 2 came.
        var isReceived = false
    }

    /// A record command that was interrupted after it went out: the camera may still obey it.
    struct Unsettled: Equatable, Sendable {
        /// It starts a recording.
        var starts: Bool
        /// Nothing more is expected of it from then on.
        var until: Instant
    }

    /// The subscription while not ready.
    struct Subscribing: Equatable, Sendable {
        /// Subscriptions after the first.
        var again: Int
        /// When the next is due.
        var next: Instant
    }

    /// What a ready camera is watched for.
    struct Watching: Equatable, Sendable {
        /// Since when it is ready.
        var since: Instant
        /// The last subscription.
        var subscribed: Instant
        /// Whether anything was heard since.
        var heard: Bool
        /// Version queries in this silence.
        var queries: Int
        /// The last of them.
        var queried: Instant
    }

    /// A camera asleep behind a standing link.
    struct Sleeping: Equatable, Sendable {
        /// When its status said so.
        var since: Instant
        /// Status pushes in a row that say it is awake, late ones aside.
        var awakeStatuses: Int
    }
}
