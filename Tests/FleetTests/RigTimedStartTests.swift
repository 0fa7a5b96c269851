import Clock
import LineProtocol
import OsmoProtocol
import Simulation
import Testing

@testable import Fleet

/// Contract 3.9: `record start at=UTC`.
@Suite struct RigTimedStartTests {
    /// The instant so far ahead, by the bench's receiver, whose time is right.
    static func ahead(_ bench: RigBench, _ span: TimeSpan) -> UnixTime {
        RigBench.start + (bench.now - Instant.zero) + span
    }

    static func start(_ bench: RigBench, in span: TimeSpan, for wait: TimeSpan) -> (
        lines: [ReplyLine], end: ReplyEnd?
    ) {
        bench.command(.timedStart(at: ahead(bench, span)), for: wait)
    }

    static func recording(_ bench: RigBench) -> [Bool?] {
        (1...3).map { bench.summary($0)?.recording }
    }

    @Test("all press at the instant, and the answer says how far apart") func pressesAtInstant() {
        let bench = RigCommandTests.three()
        let due = (bench.now + .seconds(5) - Instant.zero).seconds
        let waiting = Self.start(bench, in: .seconds(5), for: .milliseconds(4900))
        #expect(waiting.lines.isEmpty)
        #expect(waiting.end == nil)
        #expect(Self.recording(bench) == [false, false, false])
        bench.pass(.seconds(5))
        let lines = bench.replies.map(\.line)
        #expect(bench.ends.values.contains(.ok))
        #expect(lines.map(\.name).sorted() == ["-", "cam1", "cam2", "cam3"])
        for line in lines where line.name != "-" {
            let sent = line.value("sent_mono").flatMap { Double($0) } ?? 0
            #expect(abs(sent - due) <= 0.002, "\(sent), due \(due)")
        }
        #expect(lines.last?.name == "-")
        #expect(lines.last?.value("cameras") == "3")
        #expect(lines.last?.value("spread_ms") == "0.000")
        #expect(Self.recording(bench) == [true, true, true])
    }

    @Test("0.2 to 60 s ahead, and nothing else") func bounds() {
        for (milliseconds, fits) in [
            (-1000, false), (0, false), (190, false), (210, true), (59_990, true), (60_010, false),
        ] {
            let bench = RigCommandTests.three()
            let reply = Self.start(bench, in: .milliseconds(milliseconds), for: .seconds(66))
            #expect(reply.end.code == (fits ? nil : .badArgument), "\(milliseconds) ms")
            #expect(Self.recording(bench) == [fits, fits, fits], "\(milliseconds) ms")
        }
    }

    @Test("without trusted time it is not ready") func withoutTrustedTime() {
        let bench = RigBench.of(3)
        bench.receiverOn = false
        bench.pass(.seconds(20))
        #expect(Self.start(bench, in: .seconds(5), for: .zero).end.code == .notReady)
        bench.pass(.seconds(10))
        #expect(Self.recording(bench) == [false, false, false])
    }

    @Test("record stop cancels it, for the cameras that it names") func stopCancels() {
        let bench = RigCommandTests.three()
        _ = Self.start(bench, in: .seconds(20), for: .seconds(1))
        let asked = Ticket(number: bench.tickets)
        #expect(bench.command(.record(.stop), "cam2").end == .ok)
        let line = bench.replies.first { $0.ticket == asked }?.line
        #expect(line?.name == "cam2")
        #expect(line?.value("result") == "refused")
        #expect(bench.ends[asked] == nil)
        bench.pass(.seconds(20))
        #expect(bench.ends[asked].code == .partial)
        #expect(Self.recording(bench) == [true, false, true])
    }

    @Test("record stop for all cancels it whole") func stopCancelsAll() {
        let bench = RigCommandTests.three()
        _ = Self.start(bench, in: .seconds(20), for: .seconds(1))
        let asked = Ticket(number: bench.tickets)
        #expect(bench.command(.record(.stop)).end == .ok)
        #expect(bench.ends[asked].code == .refused)
        bench.pass(.seconds(30))
        #expect(Self.recording(bench) == [false, false, false])
    }

    @Test("the end of the daemon cancels it") func shutdownCancels() {
        let bench = RigCommandTests.three()
        _ = Self.start(bench, in: .seconds(20), for: .seconds(1))
        let asked = Ticket(number: bench.tickets)
        bench.feed(.shutdown)
        #expect(bench.ends[asked].code == .notReady)
        bench.pass(.seconds(30))
        #expect(Self.recording(bench).allSatisfy { $0 != true })
    }

    @Test("a camera that is gone at the instant is not ready, and not made up for") func absent() {
        let bench = RigCommandTests.three()
        _ = Self.start(bench, in: .seconds(20), for: .seconds(1))
        let asked = Ticket(number: bench.tickets)
        bench.air[QueueBench.camera(1)]!.present = false
        bench.lose(1)
        bench.pass(.seconds(25))
        #expect(bench.ends[asked].code == .partial)
        bench.air[QueueBench.camera(1)]!.present = true
        bench.pass(.seconds(60))
        #expect(bench.summary(1)?.state == .ready)
        #expect(Self.recording(bench) == [false, true, true])
    }

    @Test("sixteen wait, the seventeenth is busy") func bound() {
        let bench = RigCommandTests.three()
        for _ in 1...TimedStarts.bound {
            #expect(Self.start(bench, in: .seconds(30), for: .zero).end == nil)
        }
        #expect(Self.start(bench, in: .seconds(30), for: .zero).end.code == .busy)
        #expect(bench.command(.record(.stop)).end == .ok)
        #expect(Self.start(bench, in: .seconds(30), for: .zero).end == nil)
    }

    @Test("forgotten cameras wait for nothing") func cancelOfOne() {
        let (one, two) = (QueueBench.camera(1), QueueBench.camera(2))
        var starts = TimedStarts()
        #expect(starts.deadline == .never)
        for second in [9, 3] {
            starts.add(
                TimedStarts.Start(
                    ticket: Ticket(number: UInt64(second)), utc: UnixTime(nanoseconds: 0),
                    due: .zero + .seconds(second), cameras: second == 9 ? [one] : [one, two]))
        }
        #expect(starts.deadline == .zero + .seconds(3))
        #expect(starts.cancel { $0 == one }.map(\.ticket.number) == [9, 3])
        #expect(starts.removeDue(at: .zero + .seconds(2)).isEmpty)
        #expect(starts.removeDue(at: .zero + .seconds(3)).map(\.cameras) == [[two]])
        #expect(starts.deadline == .never)
    }
}
