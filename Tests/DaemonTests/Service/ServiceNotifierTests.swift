import Clock
import Foundation
import Glibc
import Reactor
import Testing

@testable import Daemon
@testable import Service

/// The socket at which systemd would listen.
private final class NotifySocket {
    let path: String
    private let folder: TemporaryFolder
    private let number: Int32

    init(abstract: Bool = false) throws {
        folder = try TemporaryFolder()
        path = abstract ? "@" + folder.path : folder.path + "/notify"
        number = socket(AF_UNIX, UnixSocket.datagram, 0)
        try #require(UnixSocket.withAddress(path) { bind(number, $0, $1) } == 0)
    }

    deinit { close(number) }

    /// What has come since the last call, one string for each datagram.
    func messages() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(number, &buffer, buffer.count, 0), count >= 0 {
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return messages
    }
}

@Suite struct ServiceNotifierTests {
    private func notifier(
        _ address: String?, watchdog: String? = nil, process: String? = nil, on loop: EventLoop
    ) -> ServiceNotifier {
        ServiceNotifier(
            address: address, watchdog: watchdog, watchdogProcess: process, on: loop)
    }

    @Test("A service tells when it runs, reloads and ends", arguments: [false, true])
    func serviceTellsWhenRunsReloads(abstract: Bool) throws {
        let systemd = try NotifySocket(abstract: abstract)
        let service = notifier(systemd.path, on: try EventLoop())
        service.ready { true }
        #expect(systemd.messages() == ["READY=1"])
        let before = MonotonicClock.now().nanoseconds / 1000
        service.reloading()
        service.reloaded()
        service.stopping()
        let messages = systemd.messages()
        #expect(messages.count == 3)
        let lines = messages[0].split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        let stamp = lines.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) } ?? 0
        #expect(stamp >= before && stamp < before + 60_000_000)
        #expect(messages[1...] == ["READY=1", "STOPPING=1"])
    }

    @Test("Status goes out on change, once a second at most, on one line")
    func statusGoesOutChangeOnce() throws {
        let systemd = try NotifySocket()
        let loop = try EventLoop()
        let service = notifier(systemd.path, on: loop)
        service.setStatus("one")
        service.setStatus("one")
        #expect(systemd.messages() == ["STATUS=one"])
        service.setStatus("two")
        service.setStatus("three\nREADY=1")
        #expect(systemd.messages() == [])
        let began = loop.now
        let end = MonotonicClock.now() + .seconds(5)
        var seen: [String] = []
        while seen.isEmpty, MonotonicClock.now() < end {
            loop.turn(until: end)
            seen = systemd.messages()
        }
        #expect(seen == ["STATUS=three READY=1"])
        #expect(loop.now - began >= .milliseconds(990))
    }

    @Test("A status that was taken back is not sent") func statusTakenBackNotSent() throws {
        let systemd = try NotifySocket()
        let loop = try EventLoop()
        let service = notifier(systemd.path, on: loop)
        service.setStatus("one")
        service.setStatus("two")
        service.setStatus("one")
        _ = systemd.messages()
        let end = MonotonicClock.now() + .milliseconds(1100)
        while MonotonicClock.now() < end { loop.turn(until: end) }
        #expect(systemd.messages() == [])
    }

    @Test("Signs of life go out while there is life") func signsLifeGoOutWhile() throws {
        let systemd = try NotifySocket()
        let loop = try EventLoop()
        let service = notifier(systemd.path, watchdog: "20000", on: loop)
        #expect(service.watchdogInterval == .milliseconds(10))
        var isAlive = true
        var asked = 0
        service.ready {
            asked += 1
            return isAlive
        }
        while asked < 3 { loop.turn(until: MonotonicClock.now() + .seconds(1)) }
        #expect(systemd.messages() == ["READY=1"] + [String](repeating: "WATCHDOG=1", count: 3))
        isAlive = false
        while asked < 6 { loop.turn(until: MonotonicClock.now() + .seconds(1)) }
        #expect(systemd.messages() == [])
        service.stopping()
        #expect(systemd.messages() == ["STOPPING=1"])
    }

    @Test("Only those are watched who are meant") func onlyThoseWatchedWhoMeant() throws {
        let systemd = try NotifySocket()
        let loop = try EventLoop()
        let own = String(getpid())
        #expect(
            notifier(systemd.path, watchdog: "2000", process: own, on: loop).watchdogInterval != nil
        )
        for (watchdog, process) in [("2000", "1"), ("0", own), ("x", own), (nil, own)] {
            let service = notifier(systemd.path, watchdog: watchdog, process: process, on: loop)
            #expect(service.watchdogInterval == nil)
        }
        #expect(notifier(nil, watchdog: "2000", on: loop).watchdogInterval == nil)
    }

    @Test(
        "Without a service manager nothing happens",
        arguments: [
            nil, "", "relative", "/no/such/socket", "/" + String(repeating: "x", count: 200),
        ])
    func withoutServiceManagerNothingHappens(address: String?) throws {
        let service = notifier(address, on: try EventLoop())
        service.setStatus("one")
        service.ready { true }
        service.stopping()
    }

    @Test(
        "A watchdog's time may be any number",
        arguments: [
            ("9223372036854775807", TimeSpan(nanoseconds: .max)),
            ("18446744073709551615", TimeSpan(nanoseconds: .max)),
            ("18446744073709551616", nil),
            ("-1", nil), ("1", TimeSpan(nanoseconds: 500)),
        ] as [(String, TimeSpan?)])
    func watchdogTimeAnyNumber(text: String, interval: TimeSpan?) throws {
        let systemd = try NotifySocket()
        let service = notifier(systemd.path, watchdog: text, on: try EventLoop())
        #expect(service.watchdogInterval == interval)
        service.ready { true }
    }

    @Test("Alive is who ticked and served the bus, or waits for it") func aliveWhoTickedServedBus()
    {
        var liveness = Liveness()
        let answers = [
            (true, 0, false), (true, 1, false), (false, 2, false), (true, 2, false),
            (true, 2, true), (false, 2, true),
        ].map { liveness.check(isTicking: $0, busTurns: $1, busIsAwaited: $2) }
        #expect(answers == [true, true, false, false, true, false])
    }
}
