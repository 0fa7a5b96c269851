package import Clock
import Glibc
package import LineProtocol
package import Reactor
package import Service

/// The daemon's log, one line an event: `CATEGORY event=KIND name=NAME key=value …`.
///
/// Five levels; repeats are folded and counted (`LogFold`), changes of state never are; what nobody
/// reads is dropped and counted, since the log must never hold up a push.
package final class Log {
    /// What is said, and all that matters more.
    package var level: LogLevel

    /// Identical lines in a minute before they are folded.
    static let burst = 5
    /// States that are remembered at once, to know a change.
    static let maxStates = 512
    /// Bytes that may wait for a slow reader.
    static let bound = 256 * 1024

    private let style: LogStyle
    private let output: TextOutput
    private let loop: EventLoop
    private let clock: () -> UnixTime
    private var fold = LogFold()
    /// The state that was logged last, by kind and name.
    private var states: [String: String] = [:]
    private var timer: Timer?
    private var lost = 0

    /// - Parameters:
    ///   - number: where to; stays open for as long as this lives.
    ///   - clock: the system clock, for the stamps.
    package init(
        to number: Int32 = STDERR_FILENO, style: LogStyle, level: LogLevel, on loop: EventLoop,
        clock: @escaping () -> UnixTime = Log.systemTime
    ) {
        self.style = style
        self.level = level
        self.loop = loop
        self.clock = clock
        output = TextOutput(number, on: loop, bound: Self.bound)
        timer = Timer(on: loop) { [unowned self] now in tellFolded(at: now) }
    }

    /// Logs something that is no notice.
    package func write(
        _ level: LogLevel, _ category: LogCategory, _ event: String, _ fields: [Field] = []
    ) {
        guard level <= self.level else { return }
        let text = Self.text(category, [Field("event", event)] + fields)
        write(level, text, key: text, burst: Self.burst)
    }

    /// Logs a notice in the words of the events file and of `events on`.
    package func write(_ notice: Notice) {
        let level = notice.logLevel
        guard level <= self.level else { return }
        var fields = [Field("event", notice.kind.rawValue)]
        if notice.name != "-" { fields.append(Field("name", notice.name)) }
        let text = Self.text(notice.category, fields + notice.fields)
        // Whoever reads the log takes the last state for the present one.
        if let state = notice.value("state") {
            let key = notice.kind.rawValue + " " + notice.name
            let isChange = states[key] != state
            if states.count >= Self.maxStates { states.removeAll(keepingCapacity: true) }
            states[key] = state
            if isChange { return put(LogFold.Line(severity: level.severity, text: text)) }
        }
        write(level, text, key: text, burst: Self.burst)
    }

    /// Shows lines that are no log lines on the same descriptor; lost ones are counted with those.
    package func show(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        if !output.send(Array(text.utf8)) { lost += lines.count }
    }

    /// Blocks until what waits is out, at most until `deadline`: for the end of a run.
    package func drain(until deadline: Instant) { output.drain(until: deadline) }

    /// The system clock, right or wrong.
    package static func systemTime() -> UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private static func text(_ category: LogCategory, _ fields: [Field]) -> String {
        var text = category.rawValue
        for field in fields { text += " " + field.key + "=" + LineText.value(field.value) }
        return text
    }

    private func write(_ level: LogLevel, _ text: String, key: String, burst: Int) {
        let line = LogFold.Line(severity: level.severity, text: text)
        // Whoever asks for debug wants to see all of it.
        guard self.level == .debug || fold.admits(line, key: key, burst: burst, at: loop.now)
        else {
            timer?.set(at: fold.nextDeadline)
            return
        }
        put(line)
    }

    private func tellFolded(at now: Instant) {
        for (line, folded) in fold.removeDue(at: now) {
            put(LogFold.Line(severity: line.severity, text: line.text + " repeated=\(folded)"))
        }
        timer?.set(at: fold.nextDeadline)
    }

    private func put(_ line: LogFold.Line) {
        if lost > 0 {
            let text = Self.text(.daemon, [Field("event", "log"), Field("lost", String(lost))])
            guard send(LogFold.Line(severity: LogLevel.warning.severity, text: text)) else {
                lost += 1
                return
            }
            lost = 0
        }
        if !send(line) { lost += 1 }
    }

    private func send(_ line: LogFold.Line) -> Bool {
        let head: String
        switch style {
        case .journal: head = "<\(line.severity)>"
        case .stamped:
            let level = LogLevel.allCases.first { $0.severity == line.severity } ?? .info
            head = LineText.instant(clock()) + " " + level.rawValue + " "
        }
        return output.send(Array((head + line.text + "\n").utf8))
    }
}
