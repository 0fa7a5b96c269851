import Clock
import Foundation
import Glibc
import LineProtocol
import Reactor
import Testing

@testable import Daemon
@testable import Service

@Suite struct LogTests {
    /// A log that writes into a pipe, and what the pipe brought.
    private final class Bench {
        let loop: EventLoop
        let log: Log
        private var ends: [Int32]
        private var text = ""

        init(style: LogStyle = .journal, level: LogLevel = .info) throws {
            Signals.ignorePipe()
            loop = try EventLoop()
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            self.ends = ends
            log = Log(
                to: ends[1], style: style, level: level, on: loop,
                clock: { UnixTime(nanoseconds: 1_782_900_000_100_000_000) })
        }

        deinit { for end in ends { close(end) } }

        func lines() -> [String] {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            while case let count = read(ends[0], &buffer, buffer.count), count > 0 {
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            return text.split(separator: "\n").map(String.init)
        }

        func closeReader() { close(ends.removeFirst()) }

        func tell(_ name: String, _ state: String) {
            log.write(
                Notice(
                    kind: .camera, name: name, fields: [Field("state", state)], instant: .zero,
                    utc: nil))
        }
    }

    @Test("Under journald a line begins with its level's number")
    func underJournaldLineBeginsLevel() throws {
        let bench = try Bench(level: .debug)
        for level in LogLevel.allCases {
            bench.log.write(level, .control, "test", [Field("text", "two words")])
        }
        #expect(
            bench.lines() == (3...7).map { "<\($0)>control event=test text=\"two words\"" })
    }

    @Test("Elsewhere it begins with time and level") func elsewhereBeginsTimeLevel() throws {
        let bench = try Bench(style: .stamped)
        bench.log.write(.warning, .gps, "lost")
        #expect(bench.lines() == ["2026-07-01T10:00:00.100Z warning gps event=lost"])
    }

    @Test("A level lets through what matters as much or more", arguments: LogLevel.allCases)
    func levelLetsThroughWhatMatters(level: LogLevel) throws {
        let bench = try Bench(level: .debug)
        bench.log.level = level
        for each in LogLevel.allCases { bench.log.write(each, .push, each.rawValue) }
        #expect(bench.lines().count == level.severity - 2)
    }

    @Test("Notices are worded as in the events file") func noticesWordedEventsFile() throws {
        let bench = try Bench()
        let notice = Notice(
            kind: .alarm, name: "front", fields: [Field("reason", "card full")], instant: .zero,
            utc: nil)
        bench.log.write(notice)
        bench.log.write(
            Notice(
                kind: .gps, name: "-", fields: [Field("state", "fix3d")], instant: .zero, utc: nil))
        #expect(
            bench.lines() == [
                "<4>camera event=alarm name=front reason=\"card full\"",
                "<5>gps event=gps state=fix3d",
            ])
    }

    @Test("A change of state is always told, however often it comes")
    func changeStateAlwaysTold() throws {
        let bench = try Bench()
        for _ in 0..<20 {
            for state in ["connecting", "handshake", "ready", "backoff"] {
                bench.tell("front", state)
            }
        }
        bench.tell("rear", "ready")
        let lines = bench.lines()
        #expect(lines.count == 81)
        #expect(lines[79] == "<4>camera event=camera name=front state=backoff")
    }

    @Test("A state that is told again and again is folded") func stateToldAgainFolded() throws {
        let bench = try Bench()
        for _ in 0..<20 { bench.tell("front", "absent") }
        #expect(bench.lines().count == 1 + Log.burst)
    }

    @Test("Identical lines are folded, at debug they are not") func identicalLinesFoldedDebugThey()
        throws
    {
        let bench = try Bench()
        for _ in 0..<20 { bench.log.write(.info, .control, "same") }
        #expect(bench.lines().count == Log.burst)
        let verbose = try Bench(level: .debug)
        for _ in 0..<20 { verbose.log.write(.info, .control, "same") }
        #expect(verbose.lines().count == 20)
    }

    @Test("A reader that sleeps loses lines and is told how many") func readerSleepsLosesLinesTold()
        throws
    {
        let bench = try Bench(level: .debug)
        let text = String(repeating: "x", count: 1000)
        for count in 0..<1000 {
            bench.log.write(.info, .control, "fill", [Field("text", text + "\(count)")])
        }
        var before = -1
        while case let count = bench.lines().count, count != before {
            before = count
            bench.loop.turn(until: MonotonicClock.now() + .milliseconds(50))
        }
        #expect(before < 500 && before * 1000 > Log.bound)
        bench.log.write(.info, .control, "awake")
        let last = bench.lines().suffix(2)
        #expect(last.first == "<4>daemon event=log lost=\(1000 - before)")
        #expect(last.last == "<6>control event=awake")
    }

    @Test("A reader that went is no trouble") func readerWentNoTrouble() throws {
        let bench = try Bench()
        bench.closeReader()
        for count in 0..<10 { bench.log.write(.info, .control, "\(count)") }
        bench.loop.turn(until: MonotonicClock.now() + .milliseconds(10))
    }

    @Test("A file is written without waiting") func fileWrittenWithoutWaiting() throws {
        let loop = try EventLoop()
        let folder = try TemporaryFolder()
        let file = open(folder.path + "/log", O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let log = Log(to: file, style: .journal, level: .info, on: loop)
        log.write(.info, .daemon, "hello")
        log.drain(until: MonotonicClock.now() + .seconds(5))
        #expect(folder.text("log") == "<6>daemon event=hello\n")
    }

    @Test("A reader that cannot be asked without waiting holds up nobody")
    func readerThatMakesWaitHoldsUpNobody() throws {
        Signals.ignorePipe()
        let loop = try EventLoop()
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let output = TextOutput(ends[1], on: loop, bound: 1 << 20, mayReopen: false)
        let line = [UInt8](repeating: 0x78, count: 1023) + [0x0A]
        for _ in 0..<500 { #expect(output.send(line)) }
        #expect(fcntl(ends[1], F_GETFL) & O_NONBLOCK == 0, "a shell may share it")
        // The pipe is full and nobody reads: lines wait without holding up the loop.
        output.drain(until: MonotonicClock.now() + .milliseconds(20))
        #expect(output.queued > 400_000)
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while received < 500 * 1024 {
            received += read(ends[0], &buffer, buffer.count)
            loop.turn(until: MonotonicClock.now() + .milliseconds(1))
        }
        output.drain(until: MonotonicClock.now() + .seconds(5))
        #expect(output.queued == 0 && output.total == 500 * 1024)
        output.stop()
        for end in ends { close(end) }
    }

    @Test("Lines that are shown and lost are counted with those of the log")
    func shownLinesCounted() throws {
        let bench = try Bench()
        let text = String(repeating: "x", count: 1000)
        for _ in 0..<400 { bench.log.show([text, text]) }
        var before = -1
        while case let count = bench.lines().count, count != before {
            before = count
            bench.loop.turn(until: MonotonicClock.now() + .milliseconds(50))
        }
        bench.log.write(.info, .control, "awake")
        #expect(bench.lines().suffix(2).first == "<4>daemon event=log lost=\(800 - before)")
    }

    @Test("journald is known by the stream that it names") func journaldKnownStreamNames() {
        #expect(LogStyle.suiting(STDERR_FILENO) == .stamped)
    }
}
