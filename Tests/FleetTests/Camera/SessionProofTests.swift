import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

/// A camera whose receiving side hangs while it goes on sending notifications (decision 60).
@Suite("Answers prove that pushes arrive")
struct SessionProofTests {
    /// What happened in a stream of pushes.
    struct Stream {
        var pushes = 0
        var queries = 0
        /// The greatest number of frames that were sent without an answer.
        var maxOut = 0
    }

    /// Pushes at 10 Hz with status pushes at 2 Hz.
    ///
    /// - Parameter answers: whether version queries are answered, 100 ms after they came.
    static func stream(
        _ script: inout SessionScript, seconds: Double, answers: Bool, status: Bool = true
    ) -> Stream {
        var stream = Stream()
        let asked = script.count(.version)
        var answered = asked
        var out = 0
        for tick in 0..<Int(seconds * 10) {
            script.pass(.milliseconds(100))
            if answers, script.count(.version) > answered {
                answered = script.count(.version)
                script.answerVersion()
                out = 0
            }
            if status, tick % 5 == 0 { script.hear(CameraStatus.video) }
            guard script.closings.isEmpty else { break }
            if script.session.offer(.position, at: script.now) {
                stream.pushes += 1
                out += 1
            }
            stream.queries = script.count(.version) - asked
            stream.maxOut = max(stream.maxOut, answers ? out : out + stream.queries)
        }
        return stream
    }

    @Test("two queries a second keep the stream whole") func steady() {
        var script = SessionScript()
        script.becomeReady()
        let stream = Self.stream(&script, seconds: 60, answers: true)
        #expect(stream.pushes == 600)
        #expect((100...125).contains(stream.queries))
        #expect(script.session.dropped == 0)
        #expect(script.closings.isEmpty)
    }

    @Test("status that goes on does not pay for pushes that do not arrive", arguments: [3, 5, 9])
    func oneWay(watchdog: Int) {
        var script = SessionScript(watchdog: .seconds(watchdog))
        script.becomeReady()
        _ = Self.stream(&script, seconds: 10, answers: true)
        let from = script.now
        let stream = Self.stream(&script, seconds: 30, answers: false)
        #expect(stream.pushes <= PushCredit.maxUnproven)
        #expect(stream.maxOut <= 16)
        #expect(script.closings == [.unanswered])
        #expect(script.now - from <= .seconds(watchdog) + .milliseconds(700))
        #expect(script.session.error(at: script.now) == "answers nothing any more")
    }

    @Test(
        "commands and their repeats cannot fill an adapter beside pushes and queries",
        arguments: [[.record(.start), .record(.stop)], [.version]] as [[CameraCommand]])
    func commandsToOneThatHangs(commands: [CameraCommand]) {
        var script = SessionScript(watchdog: .seconds(20))
        script.becomeReady()
        _ = Self.stream(&script, seconds: 10, answers: true)
        let before = script.sent.count
        var pushes = 0
        for tick in 0..<190 {
            if tick % 7 == 0 { _ = script.command(commands[tick % commands.count]) }
            script.pass(.milliseconds(100))
            if tick % 5 == 0 { script.hear(CameraStatus.video) }
            if script.session.offer(.position, at: script.now) { pushes += 1 }
        }
        let frames = script.sent.count - before + pushes
        #expect(script.closings.isEmpty)
        #expect((13...PushCredit.maxCredit).contains(frames))
        // The link moves again: its next answer frees pushes and commands.
        script.answerVersion()
        #expect(script.session.mayPush)
        // What is under way ends for want of its own answer.
        script.pass(.seconds(6))
        let ticket = script.command(.record(.start))
        script.pass(.milliseconds(100))
        script.answer(.record)
        script.hear(CameraStatus.recording)
        #expect(script.outcome(ticket)?.error == nil)
    }

    @Test("a command that waits for proof is noted as sent when it goes out")
    func waitingCommand() throws {
        var script = SessionScript(watchdog: .seconds(20))
        script.becomeReady()
        _ = Self.stream(&script, seconds: 10, answers: true)
        _ = Self.stream(&script, seconds: 6, answers: false)
        let ticket = script.command(.record(.start))
        #expect(script.lastSent(.record) == nil)
        #expect(script.notices(.record).isEmpty)
        script.pass(.milliseconds(100))
        #expect(script.notices(.record).isEmpty)
        script.answerVersion()
        let freed = script.now
        script.pass(.milliseconds(100))
        #expect(script.notices(.record) == ["state=sent action=start"])
        script.answer(.record)
        script.hear(CameraStatus.recording)
        let outcome = try #require(script.outcome(ticket))
        #expect(outcome.error == nil)
        #expect(try #require(outcome.sent) >= freed)
    }

    @Test("a camera that hangs before the first answer of its stream is let go too")
    func fromStart() {
        var script = SessionScript()
        script.becomeReady()
        let stream = Self.stream(&script, seconds: 30, answers: false)
        #expect(stream.pushes <= PushCredit.maxUnproven)
        #expect(script.closings == [.unanswered])
    }

    @Test("an answer that comes late lets the stream go on, with one notice") func resumes() {
        var script = SessionScript()
        script.becomeReady()
        _ = Self.stream(&script, seconds: 5, answers: true)
        _ = Self.stream(&script, seconds: 2, answers: false)
        #expect(script.session.gpsState == .paused)
        script.hear(CameraStatus.video)
        #expect(script.session.gpsState == .paused)
        script.answerVersion()
        #expect(script.session.gpsState == .pushing)
        #expect(script.notices(.push).count == 1)
        let stream = Self.stream(&script, seconds: 10, answers: true)
        #expect(stream.pushes == 100)
    }

    @Test("an answer to a query from before the stall proves nothing that came after")
    func stale() {
        var script = SessionScript()
        script.becomeReady()
        _ = Self.stream(&script, seconds: 5, answers: true)
        let early = script.lastSent(.version)!
        _ = Self.stream(&script, seconds: 2, answers: false)
        for _ in 0..<50 {
            script.hear(
                Frame(VersionReply(product: "A", sdk: "B"), sequence: early.sequence))
            #expect(!script.session.mayPush)
        }
    }

    @Test("a camera that never answered a query streams on its notifications")
    func neverAnswered() {
        var script = SessionScript()
        script.becomeReadyUnanswering()
        let stream = Self.stream(&script, seconds: 60, answers: false)
        #expect(stream.pushes == 600)
        #expect((10...13).contains(stream.queries))
        #expect(script.closings.isEmpty)
        // Only its answers had been lost: the next answer is a proof, and from then on proofs are
        // required.
        script.answerVersion()
        _ = Self.stream(&script, seconds: 30, answers: false)
        #expect(script.closings == [.unanswered])
    }

    @Test("one that answers before it streams and never while it does is known after two links")
    func silentWhileStreaming() {
        var script = SessionScript()
        for _ in 0..<SessionTiming.unansweredLinks {
            script.others = []
            script.becomeReady()
            _ = Self.stream(&script, seconds: 30, answers: false)
            #expect(script.closings == [.unanswered])
            script.handle(.linkClosed)
        }
        script.others = []
        script.becomeReady()
        let stream = Self.stream(&script, seconds: 60, answers: false)
        #expect(stream.pushes == 600)
        #expect(script.closings.isEmpty)
        // One answer during the stream, and proofs are required again.
        script.pass(.seconds(2))
        script.answerVersion()
        _ = Self.stream(&script, seconds: 30, answers: false)
        #expect(script.closings == [.unanswered])
    }

    @Test("after a silence in which queries were lost the next one comes at once")
    func lostQueries() {
        var script = SessionScript(watchdog: .seconds(60))
        script.becomeReady()
        _ = Self.stream(&script, seconds: 5, answers: true)
        _ = Self.stream(&script, seconds: 30, answers: false, status: false)
        script.hear(CameraStatus.video)
        let stream = Self.stream(&script, seconds: 10, answers: true)
        #expect(stream.pushes >= 85)
    }

    @Test("a camera that answers but never pushed a status becomes ready and streams")
    func noStatus() {
        var script = SessionScript()
        script.open()
        script.receipt()
        script.decide()
        var answered = 0
        var went = 0
        for _ in 0..<300 {
            if script.count(.version) > answered {
                answered = script.count(.version)
                script.answerVersion()
            }
            script.pass(.milliseconds(100))
            if script.session.offer(.position, at: script.now) { went += 1 }
        }
        #expect(script.closings.isEmpty)
        #expect(script.session.cameraState == .ready)
        #expect(script.summary.statusFresh == false)
        #expect(went >= 200)
    }

    @Test("a recording that ends by itself soon after a stop and a start is not laid to the stop")
    func stopThenStart() {
        var script = SessionScript()
        script.becomeReady(.recording)
        script.command(.record(.stop))
        script.answer(.record)
        script.hear(CameraStatus.video)
        script.pass(.milliseconds(500))
        script.command(.record(.start))
        script.answer(.record)
        script.hear(CameraStatus.recording)
        script.pass(.milliseconds(500))
        script.hear(CameraStatus.video)
        let causes = script.others.compactMap { effect -> StopCause? in
            if case .recordingStopped(let cause) = effect { cause } else { nil }
        }
        #expect(causes == [.command, .camera])
    }

    @Test("a link that is lost long after a restart has ended is a loss") func restartIsOver() {
        var script = SessionScript()
        script.becomeReady()
        script.command(.restart)
        #expect(script.session.expectsLinkLoss(at: script.now))
        script.handle(.linkClosed)
        script.becomeReady()
        script.pass(.milliseconds(100))
        #expect(!script.session.expectsLinkLoss(at: script.now))
    }
}
