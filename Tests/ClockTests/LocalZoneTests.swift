import Testing

@testable import Clock

/// The offset of local time belongs to the instant that is asked for.
@Suite("Time zones")
struct LocalZoneTests {
    static func time(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) -> UnixTime {
        CivilTime(year: 2026, month: month, day: day, hour: hour, minute: minute)?.unixTime()
            ?? UnixTime(nanoseconds: 0)
    }

    /// Summer time from 29 March to 25 October 2026, 01:00 UTC.
    static let berlin = LocalZone(from: time(1, 1, 0), to: time(12, 31, 0)) { time in
        let isSummer = !(time < Self.time(3, 29, 1)) && time < Self.time(10, 25, 1)
        return .seconds(isSummer ? 7200 : 3600)
    }

    @Test(
        "Each side of a change has its own offset, to the second",
        arguments: [(3, 29, 0, 59, 1), (3, 29, 1, 0, 2), (10, 25, 0, 59, 2), (10, 25, 1, 0, 1)])
    func changes(month: Int, day: Int, hour: Int, minute: Int, hours: Int) {
        let time = Self.time(month, day, hour, minute)
        #expect(Self.berlin.offset(at: time) == .seconds(hours * 3600))
    }

    @Test("Before the first change and without any the first offset counts")
    func first() {
        #expect(Self.berlin.offset(at: UnixTime(nanoseconds: 0)) == .seconds(3600))
        #expect(LocalZone.utc.offset(at: Self.time(7, 1, 0)) == .zero)
    }

    @Test("No more changes are kept than the bound", arguments: [0, 1])
    func bound(more: Int) {
        let changes = (0..<LocalZone.maxChanges + more).map {
            LocalZone.Change(
                from: UnixTime(nanoseconds: Int64($0 + 1) * 1_000_000_000), offset: .seconds($0))
        }
        let zone = LocalZone(first: .zero, changes: changes)
        let far = UnixTime(nanoseconds: .max)
        #expect(zone.offset(at: far) == .seconds(LocalZone.maxChanges - 1))
    }
}
