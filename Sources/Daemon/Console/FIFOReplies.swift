import Clock
import LineProtocol
import Reactor

/// The answers to what came through a FIFO: log lines, ten a second, the rest counted.
final class FIFOReplies {
    /// Lines that are written within a second.
    static let linesInSecond = 10

    private let log: Log
    private let loop: EventLoop
    private var second = Instant.zero
    private var written = 0
    private var folded = 0
    private var timer: Timer?

    init(log: Log, on loop: EventLoop) {
        self.log = log
        self.loop = loop
        timer = Timer(on: loop) { [unowned self] _ in tell() }
    }

    func write(_ line: String) {
        if loop.now - second >= .seconds(1) {
            tell()
            second = loop.now
            written = 0
        }
        guard written < Self.linesInSecond else {
            folded += 1
            timer?.set(at: second + .seconds(1))
            return
        }
        written += 1
        let isError = line.hasPrefix("ERR ") || line.contains(" ERR ")
        log.write(isError ? .warning : .info, .control, "reply", [Field("line", line)])
    }

    private func tell() {
        guard folded > 0 else { return }
        log.write(.warning, .control, "reply", [Field("folded", String(folded))])
        folded = 0
    }
}
