import Foundation
import LineProtocol
import Testing

@Suite struct VerbTests {
    @Test("No two verbs have one name") func namesDistinct() {
        #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
        #expect(Verb.all.count >= 28)
    }

    @Test("The usage follows from the arguments") func usageFollowsFromArguments() {
        #expect(Verb.named("record")?.usage == "record start|stop|toggle [at=UTC] [TARGET]")
        #expect(Verb.named("status")?.usage == "status [json]")
        #expect(Verb.named("rename")?.usage == "rename NAME NEW")
        #expect(Verb.named("quit")?.usage == "quit")
        #expect(Verb.named("Record") == nil)
    }

    @Test(
        "The completion files hold the verbs as they are declared",
        arguments: ["geotagctl.bash", "_geotagctl"])
    func completionFilesHoldVerbs(name: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("contrib/completions/" + name)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text.contains(CompletionText.block),
            "between its marks the file needs:\n\(CompletionText.block)")
    }
}
