import Clock
import OsmoProtocol
import RadioPort
import Testing

@testable import Fleet

/// How long a Connect may take, which camera comes first, and what follows a failure.
@Suite struct QueueConnectTests {
    typealias Bench = QueueBench
    static let adapterA = Bench.adapterA

    /// Whether the Connect to camera 1 is given up after `span`, and not a nanosecond before.
    private static func isGivenUp(_ bench: inout Bench, after span: TimeSpan) -> Bool {
        let before = bench.count(.disconnect(.test(1)))
        bench.pass(span - TimeSpan(nanoseconds: 1))
        guard bench.count(.disconnect(.test(1))) == before else { return false }
        bench.pass(TimeSpan(nanoseconds: 1))
        return bench.count(.disconnect(.test(1))) == before + 1
    }

    // MARK: Deadlines

    @Test("D14: a Connect is given up after 15 s where nobody waits for the adapter")
    func d14ConnectGivenUpAfter() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.hear(Bench.camera(1))
        #expect(Self.isGivenUp(&bench, after: .seconds(15)))
    }

    @Test("D1: after 6 s where another camera waits, counted from its beginning")
    func d1After6SWhere() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.hear(Bench.camera(1))
        bench.pass(.seconds(2))
        bench.hear(Bench.camera(2))
        #expect(Self.isGivenUp(&bench, after: .seconds(4)))
        bench.handle(.connectEnded(.test(1), .aborted))
        #expect(bench.attempts.last == Bench.camera(2))
    }

    @Test("D1: at once where another camera comes later than that") func d1OnceWhereAnotherCamera()
    {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.hear(Bench.camera(1))
        bench.pass(.seconds(9))
        #expect(bench.hear(Bench.camera(2)).contains(.disconnect(.test(1))))
    }

    @Test("D1: whoever can only be reached by another adapter does not wait for this one")
    func d1WhoeverCanOnlyReached() {
        var bench = Bench.ready(adapters: 2, cameras: Bench.cameras(3))
        bench.hear(Bench.camera(1))
        bench.hear(Bench.camera(2), on: Bench.adapterB)
        bench.hear(Bench.camera(3), on: Bench.adapterB)
        #expect(Self.isGivenUp(&bench, after: .seconds(15)))
    }

    @Test(
        "D3: bluetoothd that dies of a Connect 3 s old is not let come to that again",
        arguments: [
            (TimeSpan.seconds(3), true), (TimeSpan.seconds(3) - TimeSpan(nanoseconds: 1), false),
        ])
    func d3BluetoothdDiesConnect3(
        age: TimeSpan, isCautious: Bool
    ) {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.pass(age)
        bench.handle(.available(false))
        bench.handle(.available(true))
        bench.appear(Self.adapterA)
        bench.pass(.seconds(10))
        bench.hear(Bench.camera(1))
        #expect(Self.isGivenUp(&bench, after: isCautious ? .milliseconds(3500) : .seconds(15)))
    }

    @Test(
        "D3: nor where the Connect has failed a moment before",
        arguments: [ConnectOutcome.aborted, .noReply])
    func d3NorWhereConnectHas(outcome: ConnectOutcome) {
        for late in [false, true] {
            var bench = Bench.ready(cameras: Bench.cameras(1))
            bench.hear(Bench.camera(1))
            bench.pass(.milliseconds(4200))
            bench.handle(.connectEnded(.test(1), outcome))
            bench.pass(.seconds(1) + TimeSpan(nanoseconds: late ? 1 : 0))
            bench.handle(.available(false))
            #expect(bench.queue.isCautious == !late)
        }
    }

    @Test("D11: a restart while nothing is being connected teaches nothing")
    func d11RestartWhileNothingBeing() {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.open(Bench.camera(1))
        bench.pass(.seconds(60))
        bench.handle(.available(false))
        #expect(!bench.queue.isCautious)
    }

    @Test("D3: an abort that took 3 s is a camera that does not answer, and no quick retry")
    func d3AbortTook3S() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.pass(.seconds(3))
        bench.handle(.connectEnded(.test(1), .aborted))
        #expect(bench.news.contains(.failed(.test(1), .deadline)))
        bench.pass(.milliseconds(900))
        #expect(bench.attempts.count == 1)
        bench.hear(Bench.camera(1))
        bench.pass(.milliseconds(400))
        #expect(bench.attempts.count == 2)
    }

    @Test("after a crash in the middle of a Connect two unanswered ones cycle the adapter")
    func afterCrashMiddleConnectTwo() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.pass(.seconds(1))
        bench.handle(.available(false))
        bench.handle(.available(true))
        bench.appear(Self.adapterA)
        for round in 1...2 {
            #expect(bench.count(.powerOff(adapter: Self.adapterA)) == 0)
            bench.pass(.seconds(10))
            bench.hear(Bench.camera(1))
            #expect(bench.attempts.count == round + 1)
            bench.pass(.seconds(15))
            bench.handle(.connectEnded(.test(1), .aborted))
        }
        #expect(bench.count(.powerOff(adapter: Self.adapterA)) == 1)
    }

    // MARK: The order of cameras

    @Test("of those that wait, the ones that did not fail last go first") func thoseWaitOnesDidNot()
    {
        var bench = Bench.ready(cameras: Bench.cameras(3))
        bench.hear(Bench.camera(1))
        bench.handle(.connectEnded(.test(1), .failed("x")))
        bench.open(Bench.camera(3))
        bench.handle(.linkClosed(.test(3)))
        bench.hear(Bench.camera(2))
        bench.pass(.seconds(2))
        // The last turn of the camera that failed is longer ago.
        bench.hear(Bench.camera(1))
        bench.hear(Bench.camera(3))
        bench.handle(.connectEnded(.test(2), .failed("x")))
        #expect(bench.attempts.last == Bench.camera(3))
        bench.handle(.connectEnded(.test(3), .ok))
        #expect(bench.attempts.last == Bench.camera(1))
    }

    @Test("of the healthy ones, the one whose turn is longest ago") func healthyOnesOneWhoseTurn() {
        var bench = Bench.ready(cameras: Bench.cameras(3))
        for number in [3, 1, 2] {
            bench.hear(Bench.camera(number))
            bench.handle(.connectEnded(.test(number), .ok))
            bench.handle(
                .linkOpen(.test(number), LinkParameters(mtu: 500, path: .descriptor)))
        }
        bench.queue.ending = true
        for number in 1...3 { bench.handle(.linkClosed(.test(number))) }
        for number in 1...3 { bench.hear(Bench.camera(number)) }
        bench.queue.ending = false
        for _ in 1...3 {
            bench.step()
            bench.handle(.connectEnded(.test(bench.numberOfLast), .ok))
        }
        #expect(bench.attempts.suffix(3) == [3, 1, 2].map { Bench.camera($0) })
    }

    @Test("after a failed Connect a camera has to be heard anew before the next")
    func afterFailedConnectCameraHas() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        bench.hear(Bench.camera(1))
        bench.handle(.connectEnded(.test(1), .failed("x")))
        bench.pass(.seconds(20))
        #expect(bench.attempts.count == 1)
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == 2)
    }

    @Test("what was heard counts for 25 s", arguments: [(25, 2), (26, 1)])
    func whatHeardCounts25S(age: Int, attempts: Int) {
        var bench = Bench.ready(cameras: Bench.cameras(2))
        bench.hear(Bench.camera(1))
        bench.handle(.connectEnded(.test(1), .ok))
        bench.queue.ending = true
        bench.hear(Bench.camera(2))
        bench.queue.ending = false
        bench.now = bench.now + .seconds(age)
        bench.step()
        #expect(bench.attempts.count == attempts)
    }

    @Test("a camera that was gone and is heard again is tried at once, backed off or not")
    func cameraGoneHeardAgainTried() {
        var bench = Bench.ready(cameras: Bench.cameras(1))
        for _ in 1...7 {
            bench.hear(Bench.camera(1))
            bench.handle(.connectEnded(.test(1), .failed("x")))
            bench.pass(.seconds(61))
        }
        bench.hear(Bench.camera(1))
        bench.handle(.connectEnded(.test(1), .failed("x")))
        // While it is heard all the time, it waits. When it was not heard during 4 s of scanning,
        // it counts as having come back.
        let count = bench.attempts.count
        for _ in 1...8 {
            bench.pass(.seconds(1))
            bench.hear(Bench.camera(1))
        }
        #expect(bench.attempts.count == count)
        bench.pass(.seconds(4) - TimeSpan(nanoseconds: 1))
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == count)
        bench.pass(.seconds(4))
        bench.hear(Bench.camera(1))
        #expect(bench.attempts.count == count + 1)
    }

    @Test("D11: after a crash those that were being connected wait, the others do not")
    func d11AfterCrashThoseBeing() {
        var bench = Bench.ready(cameras: Bench.cameras(3))
        bench.open(Bench.camera(1))
        bench.hear(Bench.camera(2))
        bench.handle(.connectEnded(.test(2), .ok))
        bench.hear(Bench.camera(3))
        bench.handle(.available(false))
        bench.handle(.available(true))
        bench.appear(Self.adapterA)
        for number in 1...3 { bench.hear(Bench.camera(number)) }
        #expect(bench.attempts.last == Bench.camera(1))
        bench.handle(.connectEnded(.test(1), .ok))
        #expect(bench.attempts.last == Bench.camera(1))
        bench.pass(.milliseconds(1250))
        #expect(bench.attempts.last == Bench.camera(2))
        for number in 2...3 {
            #expect(bench.queue[Bench.camera(number)]?.backoff.failures == 1)
        }
    }
}

extension QueueBench {
    /// The number of the camera that was connected to last.
    var numberOfLast: Int { Int((attempts.last?.value ?? 0) & 0xFFFF) }
}
