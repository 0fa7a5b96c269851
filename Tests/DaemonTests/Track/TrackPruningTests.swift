import Clock
import Fleet
import Foundation
import Testing
import TrackFormat

@testable import Daemon

@Suite struct TrackPruningTests {
    private static let day: Int64 = 86_400
    private static let now = WriterRun.start

    /// Sets begun so many days ago, oldest first, each of a track of 100 and events of 10 bytes.
    private static func files(daysAgo: [Int64]) -> [TrackPruning.Candidate] {
        daysAgo.flatMap { days in
            let time = now + .seconds(Int(-days * day))
            return [(TrackFileKind.track, 100), (.events, 10)].map { kind, bytes in
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
        let run = try WriterRun(folder.path) { $0.keep = .days(30) }
        run.record(0..<3)
        try run.settle()
        #expect(
            folder.names == [
                "events-20260701T100000Z.csv", "notes.txt", "track-2025.csv",
                "track-20250101T000000Z.csv.bak", "track-20260701T100000Z.csv",
            ])
        #expect(run.says("state=pruned files=2"))
    }
}
