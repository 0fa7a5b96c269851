import Clock
import Testing

@testable import GPSD

@Suite("The client's session with gpsd")
struct ClientSessionTests {
    /// A generator that counts up: enough variety for what uses it.
    struct Counting: RandomNumberGenerator {
        var state: UInt64 = 0
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
    }

    var session = ClientSession(at: .zero)
    var random = Counting()

    mutating func say(_ input: ClientSession.Input, at seconds: Double) -> [ClientSession.Effect] {
        session.handle(input, at: .zero + .seconds(seconds), using: &random)
    }

    /// Connects and sends gpsd's greeting at 0.
    mutating func connect() {
        _ = say(.wake, at: 0)
        _ = say(.opened, at: 0)
        #expect(say(.version, at: 0) == [.connected])
    }

    @Test("It opens at once, watches when open, and is connected when gpsd greets")
    mutating func start() {
        #expect(session.nextDeadline == .zero)
        #expect(say(.wake, at: 0) == [.open])
        #expect(session.nextDeadline == nil)
        #expect(say(.opened, at: 0.1) == [.watch])
        #expect(say(.version, at: 6) == [.connected])
    }

    @Test("A report is as good a greeting as VERSION")
    mutating func reportGreets() {
        _ = say(.wake, at: 0)
        _ = say(.opened, at: 0)
        #expect(say(.report, at: 1) == [.connected])
    }

    @Test("A greeting may take 15 seconds and not longer")
    mutating func greetingTime() {
        _ = say(.wake, at: 0)
        _ = say(.opened, at: 0)
        #expect(say(.wake, at: 14.999) == [])
        #expect(session.nextDeadline == .zero + .seconds(15))
        #expect(say(.wake, at: 15) == [.close, .trouble(.noGreeting)])
    }

    @Test("Silence sends WATCH again at 5 and 10 s and opens anew at 15 s")
    mutating func silence() {
        connect()
        var seen: [(Double, [ClientSession.Effect])] = []
        for _ in 0..<3 {
            let due = session.nextDeadline!.seconds
            seen.append((due, say(.wake, at: due)))
        }
        #expect(seen.map(\.0) == [5, 10, 15])
        #expect(seen.map(\.1) == [[.watch], [.watch], [.close, .trouble(.silent), .open]])
        #expect(say(.opened, at: 15) == [.watch])
        #expect(say(.version, at: 15) == [])
    }

    @Test("A report ends silence")
    mutating func reports() {
        connect()
        #expect(say(.report, at: 4.9) == [])
        #expect(session.nextDeadline == .zero + .seconds(9.9))
        #expect(say(.wake, at: 5) == [])
    }

    @Test("An end tells the core once and comes back after half a second")
    mutating func ended() {
        connect()
        #expect(say(.ended, at: 3) == [.close, .disconnected, .trouble(.ended)])
        #expect(session.nextDeadline == .zero + .seconds(3.5))
        #expect(say(.wake, at: 3.5) == [.open])
        #expect(say(.openFailed, at: 3.5) == [.trouble(.unreachable)])
    }

    @Test("Pauses double from half a second to ten, less a random part, for ever")
    mutating func backoff() {
        var now = 0.0
        let full = [0.5, 1, 2, 4, 8] + Array(repeating: 10, count: 45)
        for longest in full {
            #expect(say(.wake, at: now) == [.open])
            _ = say(.openFailed, at: now)
            let pause = session.nextDeadline!.seconds - now
            #expect(pause >= max(longest / 2, 0.5) - 1e-6 && pause <= longest + 1e-6)
            now = session.nextDeadline!.seconds
        }
    }

    @Test("A greeting makes pauses short again")
    mutating func backoffEnds() {
        for _ in 0..<5 {
            _ = say(.wake, at: session.nextDeadline!.seconds)
            _ = say(.openFailed, at: 0)
        }
        _ = say(.wake, at: 100)
        _ = say(.opened, at: 100)
        _ = say(.version, at: 100)
        _ = say(.ended, at: 101)
        #expect(session.nextDeadline == .zero + .seconds(101.5))
    }

    @Test("What comes late in a wrong state changes nothing")
    mutating func late() {
        #expect(say(.report, at: 0) == [])
        #expect(say(.ended, at: 0) == [])
        _ = say(.wake, at: 0)
        #expect(say(.wake, at: 1) == [])
        #expect(say(.ended, at: 1) == [])
        #expect(say(.opened, at: 1) == [.watch])
    }
}
