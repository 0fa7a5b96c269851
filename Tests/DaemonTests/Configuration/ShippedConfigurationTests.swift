import Daemon
import Fleet
import Foundation
import Navigation
import Testing

/// config/geotagd.conf documents what the code really does.
@Suite struct ShippedConfigurationTests {
    static let text: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("config/geotagd.conf")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// The shipped file with the defaults of all keys uncommented.
    static let uncommented: String = {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let key = line.dropFirst().prefix { $0.isLetter || $0 == "_" }
            let rest = line.dropFirst(1 + key.count)
            let isKey = line.hasPrefix("#") && !key.isEmpty && rest.hasPrefix(" =")
            return isKey || line.hasPrefix("#[") ? String(line.dropFirst()) : String(line)
        }
        return lines.joined(separator: "\n")
    }()

    @Test("As it is, it changes nothing") func changesNothing() {
        let read = configuration(Self.text)
        #expect(read.faults.isEmpty)
        #expect(read.configuration == Configuration())
        #expect(Self.text.contains("[gps]"))
    }

    @Test("Its defaults are the code's") func defaultsCodeS() {
        let read = configuration(Self.uncommented)
        #expect(read.faults.isEmpty, "\(complaints(Self.uncommented))")
        var expected = Configuration()
        expected.cameras = read.configuration.cameras
        expected.auto.places = read.configuration.auto.places
        #expect(expected.auto.places.map(\.circle.name) == ["home"])
        #expect(read.configuration == expected)
        #expect(read.configuration.cameras.map(\.name) == ["front"])
        #expect(read.configuration.cameras.first?.optional == false)
    }

    @Test(
        "It shows every key",
        arguments: [
            "gps", "push", "fleet", "auto", "control", "track", "state", "camera x", "place x",
        ])
    func showsEveryKey(section: String) throws {
        let lines = complaints("[\(section)]\naddress = 60:60:1F:60:11:E7\nnonsense = 1\n")
        let line = try #require(lines.last)
        let keys = try #require(line.split(separator: ":").last).split(separator: " ")
        #expect(keys.count >= 2)
        for key in keys {
            #expect(Self.text.contains("\n#\(key) ="), "[\(section)] \(key)")
        }
    }
}
