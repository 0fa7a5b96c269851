import Clock
import Glibc
import LineProtocol
import Reactor

/// Runs a program for each event, one at a time and in the order of the events. A program that
/// hangs is killed, so that it does not delay the alarms behind it.
final class EventPrograms {
    /// Events that may wait while a program runs; where there are more, the oldest are dropped.
    static let maxWaiting = 64

    /// How long a program may take.
    static let patience = TimeSpan.seconds(60)

    private let program: String
    private let patience: TimeSpan
    private let loop: EventLoop
    private var timer: Timer?
    private var waiting: [ReplyLine] = []
    private var running: pid_t?
    private var leftOut = 0

    /// - Parameter program: a path, or a name to be found in PATH.
    init(_ program: String, patience: TimeSpan = patience, on loop: EventLoop) {
        self.program = program
        self.patience = patience
        self.loop = loop
        timer = Timer(on: loop) { [unowned self] _ in giveUp() }
    }

    /// Whether the program exists: a path, or a name in one of PATH's folders.
    static func isRunnable(_ program: String) -> Bool {
        if program.contains("/") { return access(program, X_OK) == 0 }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// No program runs and no event waits.
    var isIdle: Bool { running == nil && waiting.isEmpty }

    func run(for event: ReplyLine) {
        waiting.append(event)
        if waiting.count > Self.maxWaiting {
            waiting.removeFirst()
            leftOut += 1
        }
        startNext()
    }

    /// To be called after SIGCHLD.
    func reap() {
        guard let process = running else { return }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return }
        running = nil
        timer?.cancel()
        startNext()
    }

    /// The end of the killed program is reported by SIGCHLD.
    private func giveUp() {
        guard let running else { return }
        let seconds = LineText.decimal(patience.seconds, decimals: 0)
        ControlCommand.complain("\(program) was killed: it took more than \(seconds) s")
        kill(-running, SIGKILL)
    }

    /// The event's words as the program sees them: GEOTAG_EVENT, GEOTAG_NAME, and GEOTAG_ with each
    /// key in capitals.
    static func environment(_ event: ReplyLine) -> [String] {
        let fields = event.fields.map { field in
            "GEOTAG_" + name(field.key) + "=" + field.value
        }
        return ["GEOTAG_EVENT=\(event.kind)", "GEOTAG_NAME=\(event.name)"] + fields
    }

    private static func name(_ key: String) -> String {
        String(key.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private func startNext() {
        guard running == nil, !waiting.isEmpty else { return }
        if leftOut > 0 {
            ControlCommand.complain("\(program) is too slow: \(leftOut) events left out")
            leftOut = 0
        }
        let event = waiting.removeFirst()
        guard let process = Self.spawn(program, [event.kind, event.name], Self.environment(event))
        else {
            ControlCommand.complain("\(program) cannot be run: \(String(cString: strerror(errno)))")
            return startNext()
        }
        running = process
        timer?.set(at: loop.now + patience)
    }

    /// Starts a program with our environment and more; nil with errno otherwise.
    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String]
    ) -> pid_t? {
        var inherited: [String] = []
        var entry = environ
        while let text = entry.pointee {
            inherited.append(String(cString: text))
            entry += 1
        }
        // Such variables of an outer run would be mistaken for this event's.
        inherited.removeAll { $0.hasPrefix("GEOTAG_") }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program must not inherit our signal mask.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        // The program gets a process group of its own, so that what it starts is killed with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
                | Int16(POSIX_SPAWN_SETPGROUP))
        let words = CStrings([program] + arguments)
        let variables = CStrings(inherited + environment)
        var process = pid_t()
        errno = posix_spawnp(&process, program, nil, &attributes, words.list, variables.list)
        return errno == 0 ? process : nil
    }
}

/// Strings in the form that C functions want: an array of pointers that ends with nil.
final class CStrings {
    var list: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) { list = strings.map { strdup($0) } + [nil] }

    deinit { for string in list { free(string) } }
}
