import Clock
import Foundation
import Glibc
import LineProtocol
import Testing

@testable import Daemon

@Suite struct ControlSocketTests {
    @Test("A request is answered on its own connection") func requestAnsweredOwnConnection() throws
    {
        let bench = try ConsoleBench()
        try bench.open()
        let peer = try SocketPeer(bench)
        peer.write("#a record start front\n")
        #expect(peer.replies() == ["#a record front result=ok", "#a OK"])
        #expect(bench.commands.map(\.command) == [.record(.start)])
        #expect(bench.commands.map(\.target) == [.these(["front"])])
    }

    @Test("Requests of one client are answered in order, one at a time")
    func requestsOneClientAnsweredOrder() throws {
        let bench = try ConsoleBench()
        bench.answersAtOnce = false
        try bench.open()
        let peer = try SocketPeer(bench)
        peer.write("photo\nsleep\ngps\n")
        #expect(bench.turn { bench.commands.count == 1 })
        bench.settle()
        #expect(bench.commands.count == 1)
        bench.answer(bench.commands[0].ticket, "photo")
        #expect(bench.turn { bench.commands.count == 2 })
        #expect(peer.replies(1) == ["photo front result=ok", "OK"])
        bench.answer(bench.commands[1].ticket, "sleep")
        let lines = peer.replies(3)
        #expect(lines.count == 6)
        #expect(lines[2] == "sleep front result=ok")
        #expect(lines[4].hasPrefix("gps - state=fix3d"))
    }

    @Test("A timed start holds up nothing else of its client, and its answer has its tag")
    func timedStartHoldsUpNothing() throws {
        let bench = try ConsoleBench()
        bench.answersAtOnce = false
        try bench.open()
        let peer = try SocketPeer(bench)
        peer.write("#a record start at=2026-07-01T10:00:00Z\n#b sleep\n")
        #expect(bench.turn { bench.commands.count == 2 })
        bench.answer(bench.commands[1].ticket, "sleep")
        #expect(peer.replies(1) == ["#b sleep front result=ok", "#b OK"])
        bench.answer(bench.commands[0].ticket, "record")
        #expect(peer.replies(2).suffix(2) == ["#a record front result=ok", "#a OK"])
    }

    @Test("Other clients go on while one waits") func otherClientsGoWhileOne() throws {
        let bench = try ConsoleBench()
        bench.answersAtOnce = false
        try bench.open()
        let (slow, quick) = (try SocketPeer(bench), try SocketPeer(bench))
        slow.write("pair\n")
        #expect(bench.turn { bench.commands.count == 1 })
        quick.write("status\n")
        #expect(quick.replies().last == "OK")
        bench.answer(bench.commands[0].ticket, "pair")
        #expect(slow.replies() == ["pair front result=ok", "OK"])
    }

    @Test("Half lines wait for their rest, glued lines are each answered")
    func halfLinesWaitTheirRest() throws {
        let bench = try ConsoleBench()
        try bench.open()
        let peer = try SocketPeer(bench)
        peer.write("#1 pho")
        bench.settle()
        #expect(bench.commands.isEmpty)
        peer.write("to\r\n#2 photo\n\n   \n#3 nonsense\n#4 photo")
        #expect(peer.replies(3).filter(SocketPeer.isEnd).count == 3)
        peer.halfClose()
        #expect(peer.replies(4).last == "#4 OK")
        #expect(peer.seesEnd())
        #expect(bench.commands.count == 3)
    }

    @Test("What cannot be read gets one error, and the next line is read")
    func whatCannotReadGetsOne() throws {
        let bench = try ConsoleBench()
        try bench.open()
        let peer = try SocketPeer(bench)
        for bytes in [[0x61, 0, 0x62], [0xFF, 0xFE], [0x09]] as [[UInt8]] {
            peer.write(bytes + [0x0A])
        }
        peer.write([UInt8](repeating: 0x78, count: 5000) + [0x0A])
        peer.write("photo\n")
        let lines = peer.replies(5)
        #expect(lines.filter { $0.hasPrefix("ERR bad-command ") }.count == 4)
        #expect(lines.last == "OK")
        #expect(bench.commands.count == 1)
    }

    @Test("Who went away without reading is still heard out") func whoWentAwayWithoutReading()
        throws
    {
        let bench = try ConsoleBench()
        try bench.open()
        let peer = try SocketPeer(bench)
        peer.write("photo\nrecord stop\nsleep\n")
        peer.close()
        #expect(bench.turn { bench.commands.count == 3 && bench.console.clientCount == 0 })
    }

    @Test("An answer to somebody who went is dropped") func answerSomebodyWhoWentDropped() throws {
        let bench = try ConsoleBench()
        bench.answersAtOnce = false
        try bench.open()
        let peer = try SocketPeer(bench)
        peer.write("photo\n")
        #expect(bench.turn { bench.commands.count == 1 })
        peer.close()
        bench.settle()
        bench.answer(bench.commands[0].ticket, "photo")
        #expect(bench.turn { bench.console.clientCount == 0 })
    }

    @Test("Events come to those who asked") func eventsComeThoseWhoAsked() throws {
        let bench = try ConsoleBench()
        try bench.open()
        let (asked, other) = (try SocketPeer(bench), try SocketPeer(bench))
        asked.write("events on\n")
        other.write("gps\n")
        #expect(asked.replies() == ["OK"])
        _ = other.replies()
        let notice = Notice(
            kind: .camera, name: "front", fields: [Field("state", "ready")],
            instant: Instant(nanoseconds: 1_500_000_000), utc: nil)
        bench.console.notice(notice)
        bench.console.notice(
            Notice(kind: .push, name: "-", fields: [], instant: .zero, utc: nil))
        bench.console.notice(
            Notice(
                kind: .record, name: "front", fields: [Field("state", "sent")], instant: .zero,
                utc: nil))
        #expect(bench.turn { asked.read() && asked.lines.count == 2 })
        #expect(asked.lines.last == "! camera front state=ready mono=1.500")
        asked.write("events off\n")
        #expect(asked.replies(2).count == 3)
        bench.console.notice(notice)
        bench.settle()
        asked.read()
        other.read()
        #expect(asked.lines.count == 3)
        #expect(other.lines.count == 2)
    }

    @Test("A client that does not read is dropped at its bound, and nobody else")
    func clientDoesNotReadDropped() throws {
        let bench = try ConsoleBench()
        try bench.open()
        let (deaf, good) = (try SocketPeer(bench), try SocketPeer(bench))
        deaf.write("events on\n")
        good.write("events on\n")
        #expect(good.replies() == ["OK"])
        #expect(bench.turn { bench.console.clientCount == 2 })
        let text = String(repeating: "x", count: 1000)
        let notice = Notice(
            kind: .mark, name: "-", fields: [Field("text", text)], instant: .zero, utc: nil)
        var told = 0
        while bench.console.clientCount == 2, told < 5000 {
            bench.console.notice(notice)
            told += 1
            if told % 50 == 0 {
                _ = bench.turn { good.read() && good.lines.count >= told }
            }
        }
        // The kernel's buffer holds events besides ours.
        #expect(told < 1000 && told > ControlSocket.unread / 1100)
        #expect(bench.console.clientCount == 1)
        #expect(bench.turn { good.read() && good.lines.count == told + 1 })
        #expect(bench.logText.contains("event=unread"))
    }

    @Test("A client that floods without reading is held, not served without end")
    func clientFloodsWithoutReadingHeld() throws {
        let bench = try ConsoleBench()
        try bench.open()
        let peer = try SocketPeer(bench)
        let flood = Array(String(repeating: "status\n", count: 500).utf8)
        var written = 0
        for _ in 0..<200 {
            let count = peer.write(flood)
            if count > 0 { written += count }
            bench.settle()
            if count <= 0 { break }
        }
        #expect(written < 200 * flood.count)
        #expect(bench.console.clientCount == 1)
        // A client that reads nothing between two checks is disconnected.
        bench.console.dropStalled()
        bench.console.dropStalled()
        #expect(bench.console.clientCount == 0)
    }

    @Test("One client more than the bound is told so") func oneClientMoreThanBound() throws {
        let bench = try ConsoleBench()
        try bench.open()
        var peers: [SocketPeer] = []
        for _ in 0..<ControlSocket.maxClients {
            peers.append(try SocketPeer(bench))
            if peers.count % 16 == 0 { bench.settle() }
        }
        #expect(bench.turn { bench.console.clientCount == ControlSocket.maxClients })
        let late = try SocketPeer(bench)
        #expect(bench.turn { late.read() && !late.lines.isEmpty || !late.lines.isEmpty })
        #expect(late.lines.first?.hasPrefix("ERR busy ") == true)
        peers.removeLast()
        #expect(bench.turn { bench.console.clientCount == ControlSocket.maxClients - 1 })
        let next = try SocketPeer(bench)
        next.write("gps\n")
        #expect(next.replies().last == "OK")
    }
}
