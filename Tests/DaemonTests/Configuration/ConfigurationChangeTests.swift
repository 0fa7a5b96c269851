import Fleet
import Glibc
import LineProtocol
import OsmoProtocol
import Reactor
import Testing

@testable import Daemon
@testable import Service

@Suite struct ConfigurationChangeTests {
    static let camera = "[camera front]\naddress = 60:60:1F:60:11:E7\n"

    @Test("Nothing changed is nothing told") func nothingChangedNothingTold() {
        let text = "[push]\nrate = 5\n" + Self.camera
        let (old, new) = (configuration(text).configuration, configuration(text).configuration)
        #expect(old.changes(to: new).isEmpty)
        #expect(old.adopting(new) == old)
    }

    @Test("What can change live changes, what cannot is named") func whatCanChangeLiveChanges() {
        let old = configuration(Self.camera).configuration
        let new = configuration(
            """
            [gps]
            port = 3000
            [push]
            rate = 5
            motion = hold
            [control]
            group = video
            [track]
            directory = /other
            [state]
            directory = /state
            [camera front]
            address = 60:60:1F:60:11:E8
            [camera rear]
            address = 60:60:1F:60:11:E9
            """
        ).configuration
        let changes = old.changes(to: new)
        #expect(
            changes.map(\.line.text) == [
                "reload gps.port applied=now old=default new=3000",
                "reload push.rate applied=now old=default new=5",
                "reload push.motion applied=now old=default new=hold",
                "reload control.group applied=now old=default new=video",
                "reload track.directory applied=now old=default new=/other",
                "reload state.directory applied=restart old=default new=/state",
                "reload camera.front applied=now", "reload camera.rear applied=now",
            ])
        let adopted = old.adopting(new)
        #expect(
            adopted.changes(to: old).map(\.line.text).prefix(2) == [
                "reload gps.port applied=now old=3000 new=default",
                "reload push.rate applied=now old=5 new=default",
            ])
        #expect(
            adopted.changes(to: new).map(\.line.text) == [
                "reload state.directory applied=restart old=default new=/state"
            ])
        #expect(adopted.push.rate == 5)
        #expect(adopted.push.motion == .hold)
        #expect(adopted.cameras == new.cameras)
        #expect(adopted.track.directory == new.track.directory)
        #expect(adopted.state == old.state)
        #expect(adopted.changes(to: new).allSatisfy { !$0.isLive })
    }

    @Test("What the daemon has to remember is all that needs a restart")
    func whatDaemonHasRememberAll() {
        let restart = Configuration.table.sections.flatMap { section in
            section.keys.filter { !$0.isLive }.map { section.name + "." + $0.name }
        }
        #expect(restart == ["state.directory", "state.capture"])
    }

    @Test("A camera that is gone is a change") func cameraGoneChange() {
        let old = configuration(Self.camera).configuration
        #expect(old.changes(to: Configuration()).map(\.name) == ["camera.front"])
    }

    @Test("A file is loaded, or why not is said") func fileLoadedOrWhyNot() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/geotagd.conf"
        #expect(try Configuration.load(path, mayBeMissing: true) == Configuration())
        #expect(throws: ConfigurationFileFault.missing(path: path)) {
            try Configuration.load(path, mayBeMissing: false)
        }
        try folder.write("[push]\nrate = 7\n", to: "geotagd.conf")
        #expect(try Configuration.load(path, mayBeMissing: false).push.rate == 7)
        try folder.write("[push]\nrate = 70\nnonsense\n", to: "geotagd.conf")
        do throws(ConfigurationFileFault) {
            _ = try Configuration.load(path, mayBeMissing: true)
            Issue.record("took a wrong file")
        } catch {
            #expect(error.exitStatus == .configuration)
            #expect(error.lines.count == 2)
            #expect(error.lines.first?.hasPrefix(path + ":2: [push] rate: ") == true)
        }
        #expect(
            throws: ConfigurationFileFault.unreadable(path: folder.path, SystemError(code: EISDIR))
        ) {
            try Configuration.load(folder.path, mayBeMissing: true)
        }
    }
}
