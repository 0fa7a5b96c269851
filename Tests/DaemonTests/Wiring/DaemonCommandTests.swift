import Clock
import Fleet
import Foundation
import Glibc
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort
import Reactor
import Testing

@testable import Daemon

@Suite struct DaemonCommandTests {
    static let front = "[camera front]\naddress = 60:60:1F:60:11:E7\n"

    @Test("The daemon's own verbs are answered") func daemonSOwnVerbsAnswered() throws {
        let bench = try DaemonBench(Self.front)
        #expect(bench.ask("track off") == ["OK"])
        #expect(bench.ask("track on") == ["OK"])
        #expect(bench.ask("track rotate") == ["OK"])
        let mark = bench.ask("mark lap 2")
        #expect(mark.count == 2 && mark.first?.hasPrefix("mark - ") == true)
        #expect(bench.logText.contains("track event=mark text=\"lap 2\"\n"))
        #expect(bench.ask("loglevel error") == ["OK"])
        #expect(bench.daemon.log.level == .error)
        #expect(bench.ask("cameras").first?.hasPrefix("camera front number=1 ") == true)
    }

    @Test("Commands reach the core") func commandsReachCore() throws {
        let bench = try DaemonBench(Self.front)
        #expect(bench.ask("record start nobody").last?.hasPrefix("ERR no-camera ") == true)
        let lines = bench.ask("record start")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("record front result=not-ready ") == true)
        #expect(lines.last?.hasPrefix("ERR not-ready ") == true)
    }

    @Test("A reload takes over what it can and names what it cannot") func reloadTakesOverWhatCan()
        throws
    {
        let bench = try DaemonBench(Self.front)
        let rear = "[camera rear]\naddress = 60:60:1F:60:11:E8\n"
        let capture = "[state]\ndirectory = \(bench.folder.path)/state\ncapture = /else\n"
        let text = DaemonBench.complete("[push]\nrate = 5\nmotion = hold\n", bench.folder.path)
            .replacing(#/\[state\]\ndirectory = .*\n/#, with: capture)
        try bench.folder.write(text + Self.front + rear, to: "geotagd.conf")
        #expect(
            bench.ask("reload") == [
                "reload push.rate applied=now old=default new=5",
                "reload push.motion applied=now old=default new=hold",
                "reload state.capture applied=restart old=default new=/else",
                "reload camera.rear applied=now", "OK",
            ])
        #expect(bench.ask("cameras").count == 3)
        #expect(bench.daemon.host.rig.settings.rate == 5)
        let pending = "reload state.capture applied=restart old=default new=/else"
        #expect(bench.ask("reload") == [pending, "OK"])
        #expect(
            bench.logText.contains(
                "<4>control event=reload key=state.capture applied=restart old=default new=/else\n")
        )
        #expect(
            bench.logText.contains(
                "<5>control event=reload key=push.rate applied=now old=default new=5\n"))
        try bench.configure(Self.front)
        #expect(
            bench.ask("reload") == [
                "reload push.rate applied=now old=5 new=default",
                "reload push.motion applied=now old=hold new=default",
                "reload camera.rear applied=now", "OK",
            ])
        #expect(bench.ask("cameras").count == 2)
        #expect(bench.daemon.host.rig.settings.rate == 10)
    }

    @Test("A faulty file changes nothing") func faultyFileChangesNothing() throws {
        let bench = try DaemonBench(Self.front)
        try bench.configure("[push]\nmotion = hold\nrate = 99\nnonsense\n")
        let lines = bench.ask("reload")
        #expect(lines.count == 1)
        #expect(
            lines.first?.hasPrefix("ERR bad-argument \(bench.folder.path)/geotagd.conf:") == true)
        #expect(lines.first?.hasSuffix(" (and 1 more); nothing was changed") == true)
        #expect(bench.daemon.configuration.push.motion == .extrapolate)
        #expect(bench.ask("cameras").count == 2)
    }

    @Test("The socket moves, whoever is connected stays") func socketMovesWhoeverConnectedStays()
        throws
    {
        let bench = try DaemonBench()
        let other = bench.folder.path + "/other.sock"
        let text = DaemonBench.complete("", bench.folder.path)
            .replacingOccurrences(of: "control.sock", with: "other.sock")
        try bench.folder.write(text, to: "geotagd.conf")
        let moved = "reload control.socket applied=now"
        let old = bench.folder.path + "/control.sock"
        #expect(bench.ask("reload") == ["\(moved) old=\(old) new=\(other)", "OK"])
        #expect(bench.ask("gps", at: other).last == "OK")
        #expect(!bench.folder.names.contains("control.sock"))
    }

    @Test("A socket that cannot be made leaves all as it was") func socketCannotMadeLeavesAll()
        throws
    {
        let bench = try DaemonBench(Self.front)
        let text = DaemonBench.complete("[push]\nmotion = hold", bench.folder.path)
            .replacingOccurrences(of: "control.sock", with: "missing/control.sock")
        try bench.folder.write(text, to: "geotagd.conf")
        #expect(bench.ask("reload").last?.hasPrefix("ERR disk ") == true)
        #expect(bench.daemon.configuration.push.motion == .extrapolate)
        #expect(bench.ask("gps").last == "OK")
    }

    @Test("A reload that fails half-way changes nothing at all", arguments: ["fifo", "feed"])
    func reloadFailsHalfWay(what: String) throws {
        let bench = try DaemonBench(Self.front)
        bench.daemon.makeFeed = { _ in nil }
        var text = DaemonBench.complete("", bench.folder.path)
            .replacingOccurrences(of: "control.sock", with: "other.sock")
            .replacingOccurrences(of: "/tracks", with: "/elsewhere")
        if what == "fifo" {
            text = text.replacingOccurrences(
                of: "fifo = none", with: "fifo = \(bench.folder.path)/missing/command")
        } else {
            text += "[gps]\nport = 3000\n"
        }
        try bench.folder.write(text + Self.front, to: "geotagd.conf")
        let before = bench.daemon.configuration
        #expect(bench.ask("reload").last?.hasSuffix("nothing was changed") == true)
        #expect(bench.daemon.configuration == before)
        #expect(bench.ask("gps").last == "OK")
        #expect(!bench.folder.names.contains("other.sock"))
        #expect(!bench.folder.names.contains("elsewhere"))
        #expect(bench.hardware.isStarted)
    }

    @Test("After a sleep of the machine nothing is fresh, and gpsd is asked anew")
    func afterSleepNothingFresh() throws {
        let bench = try DaemonBench(Self.front)
        bench.daemon.submit(.receiver(.connected), at: bench.loop.now)
        let other = SilentHardware()
        bench.daemon.makeFeed = { _ in other }
        bench.loop.onResume(.seconds(3600), bench.loop.now)
        #expect(other.isStarted && !bench.hardware.isStarted)
        #expect(bench.daemon.host.status(at: bench.loop.now).gps.state == .disconnected)
        #expect(bench.logText.contains("<5>control event=resumed slept_s=3600.0\n"))
    }

    @Test("The lack of Bluetooth stands in the status, and pair ends at once")
    func lackBluetoothTold() throws {
        let bench = try DaemonBench()
        let daemon = bench.daemon
        #expect(bench.ask("status").contains { $0.hasPrefix("bluetooth - state=no-bluetoothd ") })
        #expect(
            bench.ask("pair").last?.hasPrefix("ERR not-ready bluetoothd is not on the ") == true)
        daemon.submit(.radio(.available(true)), at: bench.loop.now)
        #expect(bench.ask("pair").last?.hasPrefix("ERR not-ready no Bluetooth adapter") == true)
        #expect(!bench.logText.contains("event=bluetooth"))
        let adapter = BluetoothAddress(value: 1)
        daemon.submit(
            .radio(.adapter(AdapterState(address: adapter, name: "hci0", powered: true))),
            at: bench.loop.now)
        #expect(bench.ask("status").contains("bluetooth - state=ok"))
        #expect(
            bench.ask("status json").first?.contains(#""bluetooth":{"state":"ok","reason":null}"#)
                == true)
    }

    @Test("The schedule ticks where the core's wakes come when they are due") func scheduleTicks()
        throws
    {
        let bench = try DaemonBench(Self.front)
        let host = bench.daemon.host
        bench.turn { host.rig.nextDeadline != nil && host.isTicking(at: bench.loop.now) }
        #expect(host.isTicking(at: bench.loop.now))
        #expect(!host.isTicking(at: bench.loop.now + .seconds(3600)))
    }

    @Test("The bounds of an orderly end add up to less than 5 s") func endBounds() {
        let output = TimeSpan.milliseconds(200)
        #expect(Daemon.endLimit + Console.farewell < Daemon.diskLimit)
        #expect(Daemon.diskLimit + output < .seconds(5))
    }

    @Test("The track moves to another folder") func trackMovesAnotherFolder() throws {
        let bench = try DaemonBench()
        let text = DaemonBench.complete("", bench.folder.path)
            .replacingOccurrences(of: "/tracks", with: "/elsewhere")
        try bench.folder.write(text, to: "geotagd.conf")
        let folder = bench.folder.path
        let moved =
            "reload track.directory applied=now old=\(folder)/tracks new=\(folder)/elsewhere"
        #expect(bench.ask("reload") == [moved, "OK"])
        #expect(bench.turn { bench.folder.names.contains("elsewhere") })
        #expect(bench.turn { bench.daemon.formerTracks.allSatisfy(\.isOver) })
        try bench.folder.write(
            text.replacingOccurrences(of: "[state]", with: "sync = 60\n[state]"),
            to: "geotagd.conf")
        #expect(bench.ask("reload") == ["reload track.sync applied=now old=default new=60", "OK"])
        #expect(bench.daemon.formerTracks.count == 1, "the same folder needs no other writer")
    }

    @Test("Another gpsd is another feed") func anotherGpsdAnotherFeed() throws {
        let bench = try DaemonBench()
        let other = SilentHardware()
        var asked: Configuration.GPS?
        bench.daemon.makeFeed = { gps in
            asked = gps
            return other
        }
        try bench.configure("[gps]\nport = 3000\n")
        #expect(bench.ask("reload") == ["reload gps.port applied=now old=default new=3000", "OK"])
        #expect(asked?.port == 3000)
        #expect(other.isStarted && !bench.hardware.isStarted)
    }

    @Test("Another receiver of the same gpsd needs no other feed")
    func anotherReceiverSameGpsdNeeds() throws {
        let bench = try DaemonBench()
        try bench.configure("[gps]\ndevice = /dev/ttyUSB0\n")
        let chosen = "reload gps.device applied=now old=default new=/dev/ttyUSB0"
        #expect(bench.ask("reload") == [chosen, "OK"])
        #expect(bench.hardware.devices == ["/dev/ttyUSB0"])
        #expect(bench.hardware.isStarted)
        #expect(bench.daemon.host.rig.settings.device == "/dev/ttyUSB0")
    }

    @Test("quit is answered, and the end follows") func quitAnsweredEndFollows() throws {
        let bench = try DaemonBench()
        #expect(bench.ask("quit") == ["OK"])
        bench.turn { bench.hardware.isClosed }
        #expect(bench.hardware.isClosed)
        #expect(!bench.folder.names.contains("control.sock"))
    }

    @Test("The roster is kept off the loop, the newest last") func rosterKeptOffLoopNewest() throws
    {
        let bench = try DaemonBench()
        let file = RosterFile(directory: bench.folder.path + "/kept")
        let keeper = try RosterKeeper(file, on: bench.loop)
        var isIdle = false
        keeper.idle = { isIdle = true }
        var entry = RosterFileTests.rear
        for count in 1...20 {
            entry.name = "camera-\(count)"
            keeper.keep([entry])
        }
        #expect(keeper.isBusy)
        #expect(bench.turn { isIdle })
        #expect(try file.load().entries.map(\.name) == ["camera-20"])
    }

    @Test("A roster that cannot be kept is told of") func rosterCannotKeptTold() throws {
        let bench = try DaemonBench()
        try bench.folder.write("", to: "file")
        let keeper = try RosterKeeper(
            RosterFile(directory: bench.folder.path + "/file/state"), on: bench.loop)
        var fault: StateFault?
        keeper.failed = { fault = $0 }
        keeper.keep([])
        #expect(bench.turn { fault != nil })
        #expect(fault?.text.contains("/file/state") == true)
    }

    @Test("A save that failed is tried again until it is done, and said once")
    func failedSaveTriedAgain() throws {
        let bench = try DaemonBench()
        try bench.folder.write("", to: "state")
        let file = RosterFile(directory: bench.folder.path + "/state")
        let keeper = try RosterKeeper(file, on: bench.loop, retryInterval: .milliseconds(10))
        var faults: [StateFault] = []
        var tries = 0
        var isRecovered = false
        keeper.failed = { faults.append($0) }
        keeper.idle = { tries += 1 }
        keeper.recovered = { isRecovered = true }
        var numbers = SystemRandomNumberGenerator()
        let identity = ControllerIdentity.random(using: &numbers)
        let fault = StateFault.folder(path: "", SystemError(code: EROFS))
        keeper.keep(identity, after: fault, at: bench.loop.now)
        keeper.keep([RosterFileTests.front])
        #expect(bench.turn { tries >= 3 })
        #expect(faults.count == 1)
        keeper.keep([RosterFileTests.rear])
        unlink(bench.folder.path + "/state")
        #expect(bench.turn { isRecovered && !keeper.isBusy })
        #expect(try file.load().entries == [RosterFileTests.rear])
        #expect(try file.identityFile.load(using: &numbers).identity == identity)
    }

    @Test("The end of the run tries what is not saved once more")
    func endTriesOnceMore() throws {
        let bench = try DaemonBench()
        try bench.folder.write("", to: "state")
        let file = RosterFile(directory: bench.folder.path + "/state")
        let keeper = try RosterKeeper(file, on: bench.loop)
        var isIdle = false
        keeper.idle = { isIdle = true }
        keeper.keep([RosterFileTests.front])
        #expect(bench.turn { isIdle })
        unlink(bench.folder.path + "/state")
        isIdle = false
        #expect(keeper.close())
        #expect(bench.turn { isIdle })
        #expect(!keeper.close())
        #expect(try file.load().entries == [RosterFileTests.front])
    }
}
