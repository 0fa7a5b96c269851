import LineProtocol
import Testing

@Suite struct SpellingTests {
    private static let words = Verb.all.map(\.name)

    @Test(
        "A slip of the pen is understood",
        arguments: [
            ("sattus", "status"), ("recrod", "record"), ("RECORD", "record"), ("photoo", "photo"),
            ("slep", "sleep"), ("camras", "cameras"), ("gsp", "gps"), ("relaod", "reload"),
        ])
    func slipUnderstood(word: String, meant: String) {
        #expect(Spelling.nearest(to: word, among: Self.words) == meant)
    }

    @Test(
        "What is near to nothing is left alone", arguments: ["", "x", "frobnicate", "gggg", "qq"])
    func nearToNothing(word: String) {
        #expect(Spelling.nearest(to: word, among: Self.words) == nil)
    }

    @Test("Two changes in a long word are a slip, three are not; one in a short word, two are not")
    func boundOfChanges() {
        #expect(Spelling.nearest(to: "disconnxxt", among: ["disconnect"]) == "disconnect")
        #expect(Spelling.nearest(to: "disconxxxt", among: ["disconnect"]) == nil)
        #expect(Spelling.nearest(to: "makk", among: ["mark"]) == "mark")
        #expect(Spelling.nearest(to: "mekk", among: ["mark"]) == nil)
    }

    @Test("A word of forty characters is compared, a longer one is not") func longWords() {
        let long = String(repeating: "x", count: 40)
        #expect(Spelling.nearest(to: long, among: [long]) == long)
        #expect(Spelling.nearest(to: long + "x", among: [long + "x"]) == nil)
    }
}
