import Foundation
import Testing

@testable import ControlTool

/// geotagctl's manual page and completions agree with its code.
@Suite struct ControlManualTests {
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("contrib/" + path)
        return try String(contentsOf: file, encoding: .utf8).replacing("\\-", with: "-")
    }

    @Test(
        "Every option stands there",
        arguments: ["man/geotagctl.1", "completions/geotagctl.bash", "completions/_geotagctl"])
    func everyOptionStandsThere(path: String) throws {
        let text = try text(path)
        let usages = [ControlCommand.usage] + OwnVerb.allCases.map(\.usage)
        for match in usages.joined().matches(of: #/--[a-z-]+/#) {
            // These are options of the daemon, which doctor runs.
            if match.0 == "--now" || match.0 == "--check-config" { continue }
            #expect(text.contains(match.0), "\(match.0)")
        }
        for verb in OwnVerb.allCases { #expect(text.contains(verb.rawValue)) }
    }

    @Test("The manual has every exit status") func manualHasEveryExitStatus() throws {
        let text = try text("man/geotagctl.1")
        for status in [
            ControlCommand.Exit.ok, ControlCommand.Exit.error, ControlCommand.Exit.usage,
            ControlCommand.Exit.noDaemon, ControlCommand.Exit.inputOutput,
        ] {
            #expect(text.contains("\n\(status)@"))
        }
    }

    @Test("The README shows what watch draws") func readmeShowsWhatWatchDraws() throws {
        let root = try text("../README.md")
        let head = WatchColumn.fitting(80).map { column, width in
            column == .remaining
                ? column.title
                : column.title.padding(toLength: width, withPad: " ", startingAt: 0)
        }
        #expect(root.contains("\n" + head.joined(separator: " ") + "\n"))
        #expect(root.split(separator: "\n", omittingEmptySubsequences: false).count < 200)
    }
}
