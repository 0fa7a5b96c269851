import Daemon
import Fleet
import Foundation
import OsmoProtocol
import Testing

@Suite struct IdentityFileTests {
    @Test("An identity is made once and kept") func identityMadeOnceKept() throws {
        let folder = try TemporaryFolder()
        var generator = SystemRandomNumberGenerator()
        let file = IdentityFile(directory: folder.path + "/deep/state")
        let first = try file.load(using: &generator)
        let second = try file.load(using: &generator)
        #expect(first.identity == second.identity)
        #expect(first.damage == nil && second.damage == nil)
        let octets = first.identity.address.octets
        #expect(octets[0] & 3 == 2, "locally administered, no multicast")
        #expect(first.identity.deviceID & 0xFF00 != 0xFF00, "no camera's id")
    }

    @Test(
        "A damaged identity is kept aside and another one made",
        arguments: [
            "", "[identity]\ndevice_id = 0x12345678\n", "\0\0\0\0", "[identity]\ndevice_id = 12\n",
            "[identity]\ndevice_id = 0x12345678\naddress = 02:00:00:00:00:01\n[other]\n",
        ])
    func damagedIdentityKeptAsideAnother(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "identity")
        var generator = SystemRandomNumberGenerator()
        let loaded = try IdentityFile(directory: folder.path).load(using: &generator)
        let damage = try #require(loaded.damage)
        #expect(damage.keptAs.hasSuffix("/identity.damaged-1"))
        #expect(damage.lines.first?.contains("damaged, kept as") == true)
        #expect(folder.text("identity.damaged-1") == text)
        let again = try IdentityFile(directory: folder.path).load(using: &generator)
        #expect(again.identity == loaded.identity)
        #expect(again.damage == nil)
    }

    @Test("Where the folder cannot be made, that is said") func whereFolderCannotMadeSaid() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        var generator = SystemRandomNumberGenerator()
        let file = IdentityFile(directory: folder.path + "/file/state")
        let loaded = try file.load(using: &generator)
        #expect(loaded.fault?.text.contains(folder.path + "/file/state") == true)
        #expect(loaded.damage == nil)
        // The identity is used for this run only.
        #expect(try file.load(using: &generator).identity != loaded.identity)
    }

    @Test("A damaged identity that cannot be moved stays, and the run has one")
    func damagedIdentityCannotMove() throws {
        let folder = try TemporaryFolder()
        try folder.write("damaged", to: "identity")
        for count in 1...99 { try folder.write("", to: "identity.damaged-\(count)") }
        var generator = SystemRandomNumberGenerator()
        let loaded = try IdentityFile(directory: folder.path).load(using: &generator)
        #expect(loaded.fault != nil)
        #expect(loaded.damage?.lines.first?.hasSuffix("damaged, left as it is") == true)
        #expect(folder.text("identity") == "damaged")
    }
}

@Suite struct RosterFileTests {
    static let front = RosterEntry(
        name: "action4-11e7", number: 3, address: BluetoothAddress(value: 0x6060_1F60_11E7),
        adapter: BluetoothAddress(value: 1), optional: true, source: .paired)
    static let rear = RosterEntry(
        name: "rear", number: 1, address: BluetoothAddress(value: 0x6060_1F60_11E8), source: .paired
    )
    static let fixed = RosterEntry(
        name: "fixed", number: 2, address: BluetoothAddress(value: 0x6060_1F60_11E9))

    @Test("What is saved is loaded, and the configuration's cameras stay out")
    func whatSavedLoadedConfigurationS() throws {
        let folder = try TemporaryFolder()
        let file = RosterFile(directory: folder.path + "/state")
        #expect(try file.load().entries == [])
        try file.save([Self.fixed, Self.front, Self.rear])
        let loaded = try file.load()
        #expect(loaded.entries == [Self.front, Self.rear])
        #expect(loaded.damage == nil)
        try file.save([])
        #expect(try file.load().entries == [])
    }

    @Test("Nothing but the file itself is left behind") func nothingButFileItselfLeft() throws {
        let folder = try TemporaryFolder()
        try folder.write("leftover of a crash", to: "roster.conf.new")
        let file = RosterFile(directory: folder.path)
        try file.save([Self.front])
        #expect(folder.names == ["roster.conf"])
    }

    @Test("What is planted beside the roster is not written through", arguments: [true, false])
    func plantedFilesStay(isSymbolic: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.write("precious", to: "target")
        let target = folder.path + "/target"
        for name in ["roster.conf.new", "roster.conf"] {
            let path = folder.path + "/" + name
            unlink(path)
            try #require((isSymbolic ? symlink(target, path) : link(target, path)) == 0)
            try RosterFile(directory: folder.path).save([Self.front])
            #expect(folder.text("target") == "precious")
            #expect(try RosterFile(directory: folder.path).load().entries == [Self.front])
        }
        #expect(folder.names == ["roster.conf", "target"])
    }

    @Test("State files and their folder are closed to other users")
    func stateFilesClosedToOthers() throws {
        let folder = try TemporaryFolder()
        let state = folder.path + "/var/state"
        try RosterFile(directory: state).save([Self.front])
        #expect(folder.mode("var/state") & 0o777 & ~0o750 == 0)
        #expect(folder.mode("var/state/roster.conf") & 0o777 & ~0o640 == 0)
        #expect(folder.mode("var/state/roster.conf") & 0o700 == 0o600)
    }

    @Test("A damaged roster on a disk that takes nothing goes on in this run")
    func damagedRosterCannotMove() throws {
        let folder = try TemporaryFolder()
        let file = RosterFile(directory: folder.path)
        try file.save([Self.front, Self.rear])
        let text = try #require(folder.text("roster.conf")) + "[camera third]\naddress = 60:60\n"
        try folder.write(text, to: "roster.conf")
        for count in 1...99 { try folder.write("", to: "roster.conf.damaged-\(count)") }
        let loaded = try file.load()
        #expect(loaded.entries == [Self.front, Self.rear])
        #expect(loaded.fault != nil && loaded.damage?.keptAs == file.path)
        #expect(folder.text("roster.conf") == text)
    }

    @Test("A damaged file is kept aside whole and its sound part goes on")
    func damagedFileKeptAsideWhole() throws {
        let folder = try TemporaryFolder()
        let file = RosterFile(directory: folder.path)
        try file.save([Self.front, Self.rear])
        let text = try #require(folder.text("roster.conf")) + "[camera third]\naddress = 60:60\n"
        for count in 1...2 {
            try folder.write(text, to: "roster.conf")
            let loaded = try file.load()
            #expect(loaded.entries == [Self.front, Self.rear])
            let damage = try #require(loaded.damage)
            #expect(damage.keptAs == folder.path + "/roster.conf.damaged-\(count)")
            #expect(damage.faults.count == 1)
            #expect(damage.lines.last?.contains("[camera third] address") == true)
            #expect(folder.text("roster.conf.damaged-\(count)") == text)
            #expect(try file.load().damage == nil)
        }
    }

    @Test("The configuration goes before paired cameras")
    func configurationGoesBeforePairedCameras() {
        var configuration = Configuration()
        configuration.cameras = [Self.fixed]
        var sameAddress = Self.front
        sameAddress.address = Self.fixed.address
        #expect(configuration.roster(with: [sameAddress]) == [Self.fixed])
        var sameName = Self.front
        sameName.name = "fixed"
        #expect(configuration.roster(with: [sameName]).last?.name == "fixed-2")
        var sameNumber = Self.front
        sameNumber.number = 2
        #expect(configuration.roster(with: [sameNumber, Self.rear]).map(\.number) == [2, 3, 1])
    }
}
