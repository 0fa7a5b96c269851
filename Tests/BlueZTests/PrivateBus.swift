import Clock
import Glibc
import Reactor

/// A dbus-daemon for one test, in a folder of its own; both are removed with it.
final class PrivateBus {
    let address: String
    private let folder: String
    private var process: pid_t = 0

    init() throws {
        var template = Array("/tmp/geotagd-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        address = "unix:path=\(folder)/bus"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
            """
        let file = Descriptor(
            owning: open("\(folder)/bus.conf", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        _ = try file.write(Array(configuration.utf8))
        try start()
    }

    deinit {
        stop()
        for name in ["bus.conf", "bus"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    /// Starts the daemon, also after `stop`; returns when it listens.
    func start() throws {
        let pipe = Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd, 3)
        // The daemon complains on stderr that it may not raise its limits.
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let words = [
            "dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile",
            "--print-address=3",
        ]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let result = posix_spawnp(&process, "dbus-daemon", &actions, nil, &arguments, environ)
        guard result == 0 else { throw SystemError(code: result) }
        pipe.closeWriteEnd()
        var line: UInt8 = 0
        // The daemon prints its address when it listens. If it dies instead, the read ends.
        while read(pipe.readEnd, &line, 1) == 1, line != UInt8(ascii: "\n") {}
        guard line == UInt8(ascii: "\n") else { throw SystemError(code: ECHILD) }
    }

    /// Stops the daemon's process, or lets it go on.
    func pause(_ isPaused: Bool) { kill(process, isPaused ? SIGSTOP : SIGCONT) }

    func stop() {
        guard process > 0 else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        process = 0
    }
}

/// A blocking pipe that children do not inherit.
private final class Pipe {
    let readEnd: Int32
    private(set) var writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no pipe")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        closeWriteEnd()
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }
}

extension EventLoop {
    /// Turns the loop until a condition holds; false if it does not within `limit`.
    func turn(within limit: TimeSpan = .seconds(10), until condition: () -> Bool) -> Bool {
        let end = MonotonicClock.now() + limit
        while !condition() {
            if now >= end { return false }
            turn(until: end)
        }
        return true
    }

    /// Turns the loop for `time`.
    func turn(for time: TimeSpan) {
        let end = MonotonicClock.now() + time
        while now < end { turn(until: end) }
    }
}
