package import Clock
import Glibc
package import Reactor

/// Tells systemd how the service is (sd_notify(3)): one datagram each to NOTIFY_SOCKET. Without
/// that socket everything here does nothing.
package final class ServiceNotifier {
    /// Between two STATUS lines.
    static let statusInterval = TimeSpan.seconds(1)

    /// How often systemd wants a sign of life, halved; nil where it wants none.
    package let watchdogInterval: TimeSpan?

    private let address: String?
    private let loop: EventLoop
    /// Owned for as long as this lives; nil without an address.
    private let socket: Descriptor?
    private let number: Int32
    private var told: String?
    private var wanted: String?
    private var lastStatus: Instant?
    private var statusTimer: Timer?
    private var watchdogTimer: Timer?
    private var isAlive: () -> Bool = { false }

    /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
    package convenience init(on loop: EventLoop) {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        self.init(
            address: variable("NOTIFY_SOCKET"), watchdog: variable("WATCHDOG_USEC"),
            watchdogProcess: variable("WATCHDOG_PID"), on: loop)
    }

    /// - Parameters:
    ///   - address: a path, or `@` and an abstract name.
    ///   - watchdog: microseconds as text.
    ///   - watchdogProcess: whom that is meant for; nil for whoever asks.
    init(address: String?, watchdog: String?, watchdogProcess: String?, on loop: EventLoop) {
        let isAddress = address.map { $0.hasPrefix("/") || $0.hasPrefix("@") } ?? false
        let number = isAddress ? Glibc.socket(AF_UNIX, UnixSocket.datagram, 0) : -1
        self.address = number >= 0 ? address : nil
        socket = number >= 0 ? Descriptor(owning: number) : nil
        self.number = number
        self.loop = loop
        let isForUs = watchdogProcess.map { $0 == String(getpid()) } ?? true
        let interval = watchdog.flatMap(Self.halfInterval)
        watchdogInterval = number >= 0 && isForUs ? interval : nil
        statusTimer = Timer(on: loop) { [unowned self] now in sendStatus(at: now) }
        watchdogTimer = Timer(on: loop) { [unowned self] now in
            if isAlive() { send("WATCHDOG=1") }
            watchdogTimer?.set(at: now + (watchdogInterval ?? .seconds(1)))
        }
    }

    /// Half of a watchdog's time; nil for 0 and for what is no number. What exceeds 64 bits of
    /// nanoseconds is as good as 292 years.
    private static func halfInterval(_ text: String) -> TimeSpan? {
        guard let microseconds = UInt64(text), microseconds > 0 else { return nil }
        let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        return TimeSpan(nanoseconds: overflow ? .max : Int64(nanoseconds / 2))
    }

    /// The loop runs; receiver and cameras may come when they come.
    ///
    /// - Parameter isAlive: asked before each sign of life: whether the schedule ticked and the bus
    ///   was served since, or waits for the bus by itself.
    package func ready(isAlive: @escaping () -> Bool) {
        self.isAlive = isAlive
        send("READY=1")
        if let watchdogInterval { watchdogTimer?.set(at: loop.now + watchdogInterval) }
    }

    /// How the service is, in one line: sent when it changes, once a second at most.
    package func setStatus(_ text: String) {
        wanted = text
        guard text != told else { return }
        let due = lastStatus.map { $0 + Self.statusInterval } ?? loop.now
        if due <= loop.now { sendStatus(at: loop.now) } else { statusTimer?.set(at: due) }
    }

    /// The configuration is being read again; ends with `reloaded`.
    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now().nanoseconds / 1000)")
    }

    /// Says that a reload is over.
    package func reloaded() { send("READY=1") }

    /// The end has begun; no sign of life is owed any more.
    package func stopping() {
        watchdogTimer?.cancel()
        statusTimer?.cancel()
        send("STOPPING=1")
    }

    private func sendStatus(at now: Instant) {
        guard let wanted, wanted != told else { return }
        // A line break would begin another assignment.
        let line = wanted.split(separator: "\n").joined(separator: " ")
        send("STATUS=" + line)
        told = wanted
        lastStatus = now
    }

    private func send(_ text: String) {
        guard let address else { return }
        let bytes = Array(text.utf8)
        // Nothing can be done where nobody listens; systemd's own timeouts see to the rest.
        _ = UnixSocket.withAddress(address) { name, length in
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            return Int32(sendto(number, bytes, bytes.count, flags, name, length))
        }
    }
}

/// Whether the daemon does its work: the schedule ticks, and the bus is served or waited for.
package struct Liveness: Sendable {
    private var busTurns: Int?

    /// No socket: nobody is told.
    package init() {}

    /// To be called once a watchdog interval. The first call takes the bus to be alive.
    ///
    /// - Parameters:
    ///   - isTicking: the core's wakes come when they are due.
    ///   - busTurns: messages handled or pings answered since the start.
    ///   - busIsAwaited: the bus is not there, and the radio tries it by itself.
    package mutating func check(isTicking: Bool, busTurns: Int, busIsAwaited: Bool) -> Bool {
        let isServed = self.busTurns != busTurns || busIsAwaited
        self.busTurns = busTurns
        return isTicking && isServed
    }
}
