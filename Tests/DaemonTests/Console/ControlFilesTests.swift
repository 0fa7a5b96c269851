import Foundation
import Glibc
import LineProtocol
import Reactor
import Testing

@testable import Daemon

@Suite struct ControlFilesTests {
    /// Permission bits of what stands at a path.
    func mode(_ path: String) -> mode_t? { FileIdentity.at(path).map { $0.status.st_mode & 0o777 } }

    /// Writes to the FIFO as a shell would.
    func write(_ text: String, to path: String) {
        let number = Glibc.open(path, O_WRONLY | O_NONBLOCK)
        #expect(number >= 0)
        _ = Glibc.write(number, text, text.utf8.count)
        close(number)
    }

    @Test("FIFO and socket have their modes and go with the console")
    func fifoSocketHaveTheirModes() throws {
        let bench = try ConsoleBench()
        try bench.open(fifo: true)
        #expect(mode(bench.socketPath) == 0o660)
        #expect(mode(bench.fifoPath) == 0o620)
        bench.console.close()
        #expect(mode(bench.socketPath) == nil)
        #expect(mode(bench.fifoPath) == nil)
    }

    @Test("Writers of the FIFO come and go, and answers go to the log")
    func writersFIFOComeGoAnswers() throws {
        let bench = try ConsoleBench()
        try bench.open(socket: false, fifo: true)
        for count in 1...3 {
            write("#\(count) photo\n", to: bench.fifoPath)
            #expect(bench.turn { bench.commands.count == count })
        }
        write("nonsense\nevents on\n", to: bench.fifoPath)
        bench.settle()
        let log = bench.logText
        #expect(log.contains("<6>control event=reply line=\"#3 photo front result=ok\"\n"))
        #expect(log.contains("<4>control event=reply line=\"ERR bad-command unknown verb "))
        #expect(log.contains("ERR unsupported "))
    }

    @Test("Answers to the FIFO are ten a second, the rest is counted")
    func answersFIFOTenSecondRest() throws {
        let bench = try ConsoleBench()
        try bench.open(socket: false, fifo: true)
        write(String(repeating: "photo\n", count: 40), to: bench.fifoPath)
        #expect(bench.turn { bench.commands.count == 40 })
        bench.settle()
        let written = bench.logText.components(separatedBy: "event=reply line=").count - 1
        #expect(written <= 20 && written >= 5, "some are folded as repeats too")
        #expect(bench.turn { bench.logText.contains("event=reply folded=") })
    }

    @Test("A line without its end is dropped in time, and the next one is whole")
    func lineWithoutEndDroppedTime() throws {
        let bench = try ConsoleBench()
        try bench.open(socket: false, fifo: true)
        write("record sta", to: bench.fifoPath)
        bench.settle()
        bench.console.fifo?.dropPartialLine()
        #expect(bench.logText.contains("dropped after 5 s"))
        write("photo\n", to: bench.fifoPath)
        #expect(bench.turn { bench.commands.count == 1 })
        #expect(bench.commands.map(\.command) == [.photo])
    }

    @Test("What was unlinked is made again") func whatUnlinkedMadeAgain() throws {
        let bench = try ConsoleBench()
        try bench.open(fifo: true)
        let staying = try SocketPeer(bench)
        bench.settle()
        unlink(bench.fifoPath)
        unlink(bench.socketPath)
        bench.console.fifo?.inspect()
        bench.console.socket?.inspect()
        write("photo\n", to: bench.fifoPath)
        #expect(bench.turn { bench.commands.count == 1 })
        let peer = try SocketPeer(bench)
        peer.write("gps\n")
        #expect(peer.replies().last == "OK")
        staying.write("gps\n")
        #expect(staying.replies().last == "OK")
        #expect(mode(bench.socketPath) == 0o660)
        #expect(mode(bench.fifoPath) == 0o620)
    }

    @Test("A look at what stands as it should changes nothing") func lookWhatStandsShouldChanges()
        throws
    {
        let bench = try ConsoleBench()
        try bench.open(fifo: true)
        let before = [bench.fifoPath, bench.socketPath].map { FileIdentity.at($0)?.identity }
        bench.console.fifo?.inspect()
        bench.console.socket?.inspect()
        #expect([bench.fifoPath, bench.socketPath].map { FileIdentity.at($0)?.identity } == before)
        #expect(!bench.logText.contains("remade"))
    }

    @Test("What a crashed run left is taken over") func whatCrashedRunLeftTaken() throws {
        let bench = try ConsoleBench()
        mkfifo(bench.fifoPath, 0o600)
        let stale = socket(AF_UNIX, UnixSocket.stream, 0)
        #expect(UnixSocket.withAddress(bench.socketPath) { bind(stale, $0, $1) } == 0)
        close(stale)
        try bench.open(fifo: true)
        #expect(mode(bench.fifoPath) == 0o620)
        let peer = try SocketPeer(bench)
        peer.write("gps\n")
        #expect(peer.replies().last == "OK")
    }

    @Test("A second instance is refused with a sentence") func secondInstanceRefusedSentence()
        throws
    {
        let first = try ConsoleBench()
        try first.open(fifo: true)
        let second = Console(host: first, log: first.log, on: first.loop)
        for (fifo, socket) in [(first.fifoPath, nil), (nil, first.socketPath)] {
            var control = Configuration.Control()
            control.fifo = fifo
            control.socket = socket
            #expect(throws: ConsoleFault.taken(path: fifo ?? socket ?? "")) {
                _ = try PreparedTransports(control)
            }
        }
        #expect(
            ConsoleFault.taken(path: "/x").text == "/x: another geotagd runs here; end it first")
        second.close()
        #expect(mode(first.socketPath) == 0o660, "the first one's stays")
    }

    @Test(
        "What is in the way is left alone and complained of, at the start and later, until it goes",
        arguments: [true, false], [true, false])
    func whatInTheWayOneRule(isFIFO: Bool, fromStart: Bool) throws {
        let bench = try ConsoleBench()
        let name = isFIFO ? "command" : "control.sock"
        let path = isFIFO ? bench.fifoPath : bench.socketPath
        if !fromStart {
            try bench.open(socket: !isFIFO, fifo: isFIFO)
            unlink(path)
        }
        try bench.folder.write("precious", to: name)
        if fromStart { try bench.open(socket: !isFIFO, fifo: isFIFO) }
        func inspect() { isFIFO ? bench.console.fifo?.inspect() : bench.console.socket?.inspect() }
        for _ in 0..<3 { inspect() }
        #expect(bench.folder.text(name) == "precious")
        let complaints = bench.logText.components(separatedBy: "rm \(path)\"\n").count - 1
        #expect(complaints == 1, "\(bench.logText)")
        #expect(bench.logText.hasPrefix("<3>control event="))
        unlink(path)
        inspect()
        #expect(bench.logText.contains("remade=\(path)\n"))
        if isFIFO {
            write("photo\n", to: path)
            #expect(bench.turn { bench.commands.count == 1 })
        } else {
            let peer = try SocketPeer(bench)
            peer.write("gps\n")
            #expect(peer.replies().last == "OK")
        }
    }

    @Test("What cannot be made whole is not left behind") func whatCannotMadeWholeNotLeft() throws {
        let bench = try ConsoleBench()
        var control = Configuration.Control()
        control.socket = bench.socketPath
        control.fifo = bench.folder.path + "/missing/command"
        #expect(throws: ConsoleFault.self) { _ = try PreparedTransports(control) }
        #expect(FileIdentity.at(bench.socketPath) == nil)
        control.fifo = bench.fifoPath
        let prepared = try PreparedTransports(control)
        #expect(mode(bench.socketPath) == 0o660)
        prepared.revert()
        #expect(!bench.folder.names.contains("control.sock"))
        #expect(!bench.folder.names.contains("command"))
    }

    @Test(
        "A fault names the path, the reason and the way out",
        arguments: [
            (ENOENT, "/x/y: No such file or directory; make its folder: install -d -o "),
            (EACCES, "/x/y: Permission denied; let "),
        ])
    func faultNamesWayOut(code: Int32, text: String) {
        #expect(ConsoleFault.open(path: "/x/y", SystemError(code: code)).text.hasPrefix(text))
        #expect(ConsoleFault.unknownGroup("gps").text.hasSuffix("groupadd gps, or name another"))
    }

    @Test("A missing folder and an unknown group are named") func missingFolderUnknownGroupNamed()
        throws
    {
        let bench = try ConsoleBench()
        var control = Configuration.Control()
        control.fifo = bench.folder.path + "/missing/command"
        control.socket = nil
        #expect(throws: ConsoleFault.self) { _ = try PreparedTransports(control) }
        #expect(throws: ConsoleFault.unknownGroup("no-such-group")) {
            try bench.open(group: "no-such-group")
        }
    }

    @Test("The group gets both") func groupGetsBoth() throws {
        let bench = try ConsoleBench()
        try bench.open(fifo: true, group: getegid() == 0 ? "daemon" : nil)
        let wanted = getegid() == 0 ? getgrnam("daemon").pointee.gr_gid : getegid()
        #expect(FileIdentity.at(bench.fifoPath)?.status.st_gid == wanted)
        #expect(FileIdentity.at(bench.socketPath)?.status.st_gid == wanted)
    }
}
