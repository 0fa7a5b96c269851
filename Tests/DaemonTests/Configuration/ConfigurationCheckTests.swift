import Service
import Testing

@testable import Daemon

@Suite struct ConfigurationCheckTests {
    private func faults(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return ConfigurationCheck.faults(bytes, Configuration.read(bytes).configuration).map {
            $0.text(file: "x.conf")
        }
    }

    @Test("What the machine lacks is named with line, key and the way out") func lacksNamed() throws
    {
        let folder = try TemporaryFolder()
        try folder.write("precious", to: "file")
        let f = folder.path
        let table: [(String, String)] = [
            ("[control]\ngroup = no-such-group", "groupadd no-such-group"),
            ("[control]\nfifo = \(f)/missing/command", "the folder \(f)/missing is missing"),
            ("[control]\nsocket = \(f)/missing/s", "the folder \(f)/missing is missing"),
            ("[control]\nfifo = \(f)/file", "rm \(f)/file"),
            ("[control]\nsocket = \(f)/file", "rm \(f)/file"),
            ("[track]\ndirectory = \(f)/file", "\(f)/file is no folder"),
            ("[track]\ndirectory = \(f)/file/tracks", "(Not a directory)"),
            ("[state]\ndirectory = \(f)/file", "\(f)/file is no folder"),
            ("[state]\ncapture = \(f)/file", "never written over"),
        ]
        for (text, words) in table {
            let found = faults(text + "\n")
            let head = text.replacing("\n", with: " ").prefix { $0 != "=" }.dropLast()
            #expect(found.count == 1, "\(text): \(found)")

            #expect(found.first?.hasPrefix("x.conf:2: \(head): ") == true, "\(found)")
            #expect(found.first?.contains(words) == true, "\(found)")
        }
    }

    @Test("What is there, will be made, or is a default is in order") func inOrder() throws {
        let folder = try TemporaryFolder()
        let f = folder.path
        for text in [
            "", "[control]\nfifo = \(f)/command\nsocket = \(f)/s\ngroup =\n",
            "[track]\ndirectory = \(f)/a/b/c\n[state]\ndirectory = \(f)/d\ncapture = \(f)/e\n",
            "[control]\nfifo = /run/geotagd/command\nsocket = none\n[track]\ndirectory = none\n",
        ] {
            #expect(faults(text) == [], "\(text)")
        }
    }
}
