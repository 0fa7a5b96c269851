internal import Clock
internal import LineProtocol
internal import OsmoProtocol

/// The rig's orderly end (`at_exit`, contract 7.3).
///
/// | stage | until | then |
/// | --- | --- | --- |
/// | voids | the burst is out | recordings stopped and cameras sent to sleep as configured |
/// | commands | all answered, or 2 s | every link of ours is ended |
/// | links | all down, or 1.5 s | finished |
package struct Shutdown: Sendable {
    /// For how long cameras may answer.
    static let commandBound = TimeSpan.seconds(2)
    /// For how long the ends of links are awaited: BlueZ takes a second and more.
    static let linkBound = TimeSpan.milliseconds(1500)

    enum Stage: Equatable, Sendable {
        case voids
        case commands
        case links
        case finished
    }

    /// Commands of our own have tickets from the top, where nobody else's are.
    private static let ticketBase = UInt64.max - 200

    var stage = Stage.voids
    var deadline: Instant
    /// Who owes an answer, to which ticket.
    var waiting: [(ticket: Ticket, address: BluetoothAddress, command: CameraCommand)] = []
    private var issued: UInt64 = 0

    init(deadline: Instant) { self.deadline = deadline }

    mutating func ticket() -> Ticket {
        issued += 1
        return Ticket(number: Self.ticketBase + issued % 200)
    }
}
