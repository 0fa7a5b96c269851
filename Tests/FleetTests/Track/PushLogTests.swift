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
        // A command's frame is no push.
        run.take(.frameDropped(links[0], frame: [9]), at: 10)
        #expect(run.rows(.pushes).isEmpty)
        run.take(.push(Self.push([links[0]], isVoid: true, at: 110)), at: 110)
        #expect(
            run.rows(.pushes) == [
                "2026-07-01T10:00:00.010Z,0.010000,1,0.030,48.00000100,11.00000000,500.00,,,,3d,"
                    + "front+\(links[2].camera),rear"
            ])
        run.take(.off, at: 200)
        #expect(run.rows(.pushes).last == ",0.110000,,,,,,,,,void,front,")
    }

    @Test("Before time is trusted a push has no UTC") func beforeTimeTrustedPushHas() {
        var run = JournalRun { $0.pushes = .on }
        run.take(.push(Self.push([TrackExamples.link(1)], at: 10)), at: 10)
        run.take(.push(Self.push([TrackExamples.link(1)], at: 110)), at: 110)
        run.take(TrackExamples.epoch(200))
        #expect(run.rows(.pushes).count == 1)
        #expect(run.rows(.pushes)[0].hasPrefix(",0.010000,1,"))
    }

    @Test("Without the setting there is no row") func withoutSettingThereNoRow() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        for index in 0..<5 {
            run.take(.push(Self.push([TrackExamples.link(1)], at: index * 100)), at: index * 100)
        }
        #expect(run.rows(.pushes).isEmpty)
        #expect(run.rows(.events).count == 1)
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
}
