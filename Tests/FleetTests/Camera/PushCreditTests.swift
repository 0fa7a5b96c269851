import Clock
import Testing

@testable import Fleet

@Suite("Push credit")
struct PushCreditTests {
    static func credit(every interval: TimeSpan, count: Int = PushCredit.window + 1) -> PushCredit {
        var credit = PushCredit()
        for number in 0..<count { credit.earn(at: Instant.zero + interval * number) }
        return credit
    }

    @Test(
        "is 1.5 usual intervals' worth, 8 to 15 frames",
        arguments: [
            (50, 10, 8), (500, 10, 8), (533, 10, 8), (534, 10, 9), (600, 10, 9), (800, 10, 12),
            (1000, 10, 15), (1001, 10, 15), (100_000, 10, 15), (1000, 5, 8), (2000, 5, 15),
            (2000, 1, 8),
        ])
    func limit(milliseconds: Int, rate: Int, frames: Int) {
        let credit = Self.credit(every: .milliseconds(milliseconds))
        #expect(credit.limit(rate: rate) == frames)
    }

    @Test("is 15 until seven intervals are known")
    func unknown() {
        let credit = Self.credit(every: .milliseconds(500), count: PushCredit.window)
        #expect(credit.usualInterval == nil)
        #expect(credit.limit(rate: 10) == 15)
        #expect(Self.credit(every: .milliseconds(500)).limit(rate: 10) == 8)
    }

    @Test("takes the usual interval, whatever a few notifications on change do")
    func usual() {
        var credit = PushCredit()
        var now = Instant.zero
        for gap in [1000, 1000, 3, 1000, 2, 1000, 1000, 30_000] {
            now += .milliseconds(gap)
            credit.earn(at: now)
        }
        #expect(credit.usualInterval == .milliseconds(1000))
    }

    @Test("is spent, given back and earned", arguments: [8, 15])
    func spending(limit: Int) {
        var credit = limit == 15 ? PushCredit() : Self.credit(every: .milliseconds(500))
        for _ in 0..<limit {
            let took = credit.spend(rate: 10, at: .zero)
            #expect(took)
        }
        #expect(!credit.covers(rate: 10))
        #expect(credit.withheld == 0)
        let refused = credit.spend(rate: 10, at: Instant(nanoseconds: 7))
        #expect(!refused)
        #expect(credit.withheldSince == Instant(nanoseconds: 7))
        credit.giveBack()
        #expect(credit.covers(rate: 10))
        for _ in 0..<99 { credit.giveBack() }
        #expect(credit.spent == 0)
        credit.earn(at: Instant(nanoseconds: 9_000_000_000))
        #expect(credit.withheldSince == nil)
        #expect(credit.withheld == 0)
    }
}
