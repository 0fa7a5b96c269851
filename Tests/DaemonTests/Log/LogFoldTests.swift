import Clock
import Testing

@testable import Daemon

@Suite struct LogFoldTests {
    private func admit(
        _ fold: inout LogFold, _ key: String, _ seconds: Double, burst: Int = 1
    ) -> Bool { fold.admits(line(key), key: key, burst: burst, at: at(seconds)) }

    private func line(_ text: String) -> LogFold.Line { LogFold.Line(severity: 6, text: text) }

    private func at(_ seconds: Double) -> Instant { .zero + .seconds(seconds) }

    @Test("So many of a kind get through in a minute, the rest is counted")
    func soManyKindGetThrough() {
        var fold = LogFold()
        let admitted = (0..<10).filter {
            fold.admits(line("a \($0)"), key: "a", burst: 3, at: at(1))
        }
        #expect(admitted == [0, 1, 2])
        #expect(fold.nextDeadline == at(61))
        let early = fold.removeDue(at: at(60.9))
        #expect(early.isEmpty)
        let due = fold.removeDue(at: at(61))
        #expect(due.map(\.line) == [line("a 9")])
        #expect(due.map(\.folded) == [7])
        #expect(fold.nextDeadline == nil)
    }

    @Test("The line that tells the count is the next minute's first")
    func lineTellsCountNextMinute() {
        var fold = LogFold()
        for _ in 0..<3 { _ = fold.admits(line("a"), key: "a", burst: 1, at: at(0)) }
        let first = fold.removeDue(at: at(60))
        #expect(first.count == 1)
        #expect(!admit(&fold, "a", 61))
        let second = fold.removeDue(at: at(120))
        #expect(second.map(\.folded) == [1])
    }

    @Test("After a quiet minute a line gets through again") func afterQuietMinuteLineGets() {
        var fold = LogFold()
        #expect(admit(&fold, "a", 0))
        #expect(admit(&fold, "a", 60))
    }

    @Test("Keys do not disturb each other") func keysDoNotDisturbEach() {
        var fold = LogFold()
        #expect(admit(&fold, "a", 0))
        #expect(admit(&fold, "b", 0))
        #expect(!admit(&fold, "a", 1))
    }

    @Test("However many kinds there are, a second has its bound and memory too")
    func howeverManyKindsThereSecond() {
        var fold = LogFold()
        let admitted = (0..<5000).filter { count in
            fold.admits(line("\(count)"), key: "\(count)", burst: 5, at: at(0.5))
        }
        #expect(admitted.count == LogFold.maxLines)
        #expect(admit(&fold, "x", 1.5))
        let due = fold.removeDue(at: at(100))
        #expect(due.count <= LogFold.maxKeys)
    }
}
