import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite struct RosterTests {
    static func entry(
        _ number: Int, _ name: String? = nil, source: RosterEntry.Source = .configuration
    ) -> RosterEntry {
        RosterEntry(
            name: name ?? "cam\(number)", number: number, address: QueueBench.camera(number),
            source: source)
    }

    static let three = Roster([entry(1, "front"), entry(2, "rear"), entry(7, "60.60.1F")])

    @Test(
        "targets are names, addresses in any case and numbers, each camera once",
        arguments: [
            (["front"], [1]), (["2"], [2]), (["7"], [7]), (["60:60:1F:60:00:01"], [1]),
            (["60:60:1f:60:00:01"], [1]), (["front", "1", "60:60:1F:60:00:01"], [1]),
            (["7", "front"], [7, 1]),
        ])
    func targetsNamesAddressesAnyCase(
        words: [String], numbers: [Int]
    ) throws {
        #expect(try Target.these(words).resolve(among: Self.three.entries).map(\.number) == numbers)
    }

    @Test(
        "an unknown word means nobody at all",
        arguments: ["Front", "3", "", "07", "007", "60:60:1F:60:00:09", "all", "front ", "+1"])
    func unknownWordMeansNobodyAll(word: String) {
        #expect(throws: UnknownTarget.unknown(word, known: ["front", "rear", "60.60.1F"])) {
            try Target.these(["front", word]).resolve(among: Self.three.entries)
        }
    }

    @Test("all is the roster, and an empty roster is no camera") func allRosterEmptyRosterNo()
        throws
    {
        #expect(
            try Target.all.resolve(among: Self.three.entries).map(\.name) == [
                "front", "rear", "60.60.1F",
            ])
        #expect(throws: UnknownTarget.emptyRoster) {
            try Target.all.resolve(among: Roster().entries)
        }
    }

    @Test("names, numbers and addresses are distinct") func namesNumbersAddressesDistinct() {
        var roster = Self.three
        let doubles = [
            RosterEntry(name: "front", number: 9, address: QueueBench.camera(9)),
            RosterEntry(name: "other", number: 1, address: QueueBench.camera(9)),
            RosterEntry(name: "other", number: 9, address: QueueBench.camera(1)),
        ]
        for double in doubles {
            let taken = roster.add(double)
            #expect(!taken)
        }
        #expect(roster == Self.three)
    }

    @Test("the 99th camera fits and the 100th does not") func n99thCameraFits100thDoes() {
        var roster = Roster((1...98).map { Self.entry($0) })
        #expect(roster.lowestFreeNumber == 99)
        let last = roster.add(Self.entry(99))
        #expect(last)
        #expect(roster.lowestFreeNumber == nil)
        let surplus = roster.add(
            RosterEntry(name: "x", number: 100, address: QueueBench.camera(100)))
        #expect(!surplus)
        #expect(roster.entries.count == Roster.bound)
    }

    @Test("the lowest number that nobody has is proposed") func lowestNumberNobodyHasProposed() {
        #expect(Self.three.lowestFreeNumber == 3)
        #expect(Roster().lowestFreeNumber == 1)
    }

    @Test(
        "a proposed name is the model and the last two octets",
        arguments: [
            (CameraModel.action4, "action4-11e7"), (.action5Pro, "action5pro-11e7"),
            (.action6, "action6-11e7"), (.osmo360, "osmo360-11e7"), (.other(0x77), "camera-11e7"),
        ])
    func proposedNameModelLastTwo(model: CameraModel, name: String) {
        let address = BluetoothAddress("60:60:1F:60:11:E7")!
        #expect(Roster().proposedName(model, address) == name)
        #expect(CameraName.isValid(name))
    }

    @Test("a name that is taken is proposed with all octets") func nameTakenProposedAllOctets() {
        let address = BluetoothAddress("60:60:1F:60:11:E7")!
        let roster = Roster([Self.entry(1, "action4-11e7")])
        #expect(roster.proposedName(.action4, address) == "action4-60601f6011e7")
    }

    @Test("small octets keep their zeros") func smallOctetsKeepTheirZeros() {
        #expect(Roster.tail(BluetoothAddress("60:60:1F:60:00:07")!) == "0007")
    }

    @Test("step 4 says 0 to the only camera and its number where there are others")
    func step4Says0Only() {
        let one = Roster([Self.entry(5)])
        #expect(one.handshakeNumber(QueueBench.camera(5)) == 0)
        #expect(Self.three.handshakeNumber(QueueBench.camera(7)) == 7)
        #expect(Roster().handshakeNumber(QueueBench.camera(9), joining: 1) == 0)
        #expect(one.handshakeNumber(QueueBench.camera(9), joining: 1) == 1)
    }

    @Test("only paired cameras are kept") func onlyPairedCamerasKept() {
        let roster = Roster([
            Self.entry(1), Self.entry(2, source: .paired), Self.entry(3, source: .admitted),
        ])
        #expect(roster.kept.map(\.number) == [2])
    }
}
