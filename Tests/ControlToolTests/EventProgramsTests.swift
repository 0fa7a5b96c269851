import Clock
import Foundation
import Glibc
import LineProtocol
import Reactor
import Testing

@testable import ControlTool

@Suite struct EventProgramsTests {
    private let event = ReplyLine(kind: "alarm", name: "front", fields: [Field("reason", "hot")])

    /// A script in a folder of its own, and what it writes there.
    private final class Script {
        let path: String
        let traces: String

        init(_ text: String) throws {
            let folder =
                FileManager.default.temporaryDirectory.path + "/geotagd-" + UUID().uuidString
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            path = folder + "/program"
            traces = folder + "/traces"
            let whole = "#!/bin/sh\ntraces=\(traces)\n" + text
            // Another process writes the program: a test that forks just then would keep a file open
            // that is written here, and what is open for writing cannot be run.
            let text = folder + "/text"
            try whole.write(toFile: text, atomically: false, encoding: .utf8)
            let copy = Process()
            copy.executableURL = URL(fileURLWithPath: "/bin/cp")
            copy.arguments = [text, path]
            try copy.run()
            copy.waitUntilExit()
            chmod(path, 0o755)
        }

        deinit {
            try? FileManager.default.removeItem(
                atPath: (path as NSString).deletingLastPathComponent)
        }

        var lines: [String] {
            ((try? String(contentsOfFile: traces, encoding: .utf8)) ?? "")
                .split(separator: "\n").map(String.init)
        }
    }

    private func finish(_ programs: EventPrograms, on loop: EventLoop) -> Bool {
        let end = MonotonicClock.now() + .seconds(60)
        while !programs.isIdle {
            if MonotonicClock.now() >= end { return false }
            loop.turn(until: MonotonicClock.now() + .milliseconds(10))
            programs.reap()
        }
        return true
    }

    @Test("Each event has its program, one after the other, with its fields")
    func eachEventHasProgramOne() throws {
        let script = try Script(
            "echo begin $1 $2 $GEOTAG_EVENT $GEOTAG_NAME $GEOTAG_REASON >> $traces\n"
                + "echo end >> $traces\n")
        let loop = try EventLoop()
        let programs = EventPrograms(script.path, patience: .seconds(60), on: loop)
        for _ in 0..<3 { programs.run(for: event) }
        #expect(finish(programs, on: loop))
        let once = ["begin alarm front alarm front hot", "end"]
        #expect(script.lines == once + once + once)
    }

    @Test("One that hangs is killed with all that it started, and the next has its turn")
    func oneHangsKilledAllStarted()
        throws
    {
        let script = try Script(
            "echo $2 >> $traces\n[ $2 = stuck ] && sleep 600\necho end >> $traces\n")
        let loop = try EventLoop()
        // Long enough for a busy machine to start the program that does not hang.
        let programs = EventPrograms(script.path, patience: .seconds(5), on: loop)
        var stuck = event
        stuck.name = "stuck"
        programs.run(for: stuck)
        programs.run(for: event)
        #expect(finish(programs, on: loop))
        #expect(script.lines == ["stuck", "front", "end"])
    }

    @Test("More events than may wait push the oldest out") func moreEventsThanMayWait() throws {
        let script = try Script("echo $2 >> $traces\n")
        let loop = try EventLoop()
        let programs = EventPrograms(script.path, on: loop)
        let count = EventPrograms.maxWaiting + 2
        for number in 0..<count {
            var event = event
            event.name = "\(number)"
            programs.run(for: event)
        }
        #expect(finish(programs, on: loop))
        // The first event ran at once, and one of the waiting ones was dropped.
        #expect(script.lines == ["0"] + (2..<count).map { "\($0)" })
    }

    @Test("A program that cannot be run is known before the first event") func runnable() throws {
        let script = try Script("true\n")
        #expect(EventPrograms.isRunnable(script.path))
        #expect(EventPrograms.isRunnable("sh"))
        #expect(!EventPrograms.isRunnable(script.path + "-not"))
        #expect(!EventPrograms.isRunnable("no-such-program-at-all"))
        chmod(script.path, 0o644)
        // Root may run any file that somebody may run.
        #expect(!EventPrograms.isRunnable(script.path))
    }

    @Test("A program that is not there is no end") func programNotThereNoEnd() throws {
        let loop = try EventLoop()
        let programs = EventPrograms("/nowhere/at/all", on: loop)
        programs.run(for: event)
        programs.run(for: event)
        #expect(programs.isIdle)
    }
}
