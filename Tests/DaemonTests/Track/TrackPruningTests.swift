import Clock
import Fleet
import Foundation
import Testing
import TrackFormat

@testable import Daemon

@Suite struct TrackPruningTests {
    private static let day: Int64 = 86_400
    private static let now = WriterRun.start

    /// Sets of files that were begun so many days ago, oldest first: a track of 100 bytes and
    /// events of 10 bytes each.
    private static func files(daysAgo: [Int64]) -> [TrackPruning.Candidate] {
        daysAgo.flatMap { days in
            let time = now + .seconds(Int(-days * day))
            return [(TrackFileKind.track, Int64(100)), (.events, 10)].map { kind, bytes in
                TrackPruning.Candidate(
                    name: TrackFileName(kind: kind, time: time), bytes: bytes)
            }
        }
    }

    @Test(
        "The oldest sets go, whole, and never the one being written",
        arguments: [
            (TrackSettings.Keep.all, 0), (.days(2), 3), (.days(3), 2), (.days(400), 0),
            (.days(1), 4),
            (.size(550), 0), (.size(549), 1), (.size(440), 1), (.size(439), 2), (.size(1), 4),
        ])
    func oldestSetsGoWholeNever(
        keep: TrackSettings.Keep, sets: Int
    ) {
        let all = Self.files(daysAgo: [5, 4, 3, 2, 0])
        let victims = TrackPruning.victims(
            all, keep: keep, current: all.last?.name, now: Self.now)
        #expect(victims == Array(all.prefix(sets * 2)))
    }

    @Test(
        "A file of just so many days stays, and one of a second more goes",
        arguments: [(0, 0), (1, 1)])
    func fileJustSoManyDays(
        older: Int, victims: Int
    ) {
        let time = Self.now + .seconds(-7 * 86_400 - older)
        let file = TrackPruning.Candidate(name: TrackFileName(kind: .track, time: time), bytes: 1)
        let found = TrackPruning.victims([file], keep: .days(7), current: nil, now: Self.now)
        #expect(found.count == victims)
    }

    @Test("Pruning deletes our files alone") func pruningDeletesOurFilesAlone() throws {
        let folder = try TemporaryFolder()
        for name in ["track-20250101T000000Z.csv", "events-20250101T000000Z.csv"] {
            try folder.write("x", to: name)
        }
        for name in ["track-2025.csv", "notes.txt", "track-20250101T000000Z.csv.bak"] {
            try folder.write("x", to: name)
        }
        let run = try WriterRun(folder.path, isSynchronised: true) { $0.keep = .days(30) }
        run.record(0..<3)
        try run.settle()
        #expect(
            folder.names == [
                "events-20260701T100000Z.csv", "notes.txt", "track-2025.csv",
                "track-20250101T000000Z.csv.bak", "track-20260701T100000Z.csv",
            ])
        #expect(run.says("state=pruned files=2"))
    }

    /// Writes tracks of the 28 days before the runs of these tests begin.
    private static func archive(in folder: TemporaryFolder) throws -> [String] {
        try (1...28).map { days in
            let time = now + .seconds(-days * 86_400)
            let name = TrackFileName(kind: .track, time: time).text
            try folder.write(TrackRow.header, to: name)
            return name
        }
    }

    @Test(
        "A date that only the receiver says deletes nothing, in one run or in several",
        arguments: [2039, 2046, 2027])
    func falseDateDeletesNothing(year: Int) throws {
        let folder = try TemporaryFolder()
        let archive = try Self.archive(in: folder)
        let time = try #require(CivilTime(year: year, month: 2, day: 3)).unixTime()
        for _ in 0..<(year == 2027 ? 1 : 3) {
            let run = try WriterRun(folder.path) {
                $0.keep = .days(30)
                $0.rotation = .size(1)
            }
            run.record(0..<3, from: time)
            try run.settle()
            run.writer.close()
            #expect(folder.names.filter(archive.contains).count == 28)
        }
    }

    @Test("A synchronised clock goes before the receiver's date")
    func synchronisedClockGoesFirst() throws {
        let folder = try TemporaryFolder()
        let archive = try Self.archive(in: folder)
        let run = try WriterRun(folder.path, isSynchronised: true) { $0.keep = .days(7) }
        run.record(0..<3, from: Self.now + .seconds(2_000_000_000))
        try run.settle()
        #expect(folder.names.filter(archive.contains).count == 7)
    }

    @Test("Without a clock the newest earlier set supports a date")
    func newestSetSupportsDate() throws {
        let folder = try TemporaryFolder()
        let archive = try Self.archive(in: folder)
        let newest = TrackFileName(kind: .track, time: Self.now + .seconds(-43_200)).text
        try folder.write(TrackRow.header, to: newest)
        let run = try WriterRun(folder.path) { $0.keep = .days(7) }
        run.record(0..<3, from: Self.now + .seconds(3 * 86_400))
        try run.settle()
        // The age counts from the set of half a day before, although the receiver's time is three
        // days ahead.
        #expect(folder.names.filter(archive.contains).count == 7)
    }

    /// The numbers are seconds since the day of the pruning tests; nil means that there is no date.
    @Test(
        "What a date rests on",
        arguments: [
            ([-100, -50], nil, 0, 10, -40), ([-100, -50], nil, -45, 10, -45),
            ([-100, -50], -60, 0, 10, -60), ([-100, -50], 70, 0, 10, 0),
            ([], nil, 0, 10, nil), ([], 5, 0, 10, 0),
            ([0, SupportedDate.maxPause], nil, 1 << 32, 0, SupportedDate.maxPause),
            ([0, SupportedDate.maxPause + 1], nil, 1 << 32, 0, 0),
        ] as [([Int64], Int64?, Int64, Int, Int64?)])
    func supportedDate(
        files: [Int64], clock: Int64?, gps: Int64, passed: Int, expected: Int64?
    ) {
        func time(_ second: Int64) -> UnixTime {
            UnixTime(nanoseconds: (Self.now.wholeSeconds + second) * 1_000_000_000)
        }
        var date = SupportedDate()
        date.begin(files.map { TrackFileName(kind: .track, time: time($0)) }, at: .zero)
        let found = date.date(
            gps: time(gps), synchronised: clock.map(time), at: .zero + .seconds(passed))
        #expect(found == expected.map(time))
    }
}
