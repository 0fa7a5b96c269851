import Clock
import LineProtocol
import Testing
import TrackExamples
import TrackFormat

@testable import Fleet

@Suite struct TrackJournalTimeTests {
    @Test("Rows of a file increase strictly") func rowsFileIncreaseStrictly() {
        var run = JournalRun()
        for milliseconds in [0, 100, 100, 50, 200] { run.take(TrackExamples.epoch(milliseconds)) }
        // A row less than a millisecond later looks like the same row to every tool.
        run.take(TrackExamples.epoch(300))
        run.take(TrackExamples.epoch(300, step: TimeSpan(nanoseconds: 400_000)))
        run.take(TrackExamples.epoch(301))
        #expect(run.sequences() == [0, 1, 2, 3, 3])
        #expect(run.journal.unwritten == 3)
        #expect(Set(run.rows(.track)).count == 5)
    }

    @Test("A rotation does not let time go back") func rotationDoesNotLetTime() {
        var run = JournalRun { $0.rotation = .size(1) }
        for milliseconds in [0, 100, 50, 200] { run.take(TrackExamples.epoch(milliseconds)) }
        #expect(run.sequences() == [0, 1, 2])
    }

    @Test("A doubt without a step goes on in the same file") func doubtWithoutStepGoesSame() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(TrackExamples.epoch(100, trusted: false))
        run.take(TrackExamples.epoch(200, trusted: false))
        #expect(run.sequences() == [0])
        run.take(TrackExamples.epoch(300, step: .milliseconds(900)))
        #expect(run.sequences(fileSet: 1) == [0, 1, 2, 3])
    }

    @Test(
        "A step begins new files, named by the new time", arguments: [18, -18, 3600, -619_315_200])
    func stepBeginsNewFilesNamed(seconds: Int) {
        let step = TimeSpan.seconds(seconds)
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(TrackExamples.epoch(100))
        run.take(TrackExamples.epoch(200, trusted: false, step: step))
        run.take(TrackExamples.epoch(300, trusted: false, step: step))
        #expect(run.sequences() == [0, 1])
        run.take(TrackExamples.epoch(400, step: step))
        #expect(run.sequences(fileSet: 1) == [0, 1])
        #expect(run.sequences(fileSet: 2) == [2, 3, 4])
        let begun = TrackExamples.start + .milliseconds(200) + step
        #expect(run.names[1] == TrackFileName(kind: .track, time: begun).text)
        #expect(run.rows(.events, fileSet: 1).last?.contains("reason=step") == true)
        #expect(run.rows(.events, fileSet: 2).first?.contains("reason=step held=2") == true)
    }

    @Test("A step that left no doubtful epoch is known by its notice")
    func stepLeftNoDoubtfulEpoch() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        let notice = TrackExamples.notice(.clock, 50, [Field("stepped", "yes")])
        run.take(.notice(notice), at: 50)
        run.take(TrackExamples.epoch(100, step: .seconds(-2)))
        run.take(TrackExamples.epoch(200, step: .seconds(-2)))
        #expect(run.sequences(fileSet: 1) == [0])
        #expect(run.sequences(fileSet: 2) == [1, 2])
    }

    @Test("A leap second costs one second of rows, in one file of the new day")
    func leapSecondCostsOneSecond() {
        var run = JournalRun()
        // The run begins 14 hours before midnight; 23:59:60 comes as 00:00:00, and then that time
        // comes again.
        let midnight = 14 * 3_600_000
        for offset in stride(from: -300, to: 2500, by: 100) {
            let step = TimeSpan.seconds(offset >= 1000 ? -1 : 0)
            run.take(TrackExamples.epoch(midnight + offset, step: step))
        }
        #expect(run.rows(.track, fileSet: 1).count == 3)
        #expect(run.rows(.track, fileSet: 2).count == 15)
        #expect(run.names.count == 2)
        #expect(run.journal.unwritten == 10)
        let times = run.rows(.track).map { $0.prefix(24) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("A time that no calendar of ours has is no time") func timeNoCalendarOursHas() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0, step: .seconds(100 * 366 * 86_400)))
        #expect(run.lines.isEmpty)
    }

    @Test("What was held on the old time is lost with the step") func whatHeldOldTimeLost() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(TrackExamples.epoch(100, trusted: false))
        run.take(TrackExamples.epoch(200, trusted: false, step: .seconds(18)))
        run.take(TrackExamples.epoch(300, step: .seconds(18)))
        #expect(run.sequences(fileSet: 2) == [2, 3])
        #expect(run.journal.unwritten == 1)
    }

    @Test("Events during a doubt go into the file that is open, without UTC of ours")
    func eventsDuringDoubtGoInto() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(TrackExamples.epoch(100, trusted: false))
        run.take(.notice(TrackExamples.notice(.clock, 150)), at: 150)
        #expect(run.rows(.events, fileSet: 1).last == ",0.150000,clock,,,48.00001000,11.00000000,1")
        #expect(run.journal.utc(at: .zero) == nil)
    }

    @Test("An event far from the last epoch has no place") func eventFarFromLastEpoch() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        for (milliseconds, place) in [(2500, true), (2501, false)] {
            run.take(.notice(TrackExamples.notice(.mark, milliseconds)), at: milliseconds)
            #expect(run.rows(.events).last?.hasSuffix(",,,") == !place)
        }
    }

    @Test("The end writes what it can and counts what it cannot") func endWritesWhatCanCounts() {
        var run = JournalRun()
        run.take(TrackExamples.epoch(0))
        run.take(TrackExamples.epoch(100, trusted: false))
        run.take(.off, at: 200)
        #expect(run.sequences() == [0])
        #expect(run.journal.unwritten == 1)
        #expect(run.effects.last == .seal)
    }

    @Test("However inputs come, times increase in each file and each has its opening")
    func howeverInputsComeTimesIncrease() {
        for seed in UInt64(0)..<200 {
            var numbers = SeededGenerator(seed: seed)
            var run = JournalRun {
                $0.rotation = Bool.random(using: &numbers) ? .day : .size(2000)
                $0.pushes = .on
            }
            var now = 13 * 3_600_000
            var step = TimeSpan.zero
            for _ in 0..<400 {
                now += Int.random(in: 1...20_000, using: &numbers)
                switch Int.random(in: 0..<20, using: &numbers) {
                case 0: run.take(.rotate, at: now)
                case 1: run.take(.off, at: now)
                case 2, 3: run.take(.on, at: now)
                case 4: step = .seconds(Int.random(in: -40_000...40_000, using: &numbers))
                case 5, 6: run.take(.notice(TrackExamples.notice(.mark, now)), at: now)
                case 7...9: run.take(TrackExamples.epoch(now, trusted: false, step: step))
                default: run.take(TrackExamples.epoch(now, step: step))
                }
            }
            judge(run, seed: seed)
        }
    }

    private func judge(_ run: JournalRun, seed: UInt64) {
        let volumes = Set(run.lines.map(\.fileSet)).sorted()
        #expect(volumes == Array(1...(volumes.last ?? 1)), "seed \(seed)")
        for fileSet in volumes {
            let rows = run.rows(.track, fileSet: fileSet).map { $0.prefix(24) }
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
            let opening = run.rows(.events, fileSet: fileSet).first
            #expect(opening?.contains("state=open") == true, "seed \(seed)")
        }
        // No rows go to an older set once a newer one was begun.
        let order = run.lines.map(\.fileSet)
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
    }
}
