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
        #expect(credit.withheldSince == Instant(nanoseconds: 7))
        credit.resume()
        #expect(credit.withheldSince == nil)
        #expect(credit.withheld == 0)
    }

    /// Sends pushes until one is withheld; returns how many went out.
    private func spendAll(_ credit: inout PushCredit) -> Int {
        var count = 0
        while credit.spend(rate: 10, at: .zero) { count += 1 }
        return count
    }

    @Test("needs a proof after twelve frames, however much is heard")
    func proof() {
        var credit = PushCredit()
        credit.needsProof = true
        #expect(spendAll(&credit) == PushCredit.maxUnproven)
        credit.earn(at: .zero)
        #expect(spendAll(&credit) == 0)
        credit.ask(7, at: .zero)
        #expect(credit.out == PushCredit.maxUnproven + 1)
        credit.needsProof = false
        #expect(spendAll(&credit) > 0)
    }

    @Test("is proven by an answer as far as its query, and no further")
    func staleAnswers() {
        var credit = PushCredit()
        credit.needsProof = true
        for sequence: UInt16 in 1...3 {
            for _ in 0..<2 { _ = credit.spend(rate: 10, at: .zero) }
            credit.ask(sequence, at: .zero + .seconds(Int(sequence)))
        }
        #expect(credit.out == 9)
        #expect(credit.unanswered == 3)
        let unknown = credit.prove(99)
        #expect(!unknown)
        let old = credit.prove(1)
        #expect(old)
        #expect(credit.out == 6)
        #expect(credit.unansweredSince == .zero + .seconds(2))
        let again = credit.prove(1)
        #expect(!again)
        let newest = credit.prove(3)
        #expect(newest)
        #expect(credit.out == 0)
        #expect(credit.unansweredSince == nil)
        // A version query that was skipped is answered: that proves nothing any more.
        let skipped = credit.prove(2)
        #expect(!skipped)
        #expect(credit.out == 0)
    }

    @Test("tells the last eight queries apart", arguments: [8, 9])
    func queries(count: Int) {
        var credit = PushCredit()
        for number in 1...count { credit.ask(UInt16(number), at: .zero) }
        let first = credit.prove(1)
        #expect(first == (count == PushCredit.maxQueries))
        let last = credit.prove(UInt16(count))
        #expect(last)
        #expect(credit.out == 0)
    }

    @Test("lets the closing voids out up to fifteen frames in all")
    func lastVoids() {
        var credit = PushCredit()
        credit.needsProof = true
        _ = spendAll(&credit)
        credit.earn(at: .zero)
        var count = 0
        while credit.spendLast() { count += 1 }
        #expect(count == PushCredit.maxCredit - PushCredit.maxUnproven)
    }
}
