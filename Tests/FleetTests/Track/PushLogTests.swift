import Clock
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort
import Testing
import TrackExamples
import TrackFormat

@testable import Fleet

@Suite struct PushLogTests {
    private static func push(_ links: [LinkID], isVoid: Bool = false, at milliseconds: Int) -> Push
    {
        let epoch = TrackExamples.epoch(milliseconds)
        let position = CarriedPosition(
            fix: epoch.fix, instant: epoch.fix.arrival, age: .milliseconds(30), epochSequence: 1)
        let frame = [1, UInt8(truncatingIfNeeded: milliseconds)]
        return Push(frame: frame, links: links, position: isVoid ? nil : position)
    }

    /// A push with its whole frame.
    private static func sent(_ push: GPSPush, at milliseconds: Int) -> Push {
        var sent = Self.push([TrackExamples.link(1)], at: milliseconds)
        sent.frame = Frame(push, sequence: 7).encoded
        if push.isVoid { sent.position = nil }
        return sent
    }

    private static func roster() -> [RosterEntry] {
        [
            RosterEntry(name: "front", number: 1, address: TrackExamples.link(1).camera),
            RosterEntry(name: "rear", number: 2, address: TrackExamples.link(2).camera),
        ]
    }

    @Test("A push has a row, once it is known who took it") func pushHasRowOnceKnown() {
        var run = JournalRun { $0.pushes = .on }
        let links = [1, 2, 3].map(TrackExamples.link)
        run.take(.roster(Self.roster()), at: 0)
        run.take(TrackExamples.epoch(0))
        run.take(.push(Self.push(links, at: 10)), at: 10)
        run.take(.frameDropped(links[1], frame: [1, 10]), at: 10)
        // The frame of a command is no push.
        run.take(.frameDropped(links[0], frame: [9]), at: 10)
        #expect(run.rows(.pushes).isEmpty)
        run.take(.push(Self.push([links[0]], isVoid: true, at: 110)), at: 110)
        #expect(
            run.rows(.pushes) == [
                "2026-07-01T10:00:00.010Z,0.010000,1,0.030,48.00000100,11.00000000,500.00,,,,3d,"
                    + "front+\(links[2].camera),rear,,,,,,1782900000010000"
            ])
        run.take(.off, at: 200)
        #expect(run.rows(.pushes).last == ",0.110000,,,,,,,,,void,front,,,,,,,")
    }

    @Test("A push has the integers and the time field that were sent, whatever their sign")
    func pushHasIntegers() throws {
        var run = JournalRun { $0.pushes = .on }
        run.take(.roster(Self.roster()), at: 0)
        run.take(TrackExamples.epoch(0))
        let push = try #require(
            GPSPush(
                date: 20_260_701, time: 180_059, latitudeDegrees: -33.1234567,
                longitudeDegrees: -70.0000001, heightMetres: -430.123, northMetresPerSecond: 1,
                eastMetresPerSecond: 2, downMetresPerSecond: 3, horizontalAccuracyMetres: 1,
                verticalAccuracyMetres: 1, speedAccuracyMetresPerSecond: 1, satellites: 9))
        run.take(.push(Self.sent(push, at: 10)), at: 10)
        run.take(.push(Self.sent(GPSPush(voidAtDate: 20_260_701, time: 180_100), at: 110)), at: 110)
        run.take(.off, at: 200)
        let rows = run.rows(.pushes)
        #expect(
            rows[0].hasSuffix(
                ",3d,front,,-331234567,-700000001,-430123,20260701,180059,1782900000010000"))
        #expect(rows[1].hasSuffix(",void,front,,,,,20260701,180100,"))
        for row in rows {
            #expect(row.split(separator: ",", omittingEmptySubsequences: false).count == 19)
        }
    }

    @Test("Before time is trusted a push has no UTC") func beforeTimeTrustedPushHas() {
        var run = JournalRun { $0.pushes = .on }
        run.take(.push(Self.push([TrackExamples.link(1)], at: 10)), at: 10)
        run.take(.push(Self.push([TrackExamples.link(1)], at: 110)), at: 110)
        run.take(TrackExamples.epoch(200))
        #expect(run.rows(.pushes).count == 1)
        #expect(run.rows(.pushes)[0].hasPrefix(",0.010000,1,"))
    }

    @Test(
        "Without the setting, or while nobody records, there is no row",
        arguments: [
            TrackSettings.Pushes.off, .auto,
        ]) func withoutSettingThereNoRow(setting: TrackSettings.Pushes)
    {
        var run = JournalRun { $0.pushes = setting }
        run.take(TrackExamples.epoch(0))
        for index in 0..<5 {
            run.take(.push(Self.push([TrackExamples.link(1)], at: index * 100)), at: index * 100)
        }
        #expect(run.rows(.pushes).isEmpty)
        #expect(run.rows(.events).count == 1)
    }

    /// When the pushes of the rows were sent, seconds.
    private static func sent(_ run: JournalRun) -> [Double] {
        run.rows(.pushes).compactMap { Double($0.split(separator: ",")[1]) }
    }

    private static func record(_ state: String, at milliseconds: Int) -> Notice {
        Notice(
            kind: .record, name: "front", fields: [Field("state", state)],
            instant: Instant(nanoseconds: Int64(milliseconds) * 1_000_000), utc: nil)
    }

    @Test("A recording has the pushes of ten seconds around it, and no more") func aroundRecording()
    {
        var run = JournalRun()
        for tenth in 0..<600 {
            let now = tenth * 100
            var epoch = TrackExamples.epoch(now)
            epoch.recording = (250..<350).contains(tenth) ? ["front"] : []
            run.take(epoch)
            if tenth == 250 { run.take(.notice(Self.record("started", at: now)), at: now) }
            if tenth == 350 { run.take(.notice(Self.record("stopped", at: now)), at: now) }
            run.take(.push(Self.push([TrackExamples.link(1)], at: now)), at: now)
        }
        let sent = Self.sent(run)
        // A push that is under way when the ten seconds end is not known to be finished.
        #expect(sent.first == 15.0)
        #expect(abs((sent.last ?? 0) - 45.0) < 0.15)
        #expect(zip(sent, sent.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 1e-6 })
    }

    @Test("What is held for a recording is bounded") func heldIsBounded() {
        for count in [PushGate.maxHeld, PushGate.maxHeld + 1] {
            var gate = PushGate()
            for number in 0..<count {
                let sent = Instant(nanoseconds: Int64(number) * 1_000_000)
                let push = LoggedPush(
                    position: nil, utc: nil, sent: sent, frame: [], links: [])
                #expect(gate.pass(push, .auto, at: sent).isEmpty)
            }
            let now = Instant(nanoseconds: Int64(count) * 1_000_000)
            #expect(gate.record(.auto, at: now).count == PushGate.maxHeld)
        }
    }

    @Test("Turned on and off, the log goes by the setting at once") func settingCounts() {
        var gate = PushGate()
        let push = LoggedPush(
            position: nil, utc: nil, sent: Instant(nanoseconds: 0), frame: [], links: [])
        let now = Instant(nanoseconds: 0)
        #expect(gate.pass(push, .auto, at: now).isEmpty)
        #expect(gate.pass(push, .on, at: now).count == 2)
        #expect(gate.pass(push, .auto, at: now).isEmpty)
        #expect(gate.pass(push, .off, at: now).isEmpty)
        #expect(gate.record(.auto, at: now).isEmpty)
        #expect(gate.pass(push, .auto, at: now).count == 1)
    }

    @Test(
        "A pause between positions is an event",
        arguments: [(10, 200, 201), (5, 400, 401), (1, 2000, 2001)])
    func pauseBetweenPositionsEvent(rate: Int, allowed: Int, gap: Int) {
        var run = JournalRun { $0.rate = rate }
        let links = [TrackExamples.link(1)]
        run.take(TrackExamples.epoch(0))
        run.take(.push(Self.push(links, at: 0)), at: 0)
        run.take(.push(Self.push(links, at: allowed)), at: allowed)
        #expect(run.rows(.events).count == 1)
        run.take(.push(Self.push(links, at: allowed + gap)), at: allowed + gap)
        #expect(run.rows(.events).last?.contains(",push,,gap_ms=\(gap),") == true)
        guard case .notice(let notice)? = run.effects.last else {
            Issue.record("nobody was told")
            return
        }
        #expect(notice.kind == .push)
    }

    @Test("A pause with void frames, or without cameras, is none") func pauseVoidFramesOrWithout() {
        let links = [TrackExamples.link(1)]
        for between in [Self.push(links, isVoid: true, at: 500), Self.push([], at: 500)] {
            var run = JournalRun()
            run.take(TrackExamples.epoch(0))
            run.take(.push(Self.push(links, at: 0)), at: 0)
            run.take(.push(between), at: 500)
            run.take(.push(Self.push(links, at: 1000)), at: 1000)
            #expect(run.rows(.events).count == 1)
        }
    }

    @Test("A pause for a camera that was sent to sleep is none") func pauseForSleepNone() {
        let links = [TrackExamples.link(1)]
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(.push(Self.push(links, at: 0)), at: 0)
        let asleep = Notice(
            kind: .camera, name: "front", fields: [Field("state", "asleep")],
            instant: .zero + .milliseconds(500), utc: nil)
        run.take(.notice(asleep), at: 500)
        let before = run.rows(.events).count
        run.take(.push(Self.push(links, at: 60_000)), at: 60_000)
        #expect(run.rows(.events).count == before)
        run.take(.push(Self.push(links, at: 60_300)), at: 60_300)
        #expect(run.rows(.events).last?.contains(",push,,gap_ms=300,") == true)
    }
}
