import LineProtocol
import Testing

@testable import ControlTool

@Suite struct WatchTableTests {
    static let camera: [String: String] = [
        "front": #""number":1,"state":"ready","recording":true,"record_s":12,"mode":"video","#
            + #""mode_params":"4K60 RS","battery_pct":87,"card_free_mb":60000,"remaining_s":5400,"#
            + #""gps":"pushing","pushed":1000,"error":null,"confirm_code":null"#,
        "rear": #""number":2,"state":"absent","recording":null,"record_s":null,"mode":null,"#
            + #""battery_pct":null,"card_free_mb":null,"remaining_s":null,"gps":"off","pushed":0,"#
            + #""error":"not heard: off, out of range, or held by another controller?""#,
        "left": #""number":3,"state":"confirm","gps":"off","pushed":0,"confirm_code":"0042""#,
    ]

    static func status(_ names: [String]) -> JSONValue {
        let cameras = names.map { #"{"name":"\#($0)",\#(camera[$0] ?? "")}"# }.joined(
            separator: ",")
        let text =
            #"{"version":"0.1.0","uptime_s":5025.5,"gps":{"state":"fix3d","latitude":48.137154,"#
            + #""longitude":11.576124,"altitude_m":520.1,"speed_mps":15.0,"course_deg":285.8,"#
            + #""satellites":12,"quality":"rtk-fixed","rate_hz":10.0,"age_s":0.03},"#
            + #""push":{"rate_hz":10.0,"target_hz":10.0,"sent":4000,"dropped":2,"void":0},"#
            + #""cameras":[\#(cameras)],"#
            + #""track":{"path":"/tracks/track-20260701T100000Z.csv","rows":4000}}"#
        return JSONValue(text) ?? .null
    }

    private func text(_ names: [String], width: Int, rates: [String: Double] = [:]) -> [String] {
        WatchTable(status: Self.status(names), width: width, rates: rates).lines.map {
            var line = $0.rendered(colours: false)
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    @Test("Eighty columns show everything") func eightyColumnsShowEverything() {
        #expect(
            text(["front", "rear", "left"], width: 80, rates: ["front": 9.96]) == [
                "geotagd 0.1.0  up 1:23:45",
                "GPS   fix3d  12 sats  rtk-fixed  10.0 Hz  48.137154 11.576124  520.1 m  "
                    + "15.0 m/s", "      285.8 deg  0.03 s old",
                "PUSH  10.0 of 10.0 Hz  4000 sent  2 dropped",
                "TRACK track-20260701T100000Z.csv  4000 rows", "",
                "#  NAME         STATE      REC     BAT  MODE          GPS     HZ   CARD   LEFT",
                "1  front        ready      0:12    87%  4K60 RS       pushing 10.0 58.6G  1h30",
                "2  rear         absent     -       -    -             off     -    -      -",
                "   not heard: off, out of range, or held by another controller?",
                "3  left         confirm    -       -    -             off     -    -      -",
                "   tap the camera; it shows 0042",
            ])
    }

    @Test("A lack of Bluetooth stands above the table") func lackBluetoothAboveTable() {
        let text = #"{"bluetooth":{"state":"off","reason":"blocked: rfkill unblock bluetooth"}}"#
        let lines = WatchTable(status: JSONValue(text) ?? .null, width: 80).lines.map {
            $0.rendered(colours: false)
        }
        #expect(lines.contains { $0.hasPrefix("BLUE  blocked: rfkill unblock bluetooth") })
        #expect(!self.text(["front"], width: 80).contains { $0.hasPrefix("BLUE") })
    }

    @Test("A phone shows what matters most") func phoneShowsWhatMattersMost() {
        #expect(
            text(["front"], width: 40).suffix(2) == [
                "#  NAME         STATE      REC     BAT",
                "1  front        ready      0:12    87%",
            ])
    }

    @Test("No line is wider than the screen", arguments: 1...200)
    func noLineWiderThanScreen(width: Int) {
        let table = WatchTable(
            status: Self.status(["front", "rear", "left"]), width: width, rates: ["front": 10])
        for line in table.lines {
            #expect(line.width <= width)
            #expect(line.rendered(colours: false).count == line.width)
        }
    }

    @Test("Colours only change the looks") func coloursOnlyChangeLooks() {
        let lines = WatchTable(status: Self.status(["front"]), width: 80).lines
        let coloured = lines.map { $0.rendered(colours: true) }.joined(separator: "\n")
        #expect(coloured.contains("\u{1B}[1;31m0:12"))
        #expect(coloured.contains("\u{1B}[32mready"))
        let plain = coloured.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        #expect(plain == lines.map { $0.rendered(colours: false) }.joined(separator: "\n"))
    }

    @Test("No cameras and an odd status are said") func noCamerasOddStatusSaid() {
        #expect(text([], width: 80).last == "no cameras: name them in the configuration, or pair")
        let odd = WatchTable(status: .object([]), width: 80).lines
        #expect(odd.first?.rendered(colours: false) == "geotagd ?")
    }

    @Test(
        "Times are clocks",
        arguments: [(0, "0:00"), (59, "0:59"), (60, "1:00"), (3599, "59:59"), (3723, "1:02:03")])
    func timesClocks(seconds: Int, text: String) {
        #expect(WatchTable.clock(seconds) == text)
    }

    @Test("An event's fields are the program's environment") func eventSFieldsProgramS() throws {
        let event = try #require(ReplyLine(text: "camera front state=ready a-b=\"x y\" utc=z"))
        #expect(
            EventPrograms.environment(event) == [
                "GEOTAG_EVENT=camera", "GEOTAG_NAME=front", "GEOTAG_STATE=ready", "GEOTAG_A_B=x y",
                "GEOTAG_UTC=z",
            ])
    }
}
