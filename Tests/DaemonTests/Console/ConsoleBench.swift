import Clock
import Foundation
import Glibc
import LineProtocol
import Reactor
import Service
import Testing

@testable import Daemon

/// A console on a real loop, with a host that answers as the test wants.
final class ConsoleBench: ConsoleHost {
    let loop: EventLoop
    let log: Log
    let folder: TemporaryFolder
    private var made: Console?
    var console: Console { made! }
    /// What the host was asked, in order.
    var commands: [(ticket: Ticket, command: FleetCommand, target: Target)] = []
    var daemonCommands: [(ticket: Ticket, command: DaemonCommand)] = []
    /// Whether the host answers commands at once; otherwise the test answers.
    var answersAtOnce = true
    private let logFile: Int32

    init() throws {
        loop = try EventLoop()
        folder = try TemporaryFolder()
        Signals.ignorePipe()
        logFile = Glibc.open(folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        log = Log(to: logFile, style: .journal, level: .info, on: loop)
        made = Console(host: self, log: log, on: loop)
    }

    deinit {
        made?.close()
        made = nil
        close(logFile)
    }

    var socketPath: String { folder.path + "/control.sock" }
    var fifoPath: String { folder.path + "/command" }
    var logText: String {
        log.drain(until: MonotonicClock.now() + .seconds(5))
        return folder.text("log") ?? ""
    }

    /// Opens the console as the daemon does at its start.
    func open(socket: Bool = true, fifo: Bool = false, group: String? = nil) throws(ConsoleFault) {
        var control = Configuration.Control()
        control.socket = socket ? socketPath : nil
        control.fifo = fifo ? fifoPath : nil
        control.group = group
        console.adopt(try PreparedTransports(control))
    }

    /// Turns the loop until `isDone`, for at most five seconds.
    func turn(until isDone: () -> Bool) -> Bool {
        let end = MonotonicClock.now() + .seconds(5)
        while !isDone() {
            if MonotonicClock.now() >= end { return false }
            loop.turn(until: min(end, MonotonicClock.now() + .milliseconds(100)))
        }
        return true
    }

    /// Turns the loop until everything that is due has happened.
    func settle() {
        for _ in 0..<20 { loop.turn(until: MonotonicClock.now() + .milliseconds(1)) }
    }

    func submit(_ ticket: Ticket, _ command: FleetCommand, _ target: Target, at now: Instant) {
        commands.append((ticket, command, target))
        if answersAtOnce { answer(ticket, command.verb.name) }
    }

    func answer(_ ticket: Ticket, _ verb: String) {
        console.reply(
            ticket, ReplyLine(kind: verb, name: "front", fields: [Field("result", "ok")]))
        console.replyEnd(ticket, .ok)
    }

    func perform(_ ticket: Ticket, _ command: DaemonCommand, at now: Instant) {
        daemonCommands.append((ticket, command))
        console.replyEnd(ticket, .ok)
    }

    func status(at now: Instant) -> DaemonStatus { SampleStatus.make() }
}

/// A client at the control socket.
final class SocketPeer {
    let number: Int32
    private let bench: ConsoleBench
    private(set) var received: [UInt8] = []
    private(set) var isClosed = false

    init(_ bench: ConsoleBench) throws {
        self.bench = bench
        number = socket(AF_UNIX, UnixSocket.stream, 0)
        let result = UnixSocket.withAddress(bench.socketPath) { connect(number, $0, $1) }
        try #require(result == 0, "\(SystemError.last)")
    }

    deinit { close() }

    func close() {
        if number >= 0, !isClosed { Glibc.close(number) }
        isClosed = true
    }

    func halfClose() { shutdown(number, Int32(SHUT_WR)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Int { Glibc.write(number, bytes, bytes.count) }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// Reads what has come; false at the end of the connection.
    @discardableResult
    func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(number, &buffer, buffer.count)
            if count == 0 { return false }
            if count < 0 { return errno == EAGAIN }
            received += buffer[..<count]
        }
    }

    var lines: [String] {
        String(decoding: received, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Everything that came until so many replies have ended.
    func replies(_ count: Int = 1) -> [String] {
        let ok = bench.turn {
            read()
            return lines.filter(Self.isEnd).count >= count
        }
        #expect(ok, "no \(count) replies in \(lines)")
        return lines
    }

    /// Whether the daemon closes the connection.
    func seesEnd() -> Bool { bench.turn { !read() } }

    static func isEnd(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        let first = words.first?.hasPrefix("#") == true ? words.dropFirst().first : words.first
        return first == "OK" || first == "ERR"
    }
}
