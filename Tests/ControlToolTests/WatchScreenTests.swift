import Foundation
import LineProtocol
import Testing

@testable import ControlTool

@Suite struct WatchScreenTests {
    private let status = WatchSample.status(WatchSample.names)

    private func golden(_ name: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Golden/\(name).txt")
        return String(try String(contentsOf: file, encoding: .utf8).dropLast())
    }

    private func screen(_ status: JSONValue, _ width: Int, _ height: Int) -> WatchScreen {
        WatchScreen(
            status: status, width: width, height: height, time: "14:05:09",
            keys: WatchKeys().line(status))
    }

    @Test("Eighty columns and twenty-four lines show all that matters") func standardScreen() throws
    {
        var screen = screen(status, 80, 24)
        screen.rates = ["front": 9.96, "right": 10]
        let expected = try golden("80x24")
        #expect(WatchSample.text(screen.lines) == expected)
    }

    @Test("A wide screen has whole names, temperatures and signals") func wideScreen() throws {
        var screen = screen(status, 120, 40)
        screen.rates = ["front": 9.96, "right": 10]
        screen.chosen = 1
        screen.answer = StyledText("record start 1: done")
        let expected = try golden("120x40")
        #expect(WatchSample.text(screen.lines) == expected)
    }

    @Test("A low window shows cameras, and says how many it has no room for") func lowScreen()
        throws
    {
        let many = WatchSample.status(WatchSample.names + (6...12).map { "spare\($0)" })
        let expected = try golden("80x12")
        #expect(WatchSample.text(screen(many, 80, 12).lines) == expected)
    }

    @Test("Large letters show what is wrong, and the time where nothing is") func bigScreen() throws
    {
        for (name, status) in [
            ("big-trouble", status), ("big-fine", WatchSample.status(["front"])),
        ] {
            let screen = BigScreen(
                status: status, width: 80, height: 24, time: "14:05",
                keys: WatchKeys().line(status))
            let expected = try golden(name)
            #expect(WatchSample.text(screen.lines) == expected)
        }
    }

    @Test("No line is wider than the window, and no screen higher", arguments: 1...130)
    func nothingBeyondTheWindow(width: Int) {
        for height in [1, 2, 3, 5, 8, 12, 16, 24] {
            var lines = screen(status, width, height).lines
            #expect(lines.count <= height)
            lines +=
                BigScreen(
                    status: status, width: width, height: height, time: "14:05",
                    keys: WatchKeys().line(status)
                ).lines
            for line in lines {
                #expect(line.width <= width)
                #expect(line.rendered(colours: false).count == line.width)
            }
        }
    }

    @Test("The first line names as many cameras as it has room for") func firstLine() {
        func first(_ width: Int) -> String {
            WatchSample.text([WatchHead(status: status).line(width)])
        }
        #expect(first(60) == "RECORDING 2/5 · rear ABSENT · +3 more · GPS 12 sats 10 Hz")
        #expect(first(50) == "RECORDING 2/5 · 4 IN TROUBLE · GPS 12 sats 10 Hz")
        #expect(first(20) == "RECORDING 2/5 · 4 IN")
    }

    @Test(
        "The first line says what is missing",
        arguments: [
            (#""gps":{"state":"disconnected"},"#, "NO GPSD"),
            (#""gps":{"state":"nodata"},"#, "NO RECEIVER"),
            (#""gps":{"state":"nofix"},"#, "NO FIX"),
            (#""gps":{"state":"frozen"},"#, "GPS FROZEN"),
            (#""bluetooth":{"state":"no-adapter","reason":"none"},"#, "NO BLUETOOTH"),
        ])
    func missingParts(members: String, words: String) {
        // Where a key comes twice the first counts.
        let text = "{" + members + WatchSample.status(["front"]).line.dropFirst()
        let line = WatchHead(status: JSONValue(text) ?? .null).line(80)
        #expect(line.rendered(colours: false).contains(words))
        #expect(line.pieces.contains { $0.text.contains(words) && $0.style == .alarm })
    }

    @Test("What is missing is red, what drives is green") func colours() {
        let lines = screen(status, 80, 24).lines.map { $0.rendered(colours: true) }
            .joined(separator: "\n")
        #expect(lines.contains("\u{1B}[1;31mabsent"))
        #expect(lines.contains("\u{1B}[32mready"))
        #expect(lines.contains("\u{1B}[1;31mrear ABSENT"))
        let plain = lines.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        #expect(
            plain
                == screen(status, 80, 24).lines.map { $0.rendered(colours: false) }
                .joined(separator: "\n"))
    }

    @Test("Speeds and heights are in the units that are wanted") func unitsOfTheScreen() {
        for (units, words) in [
            (Units.metric, "520 m  54 km/h"), (.imperial, "1706 ft  34 mph"),
            (.si, "520 m  15.0 m/s"),
        ] {
            let table = WatchScreen(status: status, width: 100, units: units).table
            #expect(WatchSample.text(table).contains(words))
        }
    }

    @Test("No cameras, a stranger and an odd status are said") func oddStatuses() {
        let none = WatchSample.text(WatchScreen(status: WatchSample.status([]), width: 80).table)
        #expect(none.hasPrefix("NO CAMERAS · "))
        #expect(
            none.hasSuffix(
                "\nno cameras: geotagctl pair lets one in, or name them in the configuration"))
        let stranger = WatchScreen(status: WatchSample.status(["stranger"]), width: 80).table
        #expect(WatchSample.text(stranger).hasSuffix("   in range, not yours: pair lets it in"))
        #expect(
            WatchSample.text(WatchScreen(status: .object([]), width: 80).table)
                .hasPrefix("NO CAMERAS · NO GPS\n"))
    }

    @Test(
        "Times are clocks",
        arguments: [(0, "0:00"), (59, "0:59"), (60, "1:00"), (3599, "59:59"), (3723, "1:02:03")])
    func timesAreClocks(seconds: Int, text: String) {
        #expect(WatchScreen.clock(seconds) == text)
    }
}
