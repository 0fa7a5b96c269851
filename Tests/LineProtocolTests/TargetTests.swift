import OsmoProtocol
import Testing

@testable import LineProtocol

@Suite struct TargetTests {
    private struct Camera: Targetable, Equatable {
        var name: String
        var rosterNumber: Int?
        var address: BluetoothAddress
    }

    private let front = Camera(
        name: "front", rosterNumber: 1, address: BluetoothAddress(value: 0x6060_1F60_11E7))
    private let rear = Camera(
        name: "rear", rosterNumber: 12, address: BluetoothAddress(value: 0x6060_1F60_11E8))
    private let stranger = Camera(
        name: "action4-11e9", rosterNumber: nil, address: BluetoothAddress(value: 0x6060_1F60_11E9))

    private func resolve(_ words: String...) throws -> [String] {
        try Target.these(words).resolve(among: [front, rear, stranger]).map(\.name)
    }

    @Test("A camera goes by its name, its number, and its address in any case")
    func cameraGoesByNameNumberAddress() throws {
        #expect(try resolve("front") == ["front"])
        #expect(try resolve("12", "1") == ["rear", "front"])
        #expect(try resolve("60:60:1f:60:11:E8") == ["rear"])
        #expect(try resolve("action4-11e9") == ["action4-11e9"])
    }

    @Test("A camera that is named twice is meant once") func namedTwiceMeantOnce() throws {
        #expect(try resolve("front", "1", "60:60:1F:60:11:E7", "front") == ["front"])
    }

    @Test("All means the cameras with a number") func allMeansRoster() throws {
        #expect(try Target.all.resolve(among: [front, stranger]).map(\.name) == ["front"])
        #expect(throws: UnknownTarget.emptyRoster) { try Target.all.resolve(among: [stranger]) }
    }

    @Test(
        "Other words mean nobody, and the first of them is named",
        arguments: ["007", "01", "012", "+1", "1 ", "2", "0", "Front", "", "99999999999999999999"])
    func otherWordsMeanNobody(word: String) {
        let known = ["front", "rear", "action4-11e9"]
        #expect(throws: UnknownTarget.unknown(word, known: known)) {
            try resolve("front", word, "nobody")
        }
    }

    @Test("Who asks for nobody is told whom there is") func unknownCameraListsKnown() {
        func words(_ word: String, _ known: [String]) -> String {
            UnknownTarget.unknown(word, known: known).words
        }
        #expect(
            words("fornt", ["front", "rear"])
                == "no camera called fornt; did you mean front? There are: front, rear")
        #expect(words("left", ["front"]) == "no camera called left; there are: front")
        #expect(words("left", []) == "no camera called left; there is none")
        let names = (1...UnknownTarget.maxNames + 1).map { "camera-\($0)" }
        #expect(words("x", Array(names.dropLast())).hasSuffix("camera-15, camera-16"))
        #expect(words("x", names).hasSuffix("camera-15, camera-16, …"))
    }
}
