import Clock
import Reactor

/// A connection that is made again whenever the daemon comes back.
final class DaemonLink {
    /// The time between two tries to connect.
    static let retryInterval = TimeSpan.seconds(1)

    /// Called for each line that comes.
    var heard: (ReplyStream.Line) -> Void = { _ in }
    /// Called after each connection that was made.
    var connected: () -> Void = {}
    /// Called when the connection is lost.
    var lost: () -> Void = {}

    private let path: String
    private let loop: EventLoop
    private var connection: ControlConnection?
    private var retry: Timer?

    /// - Throws: where no daemon answers at first.
    init(to path: String, on loop: EventLoop) throws(ControlFault) {
        self.path = path
        self.loop = loop
        retry = Timer(on: loop) { [unowned self] _ in reconnect() }
        adopt(try ControlConnection(to: path, on: loop))
    }

    var isUp: Bool { connection != nil }

    /// Sends a request; drops it where there is no connection.
    func send(_ line: String) { connection?.send(line) }

    private func adopt(_ new: ControlConnection) {
        connection = new
        new.heard = { [unowned self] line in heard(line) }
        new.closed = { [unowned self] in
            connection = nil
            retry?.set(at: loop.now + Self.retryInterval)
            lost()
        }
    }

    private func reconnect() {
        do throws(ControlFault) {
            adopt(try ControlConnection(to: path, on: loop))
            connected()
        } catch { retry?.set(at: loop.now + Self.retryInterval) }
    }
}
