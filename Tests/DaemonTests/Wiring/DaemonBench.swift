import Clock
import Fleet
import Foundation
import Glibc
import LineProtocol
import OsmoProtocol
import RadioPort
import Reactor
import Service
import Testing

@testable import Daemon

/// A radio and a feed that do nothing but remember what was asked of them.
final class SilentHardware: FleetRadio, PositionFeed {
    var requests: [RadioRequest] = []
    var isStarted = false
    var isClosed = false
    var devices: [String?] = []

    func start() { isStarted = true }
    func stop() { isStarted = false }
    func listen(to device: String?) { devices.append(device) }
    func perform(_ request: RadioRequest) { requests.append(request) }
    func write(_ frame: [UInt8], to links: [LinkID]) {}
    func close() { isClosed = true }
    var isBusConnected: Bool { true }
    var busMessages: Int { 0 }
    func pingBus() {}
}

/// A daemon without hardware on a real loop, with its console on a real socket.
final class DaemonBench {
    let loop: EventLoop
    let folder: TemporaryFolder
    let daemon: Daemon
    let hardware = SilentHardware()
    private let logFile: Int32

    init(_ text: String = "") throws {
        Signals.ignorePipe()
        loop = try EventLoop()
        folder = try TemporaryFolder()
        logFile = open(folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let log = Log(to: logFile, style: .journal, level: .info, on: loop)
        let path = folder.path + "/geotagd.conf"
        try folder.write(Self.complete(text, folder.path), to: "geotagd.conf")
        let configuration = try Configuration.load(path, mayBeMissing: false)
        let launchState = Daemon.LaunchState(
            identity: ControllerIdentity(deviceID: 1, address: BluetoothAddress(value: 2)),
            seed: 1, buildDate: Version.date, rosterFile: RosterFile(directory: folder.path),
            configurationPath: path)
        daemon = try Daemon(
            configuration: configuration, launchState: launchState, paired: [], log: log, on: loop)
        let console = Console(host: daemon, log: log, on: loop)
        daemon.console = console
        daemon.attach(radio: hardware, feed: hardware)
        console.adopt(try PreparedTransports(configuration.control))
        daemon.start()
    }

    deinit {
        daemon.console?.close()
        // Otherwise its thread makes the folder again after it was removed.
        daemon.track?.close()
        close(logFile)
    }

    /// A configuration whose files all lie in `folder`.
    static func complete(_ text: String, _ folder: String) -> String {
        """
        [control]
        fifo = none
        socket = \(folder)/control.sock
        [track]
        directory = \(folder)/tracks
        [state]
        directory = \(folder)/state
        \(text)
        """
    }

    func configure(_ text: String) throws {
        try folder.write(Self.complete(text, folder.path), to: "geotagd.conf")
    }

    var logText: String {
        daemon.log.drain(until: MonotonicClock.now() + .seconds(5))
        return folder.text("log") ?? ""
    }

    /// Turns the loop until `isDone`, for at most five seconds.
    @discardableResult
    func turn(until isDone: () -> Bool) -> Bool {
        let end = MonotonicClock.now() + .seconds(5)
        while !isDone() {
            if MonotonicClock.now() >= end { return false }
            loop.turn(until: min(end, MonotonicClock.now() + .milliseconds(100)))
        }
        return true
    }

    /// Sends one request over the socket and returns the whole answer.
    func ask(_ line: String, at path: String? = nil) -> [String] {
        let number = socket(AF_UNIX, UnixSocket.stream, 0)
        defer { close(number) }
        let place = path ?? folder.path + "/control.sock"
        guard UnixSocket.withAddress(place, { connect(number, $0, $1) }) == 0 else {
            return ["\(SystemError.last)"]
        }
        let text = line + "\n"
        _ = write(number, text, text.utf8.count)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        var lines: [String] = []
        turn {
            let count = read(number, &buffer, buffer.count)
            if count > 0 { received += buffer[..<count] }
            lines = String(decoding: received, as: UTF8.self).split(separator: "\n").map(
                String.init)
            return count == 0 || lines.last.map { $0 == "OK" || $0.hasPrefix("ERR ") } ?? false
        }
        return lines
    }
}
