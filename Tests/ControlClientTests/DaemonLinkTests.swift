import Clock
import ControlClient
import LineProtocol
import Reactor
import Testing

/// The link to the daemon: answers belong to their questions, and it comes back by itself.
@Suite struct DaemonLinkTests {
    private typealias Outcome = Result<DaemonLink.Answer, ControlFault>

    private func turn(_ loop: EventLoop, until isDone: () -> Bool) {
        let limit = MonotonicClock.now() + .seconds(10)
        while !isDone(), MonotonicClock.now() < limit { loop.turn(until: limit) }
    }

    @Test("Each answer goes to its question, and events to nobody's")
    func answersInOrder() throws {
        let loop = try EventLoop()
        let daemon = ScriptedDaemon(on: loop)
        daemon.answer = { request in
            switch request {
            case "gps": "gps - state=fix3d\n! gps - state=nofix\nOK\n"
            case "forget x": "ERR no-camera who is x\n"
            default: "OK\n"
            }
        }
        let link = try DaemonLink(to: daemon.path, on: loop)
        var outcomes: [Outcome] = []
        var events: [ReplyStream.Line] = []
        link.heard = { events.append($0) }
        link.ask("gps") { outcomes.append($0) }
        link.ask("forget x") { outcomes.append($0) }
        turn(loop) { outcomes.count == 2 }
        #expect(
            outcomes == [
                .success(.init(lines: ["gps - state=fix3d"], end: .ok)),
                .success(.init(lines: [], end: .error(.noCamera, "who is x"))),
            ])
        #expect(events == [.event("gps - state=nofix")])
    }

    @Test("A link may wait for a daemon that comes later, and finds it again")
    func waits() throws {
        let loop = try EventLoop()
        let daemon = ScriptedDaemon(on: loop)
        daemon.stop()
        let link = DaemonLink(waitingFor: daemon.path, on: loop)
        var connections = 0
        var losses = 0
        link.connected = { connections += 1 }
        link.lost = { losses += 1 }
        loop.turn(until: loop.now + .milliseconds(100))
        let isSent = link.ask("gps") { _ in }
        #expect(!isSent && !link.isUp)
        daemon.listen()
        turn(loop) { connections == 1 }
        #expect(link.isUp)
        // The daemon has to have seen the client before it can close the connection.
        var answers = 0
        link.ask("gps") { _ in answers += 1 }
        turn(loop) { answers == 1 }
        var fault: Outcome?
        daemon.answer = { _ in nil }
        link.ask("status") { fault = $0 }
        turn(loop) { daemon.requests.last == "status" }
        daemon.stop()
        turn(loop) { fault != nil }
        #expect(fault == .failure(.gone))
        #expect(losses == 1)
        daemon.listen()
        turn(loop) { connections == 2 }
        #expect(connections == 2)
    }

    @Test("Silence ends the connection and everything that waits on it")
    func silence() throws {
        let loop = try EventLoop()
        let daemon = ScriptedDaemon(on: loop)
        daemon.answer = { _ in nil }
        let link = try DaemonLink(to: daemon.path, on: loop)
        var outcomes: [Outcome] = []
        link.ask("pair 60", patience: .seconds(60)) { outcomes.append($0) }
        link.ask("status json", patience: .milliseconds(30)) { outcomes.append($0) }
        turn(loop) { outcomes.count == 2 }
        #expect(outcomes == [.failure(.silent(seconds: 0)), .failure(.silent(seconds: 0))])
        #expect(!link.isUp)
    }

    @Test("The questions that wait are bounded")
    func bound() throws {
        let loop = try EventLoop()
        let daemon = ScriptedDaemon(on: loop)
        let link = try DaemonLink(to: daemon.path, on: loop)
        var answers = 0
        for _ in 0..<DaemonLink.maxQuestions {
            let isSent = link.ask("gps") { _ in answers += 1 }
            #expect(isSent)
        }
        let isSurplus = link.ask("gps") { _ in }
        #expect(!isSurplus)
        turn(loop) { answers == DaemonLink.maxQuestions }
        #expect(answers == DaemonLink.maxQuestions)
        let isAgain = link.ask("gps") { _ in }
        #expect(isAgain)
    }
}
