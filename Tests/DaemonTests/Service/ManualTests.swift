import Foundation
import LineProtocol
import OsmoProtocol
import Testing

@testable import Daemon
@testable import Service

/// The manual pages and completions agree with the code.
@Suite struct ManualTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        let file = Self.root.appendingPathComponent("contrib/" + path)
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The text of a manual page, without requests and escapes.
    private func page(_ name: String) throws -> String {
        let lines = try text("man/" + name).split(separator: "\n").map { line in
            var line = String(line)
            for (escape, plain) in [("\\-", "-"), ("\\&", ""), ("\\|", "")] {
                line = line.replacingOccurrences(of: escape, with: plain)
            }
            line = line.replacing(#/\\f[BIR]/#, with: "")
            return line.replacing(#/^\.[A-Z]+ /#, with: "").replacing("\"", with: "")
                .replacing(#/ +/#, with: " ")
        }
        return lines.joined(separator: "\n")
    }

    @Test("The manual has every verb as help writes it", arguments: Verb.all)
    func manualHasEveryVerbHelp(verb: Verb) throws {
        let squeezed = try page("geotagd.8").replacing(#/[ |]+/#, with: "")
        let usage = verb.usage.replacing(#/[ |]+/#, with: "")
        #expect(squeezed.contains("\n" + usage), "\(usage)")
    }

    @Test("The manual has every option, exit status and code") func manualHasEveryOptionExit()
        throws
    {
        let page = try page("geotagd.8")
        for match in LaunchOptions.usage.matches(of: #/--[a-z-]+/#) {
            #expect(page.contains(match.0), "\(match.0)")
        }
        for status in [
            ExitStatus.ok, .usage, .noInput, .unavailable, .software, .cannotCreate,
            .inputOutput, .noPermission, .configuration,
        ] {
            #expect(page.contains("\n\(status.rawValue)@"), "\(status)")
        }
        for code in ErrorCode.allCases { #expect(page.contains(code.rawValue), "\(code)") }
    }

    @Test(
        "The manual has every key with its default",
        arguments: Configuration.table.sections.map(\.name))
    func manualHasEveryKeyDefault(section: String) throws {
        let part = try Self.part(section, of: page("geotagd.conf.5"))
        let block = try Self.part(section, of: ShippedConfigurationTests.text)
        let keys = Configuration.table.sections.first { $0.name == section }?.keys ?? []
        #expect(!keys.isEmpty)
        for key in keys {
            let line = try #require(
                block.split(separator: "\n").first { $0.hasPrefix("#\(key.name) =") })
            #expect(part.contains("\n" + line.dropFirst()), "[\(section)] \(key.name)")
        }
    }

    /// The text of a section, from its heading to the next one.
    private static func part(_ section: String, of text: String) throws -> String {
        let parts = text.components(separatedBy: "\n[\(section)]\n")
        try #require(parts.count == 2, "[\(section)]")
        return "\n" + (parts[1].components(separatedBy: "\n[").first ?? "")
    }

    @Test("The completions have every verb and mode", arguments: ["geotagctl.bash", "_geotagctl"])
    func completionsHaveEveryVerbMode(name: String) throws {
        let words = Set(try text("completions/" + name).split { !($0.isLetter || $0 == "-") })
        for verb in Verb.all { #expect(words.contains(Substring(verb.name)), "\(verb.name)") }
        for mode in CameraMode.named {
            #expect(words.contains(Substring(mode.description)), "\(mode)")
        }
    }

    @Test("The completions have every option", arguments: ["geotagd.bash", "_geotagd"])
    func completionsHaveEveryOption(name: String) throws {
        let completion = try text("completions/" + name)
        for match in LaunchOptions.usage.matches(of: #/--[a-z-]+/#) {
            #expect(completion.contains(match.0), "\(match.0)")
        }
    }
}
