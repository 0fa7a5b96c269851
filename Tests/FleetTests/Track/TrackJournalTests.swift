import Clock
import LineProtocol
import Navigation
import Testing
import TrackExamples
import TrackFormat

@testable import Fleet

/// A journal, and the lines that it has written so far.
struct JournalRun {
    private(set) var journal: TrackJournal
    private(set) var lines: [TrackLine] = []
    private(set) var effects: [TrackEffect] = []

    init(_ change: (inout TrackSettings) -> Void = { _ in }) {
        var settings = TrackSettings(directory: "/tracks")
        change(&settings)
        journal = TrackJournal(settings: settings)
    }

    mutating func take(_ input: TrackInput, at milliseconds: Int) {
        let new = journal.handle(input, at: .zero + .milliseconds(milliseconds))
        effects += new
        for case .line(let line) in new { lines.append(line) }
    }

    mutating func take(_ epoch: ClosedEpoch) {
        let arrival = epoch.fix.arrival - Instant.zero
        take(.epoch(epoch), at: Int(arrival.nanoseconds / 1_000_000))
    }

    func rows(_ kind: TrackFileKind, fileSet: Int? = nil) -> [String] {
        lines.filter { $0.kind == kind && (fileSet == nil || $0.fileSet == fileSet) }
            .map { String(decoding: $0.bytes.dropLast(), as: UTF8.self) }
    }

    /// The `seq` column of the rows of a set of files.
    func sequences(fileSet: Int? = nil) -> [Int] {
        rows(.track, fileSet: fileSet).compactMap {
            Int($0.split(separator: ",", omittingEmptySubsequences: false)[15])
        }
    }

    /// The names in the first line of each set.
    var names: [String] {
        var seen: [Int: String] = [:]
        for line in lines where seen[line.fileSet] == nil {
            seen[line.fileSet] = TrackFileName(kind: .track, time: line.time).text
        }
        return seen.sorted { $0.key < $1.key }.map(\.value)
    }
}

@Suite struct TrackJournalTests {
    private static let second = 1000

    @Test("Nothing is written before time is trusted, then what was held")
    func nothingWrittenBeforeTimeTrusted() {
        var run = JournalRun()
        for index in 0..<3 { run.take(TrackExamples.epoch(index * 100, trusted: false)) }
        #expect(run.lines.isEmpty)
        run.take(TrackExamples.epoch(300))
        #expect(run.sequences() == [0, 1, 2, 3])
        #expect(run.names == ["track-20260701T100000Z.csv"])
        #expect(run.rows(.events).first?.contains("state=open reason=start held=3") == true)
    }

    @Test("A minute is held, and not more") func minuteHeldNotMore() {
        var run = JournalRun()
        for index in 0...700 { run.take(TrackExamples.epoch(index * 100, trusted: false)) }
        run.take(TrackExamples.epoch(70_100))
        // The last untrusted epoch is at 70.0 s; those that arrived at 10.0 s are 60 s old.
        #expect(run.sequences().first == 100)
        #expect(run.sequences().count == 602)
        #expect(run.names == ["track-20260701T100010Z.csv"])
        #expect(run.journal.unwritten == 100)
        #expect(run.rows(.events)[0].contains("held=601 unwritten=100"))
    }

    @Test("Faster receivers fill the bound by number") func fasterReceiversFillBoundNumber() {
        var held = HeldRows()
        for _ in 0..<HeldRows.maxEpochs { held.append(TrackExamples.epoch(0), at: .zero) }
        #expect(held.droppedEpochs == 0)
        held.append(TrackExamples.epoch(0), at: .zero)
        #expect(held.droppedEpochs == 1)
        #expect(held.epochs.count == HeldRows.maxEpochs)
        func line(_ byte: UInt8) -> HeldRows.Line {
            HeldRows.Line(kind: .events, bytes: [byte], worth: .usual)
        }
        for _ in 0..<HeldRows.maxLines { held.append(line(1)) }
        #expect(held.droppedLines == 0)
        held.append(line(2))
        #expect(held.droppedLines == 1)
        #expect(held.lines.last?.bytes == [2])
        #expect(held.lines.count == HeldRows.maxLines)
    }

    @Test("Recordings and marks outlast void pushes and other events while time is not trusted")
    func recordingsOutlastOthers() {
        var run = JournalRun { $0.pushes = .on }
        let recorded = TrackExamples.notice(
            .record, 0, name: "front", [Field("state", "started")])
        run.take(.notice(recorded), at: 0)
        run.take(.notice(TrackExamples.notice(.mark, 1, [Field("text", "lap")])), at: 1)
        for second in 1...HeldRows.maxLines {
            let void = Push(frame: [1], links: [TrackExamples.link(1)], position: nil)
            run.take(.push(void), at: second * 1000)
        }
        for second in 1...HeldRows.maxLines {
            run.take(.notice(TrackExamples.notice(.battery, second * 1000)), at: second * 1000)
        }
        run.take(TrackExamples.epoch(10_000_000))
        let events = run.rows(.events)
        #expect(events.count == 1 + HeldRows.maxLines)
        #expect(events.contains { $0.contains(",record,front,state=started,") })
        #expect(events.contains { $0.contains(",mark,,text=lap,") })
        #expect(run.rows(.pushes).isEmpty)
    }

    @Test("Held epochs with another time, or none, are not written") func heldEpochsAnotherTimeOr()
    {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0, trusted: false, step: .seconds(-619_315_200)))
        run.take(TrackExamples.epoch(100, trusted: false, hasTime: false))
        run.take(TrackExamples.epoch(200, trusted: false))
        run.take(TrackExamples.epoch(300))
        #expect(run.sequences() == [2, 3])
        #expect(run.journal.unwritten == 2)
    }

    @Test("Events before trust come with the first file, in their order")
    func eventsBeforeTrustComeFirst() {
        var run = JournalRun()
        run.take(.notice(TrackExamples.notice(.daemon, 0, [Field("state", "start")])), at: 0)
        run.take(.notice(TrackExamples.notice(.gps, 50, [Field("state", "fix3d")])), at: 50)
        run.take(TrackExamples.epoch(100))
        let events = run.rows(.events)
        #expect(events.count == 3)
        #expect(events[0].contains(",track,,state=open"))
        #expect(events[1] == ",0.000000,daemon,,state=start,,,")
        #expect(events[2] == ",0.050000,gps,,state=fix3d,,,")
    }

    @Test("A day of UTC ends a set with the first row of the next") func dayUTCEndsSetFirst() {
        var run = JournalRun()
        // The run begins 14 hours before midnight.
        let midnight = 14 * 3600 * Self.second
        for offset in [-200, -100, 0, 100] { run.take(TrackExamples.epoch(midnight + offset)) }
        #expect(run.rows(.track, fileSet: 1).count == 2)
        #expect(run.rows(.track, fileSet: 2).count == 2)
        #expect(run.rows(.track, fileSet: 2)[0].hasPrefix("2026-07-02 00:00:00.000Z,"))
        #expect(run.names[1] == "track-20260702T000000Z.csv")
        #expect(run.rows(.events, fileSet: 1).last?.contains("state=closed reason=day") == true)
        #expect(run.rows(.events, fileSet: 2).first?.contains("state=open reason=day") == true)
        // An event of the old day is not written to the old set.
        let late = TrackExamples.notice(
            .camera, midnight, utc: TrackExamples.start + .milliseconds(midnight - 1))
        run.take(.notice(late), at: midnight + 100)
        #expect(run.lines.last?.fileSet == 2)
    }

    @Test("A size ends a set before it is passed, but each file gets a row")
    func sizeEndsSetBeforePassed() throws {
        for limit in [1, 4096] {
            var run = JournalRun { $0.rotation = .size(Int64(limit)) }
            for index in 0..<100 { run.take(TrackExamples.epoch(index * 100)) }
            #expect(run.sequences() == Array(0..<100))
            let last = try #require(run.lines.last?.fileSet)
            #expect(last == (limit == 1 ? 100 : last))
            for fileSet in 1..<last {
                let size = run.lines.filter { $0.kind == .track && $0.fileSet == fileSet }
                    .reduce(TrackRow.header.utf8.count) { $0 + $1.bytes.count }
                #expect(size <= limit || limit == 1)
                #expect(size > limit - 150)
            }
        }
    }

    @Test("Rotation by command seals at once and begins with the next row")
    func rotationCommandSealsOnceBegins() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(.rotate, at: 50)
        #expect(run.effects.last == .seal)
        #expect(run.rows(.events).last?.contains("state=closed reason=command") == true)
        run.take(.rotate, at: 60)
        #expect(run.effects.filter { $0 == .seal }.count == 1)
        run.take(TrackExamples.epoch(1000))
        #expect(run.sequences(fileSet: 2) == [10])
        #expect(run.names == ["track-20260701T100000Z.csv", "track-20260701T100001Z.csv"])
        #expect(run.rows(.events).last?.contains("state=open reason=command") == true)
    }

    @Test("An event after a rotation begins the next set as well")
    func eventAfterRotationBeginsNext() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(.rotate, at: 2000)
        run.take(.notice(TrackExamples.notice(.mark, 5000)), at: 5000)
        #expect(run.names.last == "track-20260701T100005Z.csv")
        #expect(run.rows(.events, fileSet: 2).count == 2)
    }

    @Test("Rotation before there is a file changes nothing") func rotationBeforeThereFileChanges() {
        var run = JournalRun()
        run.take(.rotate, at: 0)
        #expect(run.effects.isEmpty)
        run.take(TrackExamples.epoch(0))
        #expect(run.lines.allSatisfy { $0.fileSet == 1 })
    }

    @Test("Off writes nothing, and on begins anew") func offWritesNothingBeginsAnew() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(.off, at: 50)
        #expect(run.effects.last == .seal)
        #expect(!run.journal.isOn)
        let count = run.lines.count
        run.take(TrackExamples.epoch(100))
        run.take(.notice(TrackExamples.notice(.mark, 150)), at: 150)
        run.take(.off, at: 200)
        #expect(run.lines.count == count)
        run.take(.on, at: 1000)
        run.take(.on, at: 1001)
        run.take(TrackExamples.epoch(1100))
        #expect(run.sequences(fileSet: 2) == [11])
        #expect(run.rows(.events, fileSet: 2)[0].contains("reason=on"))
    }

    @Test("What footage is found by is synced at once") func whatFootageFoundSyncedOnce() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(.notice(TrackExamples.notice(.battery, 10)), at: 10)
        #expect(!run.effects.contains(.sync))
        run.take(.notice(TrackExamples.notice(.record, 20, name: "front")), at: 20)
        #expect(run.effects.last == .sync)
    }
}
