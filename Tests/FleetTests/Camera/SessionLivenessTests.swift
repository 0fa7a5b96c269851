import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("The GPS stream and the signs of life it lives on")
struct SessionLivenessTests {
    /// Pushes at 10 Hz for `seconds`; the camera sends a status every `interval` where one is
    /// given.
    ///
    /// - Returns: pushes that went out.
    static func stream(
        _ script: inout SessionScript, seconds: Double, statusEvery interval: TimeSpan? = nil
    ) -> Int {
        var went = 0
        let end = script.now + .seconds(seconds)
        var nextStatus = interval.map { script.now + $0 } ?? .never
        while script.now < end {
            script.pass(.milliseconds(100))
            if script.now >= nextStatus {
                script.hear(CameraStatus.video)
                nextStatus += interval ?? .zero
            }
            if script.session.offer(.position, at: script.now) { went += 1 }
        }
        return went
    }

    @Test("pushes are counted by kind, and only while ready")
    func counting() {
        var script = SessionScript()
        let early = script.session.offer(.position, at: script.now)
        #expect(!early)
        script.becomeReady()
        #expect(script.session.gpsState == .off)
        for kind: CameraSession.PushKind in [.position, .position, .void] {
            let took = script.session.offer(kind, at: script.now)
            #expect(took)
        }
        #expect(script.session.gpsState == .void)
        #expect(script.session.pushed == 2)
        #expect(script.session.voids == 1)
        #expect(script.session.dropped == 0)
    }

    @Test("a frame that the link did not take is uncounted, and its credit given back")
    func droppedPush() {
        var script = SessionScript()
        script.becomeReady()
        var bytes: [UInt8] = []
        GPSPush(voidAtDate: 20_260_701, time: 0).encode(sequence: 1, into: &bytes)
        for _ in 0..<100 {
            let took = script.session.offer(.void, at: script.now)
            #expect(took)
            script.handle(.frameDropped(bytes))
        }
        #expect(script.session.voids == 0)
        #expect(script.session.dropped == 100)
        var push = GPSPush(voidAtDate: 20_260_701, time: 0)
        push.satellites = 9
        push.encode(sequence: 2, into: &bytes)
        let took = script.session.offer(.position, at: script.now)
        #expect(took)
        script.handle(.frameDropped(bytes))
        #expect(script.session.pushed == 0)
        #expect(script.session.dropped == 101)
        #expect(script.session.nextDeadline.map { $0 > script.now } == true)
        script.pass(.milliseconds(500))
        #expect(script.count(.gpsPush) == 0)
    }

    @Test("15 frames before the interval is known, then paused until anything is heard")
    func firstCredit() {
        var script = SessionScript(watchdog: .seconds(60))
        script.becomeReadyUnanswering()
        var went = 0
        for _ in 0..<20 where script.session.offer(.position, at: script.now) { went += 1 }
        #expect(went == 15)
        #expect(script.session.dropped == 5)
        #expect(script.session.gpsState == .paused)
        #expect(!script.session.mayPush)
        script.pass(.milliseconds(700))
        // A notification of DJI's other protocol is a sign of life like a status.
        script.handle(.notification([0x55, 0x0E]))
        #expect(script.session.mayPush)
        #expect(script.session.gpsState == .pushing)
        #expect(script.notices(.push) == ["state=resumed paused_ms=700 withheld=5"])
    }

    @Test("the intervals of a handshake say nothing about those of the stream")
    func creditAfterHandshake() {
        var script = SessionScript()
        script.open()
        script.receipt()
        for _ in 0..<10 {
            script.pass(.milliseconds(20))
            script.handle(.notification([0x55, 0x0E]))
        }
        script.decide()
        for _ in 0..<5 {
            script.pass(.seconds(1))
            script.hear(CameraStatus.video)
        }
        var went = 0
        for _ in 0..<20 where script.session.offer(.position, at: script.now) { went += 1 }
        #expect(went == 15)
        // After seven intervals the camera's usual interval is known.
        for _ in 0..<7 {
            script.pass(.milliseconds(500))
            script.hear(CameraStatus.video)
        }
        went = 0
        for _ in 0..<20 where script.session.offer(.position, at: script.now) { went += 1 }
        #expect(went == 8)
    }

    @Test("a camera at 2 Hz gets 8 frames after its last word, none after")
    func usualCredit() {
        var script = SessionScript()
        script.becomeReadyUnanswering()
        let went = Self.stream(&script, seconds: 10, statusEvery: .milliseconds(500))
        #expect(went == 100)
        // The camera's last notification came just before the last of those pushes, which is one of
        // the 8.
        let after = Self.stream(&script, seconds: 0.9)
        #expect(after == 7)
    }

    @Test("the closing voids go to a paused camera too, up to 15 frames in all and no further")
    func lastVoids() {
        var script = SessionScript()
        script.becomeReadyUnanswering()
        _ = Self.stream(&script, seconds: 10, statusEvery: .milliseconds(500))
        var went = 0
        while script.session.offer(.position, at: script.now) { went += 1 }
        #expect(script.session.gpsState == .paused)
        let ordinary = script.session.offer(.void, at: script.now)
        #expect(!ordinary)
        var last = 0
        while script.session.offer(.lastVoid, at: script.now) { last += 1 }
        #expect(last == 15 - 8)
        #expect(went <= 8)
        #expect(script.session.voids == last)
    }

    @Test("the watchdog lets a silent camera go at its bound", arguments: [3, 5, 600])
    func watchdog(seconds: Int) {
        var script = SessionScript(watchdog: .seconds(seconds))
        script.becomeReady()
        script.passJustUnder(.seconds(seconds))
        #expect(script.closings.isEmpty)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.closings == [.silent])
        #expect(script.session.cameraState == nil)
        #expect(script.session.error(at: script.now) == "no sign of life")
        #expect(script.session.nextDeadline == nil)
    }

    @Test("silence is asked into after 1, 2, 4, … s, so that a stalled link is not filled")
    func queries() {
        var script = SessionScript(watchdog: .seconds(600))
        script.becomeReady()
        let start = script.now
        script.sent = []
        var asked: [Int64] = []
        for _ in 0..<6000 {
            script.pass(.milliseconds(100))
            if script.count(.version) > asked.count {
                asked.append((script.now - start).nanoseconds / 1_000_000)
            }
            if script.closings.isEmpty == false { break }
        }
        #expect(
            asked == [
                1000, 2000, 4000, 8000, 16000, 32000, 64000, 128_000, 192_000, 256_000, 320_000,
                384_000, 448_000,
            ])
        // Two subscriptions are out as well: a sixteenth frame would be the adapter's last buffer.
        #expect(script.session.credit.out == PushCredit.maxCredit)
        // One subscription follows the signs of life of the first second; none is sent into the
        // silence.
        #expect(script.count(.subscription) == 1)
    }

    @Test("any notification starts the silence anew")
    func signs() {
        var script = SessionScript()
        script.becomeReady()
        script.sent = []
        for _ in 0..<30 {
            script.pass(.milliseconds(999))
            script.handle(.notification([0x55]))
        }
        #expect(script.count(.version) == 0)
        #expect(script.closings.isEmpty)
        #expect(script.count(.subscription) > 5)
    }

    @Test("a camera that answers but pushes no status streams on, resubscribed every 3 s")
    func statusNone() {
        var script = SessionScript()
        script.becomeReady()
        script.sent = []
        var went = 0
        var answered = 0
        for _ in 0..<600 {
            script.pass(.milliseconds(100))
            if script.count(.version) > answered {
                answered += 1
                script.answerVersion()
            }
            if script.session.offer(.position, at: script.now) { went += 1 }
        }
        #expect(script.closings.isEmpty)
        #expect(script.session.cameraState == .ready)
        #expect(went >= 590)
        #expect((18...20).contains(script.count(.subscription)))
        let summary = script.summary
        #expect(summary.statusFresh == false)
        #expect(summary.gps == .pushing)
    }

    @Test("status at 2 Hz needs no query and no second subscription for an hour")
    func steady() {
        var script = SessionScript()
        script.becomeReady()
        script.sent = []
        script.others = []
        for _ in 0..<7200 {
            script.pass(.milliseconds(500))
            script.hear(CameraStatus.video)
        }
        #expect(script.sent.isEmpty)
        #expect(script.others.isEmpty)
    }
}

@Suite("Frames of ours that the link did not take")
struct SessionResendTests {
    @Test("are sent again after 30 ms, step by step, where they are still wanted")
    func handshake() {
        var script = SessionScript()
        script.open()
        script.handle(.frameDropped(script.sent[0].encoded))
        script.passJustUnder(.milliseconds(30))
        #expect(script.sent.count == 1)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.sent.count == 2)
        #expect(script.sent[0] == script.sent[1])
        script.receipt()
        script.decide()
        let version = script.lastSent(.version)!
        let answer = script.lastSent(.connection)!
        script.handle(.frameDropped(answer.encoded))
        script.handle(.frameDropped(version.encoded))
        script.pass(.milliseconds(30))
        #expect(script.sent.suffix(2) == [answer, version])
        script.answerVersion()
        let subscription = script.lastSent(.subscription)!
        script.handle(.frameDropped(subscription.encoded))
        script.pass(.milliseconds(30))
        #expect(script.count(.subscription) == 2)
    }

    @Test("are given up after ten attempts")
    func bounded() {
        var script = SessionScript()
        script.open()
        let step = script.sent[0].encoded
        for attempt in 1...10 {
            script.handle(.frameDropped(step))
            script.pass(.milliseconds(30))
            #expect(script.sent.count == 1 + attempt)
        }
        script.handle(.frameDropped(step))
        script.pass(.milliseconds(500))
        #expect(script.sent.count == 11)
    }

    @Test("a key that was not taken is not yet pressed: it goes out, once")
    func key() {
        var script = SessionScript()
        script.becomeReady(.photo)
        let start = script.now
        let ticket = script.command(.photo)
        script.handle(.frameDropped(script.lastSent(.key)!.encoded))
        script.pass(.milliseconds(30))
        #expect(script.count(.key) == 2)
        script.answer(.key)
        #expect(script.outcome(ticket)?.sent == start + .milliseconds(30))
        #expect(script.outcome(ticket)?.error == nil)
    }

    @Test("are forgotten with the command, the link and the waking camera")
    func forgotten() {
        var script = SessionScript()
        script.becomeReady()
        script.command(.version)
        let query = script.lastSent(.version)!
        script.handle(.frameDropped(query.encoded))
        script.answerVersion()
        script.pass(.milliseconds(30))
        #expect(script.count(.version) == 2)

        script.command(.sleep)
        let sleep = script.lastSent(.power)!
        script.answer(.power)
        script.handle(.frameDropped(sleep.encoded))
        script.hear(CameraStatus.sleeping)
        script.handle(.frameDropped(sleep.encoded))
        script.pass(.seconds(1))
        #expect(script.count(.power) == 1)

        script = SessionScript()
        script.open()
        script.handle(.frameDropped(script.sent[0].encoded))
        script.handle(.linkClosed)
        script.handle(.frameDropped(script.sent[0].encoded))
        script.pass(.seconds(1))
        #expect(script.sent.count == 1)
        script.handle(.frameDropped([1, 2, 3]))
        #expect(script.session.dropped == 0)
    }

    @Test("at most four are held")
    func held() {
        var resends = Resends()
        for number in 0..<6 { resends.dropped([UInt8(number)], at: .zero) }
        #expect(resends.removeDue(at: .zero + SessionTiming.resend) == [[2], [3], [4], [5]])
        #expect(resends.next == nil)
    }
}
