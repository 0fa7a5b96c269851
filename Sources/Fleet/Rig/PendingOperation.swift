import Clock
import LineProtocol
import OsmoProtocol
import RadioPort

/// A part of a command that the rig itself sees through for one camera.
package struct PendingOperation: Sendable {
    /// For how long the end of a link is awaited before `disconnect` answers `timeout`.
    static let disconnectBound = TimeSpan.seconds(5)
    /// A broadcast that never ends (an adapter holding a Create Connection answers late).
    static let broadcastBound = TimeSpan.seconds(12)
    /// From the end of a broadcast to the camera's advertisement (protocol 3.9).
    static let answerBound = TimeSpan.seconds(8)
    /// From there to a camera that is ready.
    static let readyBound = TimeSpan.seconds(30)
    /// Broadcasts before the camera counts as not to be woken.
    static let rounds = 3

    /// What is awaited.
    enum Goal: Equatable, Sendable {
        /// The link is to be down.
        case disconnect
        /// The camera is to be woken, and to take a picture then where `shooting`.
        case wake(Stage, round: Int, shooting: Bool)
    }

    /// How far waking is.
    enum Stage: Equatable, Sendable {
        /// For an adapter that broadcasts nothing else.
        case queued
        case broadcasting(LinkID)
        case listening
    }

    /// Which one it is, whatever has become of the others.
    struct ID: Equatable, Sendable {
        let ticket: Ticket
        let address: BluetoothAddress
    }

    let id: ID
    var goal: Goal
    var deadline: Instant

    init(ticket: Ticket, address: BluetoothAddress, goal: Goal, deadline: Instant) {
        id = ID(ticket: ticket, address: address)
        self.goal = goal
        self.deadline = deadline
    }

    var ticket: Ticket { id.ticket }
    var address: BluetoothAddress { id.address }
}
