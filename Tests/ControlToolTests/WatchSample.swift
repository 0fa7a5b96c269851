import LineProtocol

@testable import ControlTool

/// A `status json` with cameras in all kinds of states.
enum WatchSample {
    private static let camera: [String: String] = [
        "front": #""number":1,"state":"ready","recording":true,"record_s":12,"mode":"video","#
            + #""mode_params":"4K60 RS","battery_pct":87,"card_free_mb":60000,"remaining_s":5400,"#
            + #""temperature":"normal","rssi_dbm":-58,"#
            + #""gps":"pushing","pushed":1000,"error":null,"confirm_code":null"#,
        "rear": #""number":2,"state":"absent","recording":null,"record_s":null,"mode":null,"#
            + #""battery_pct":null,"card_free_mb":null,"remaining_s":null,"gps":"off","pushed":0,"#
            + #""error":"not heard: off, out of range, or held by another controller?""#,
        "left": #""number":3,"state":"confirm","gps":"off","pushed":0,"confirm_code":"0042""#,
        "right": #""number":4,"state":"ready","recording":true,"record_s":11,"mode":"video","#
            + #""mode_params":"4K60 RS","battery_pct":15,"card_free_mb":900,"remaining_s":540,"#
            + #""temperature":"hot","rssi_dbm":-71,"gps":"pushing","pushed":990,"error":null"#,
        "a-camera-with-a-long-name": #""number":5,"state":"ready","recording":false,"#
            + #""mode":"photo","battery_pct":64,"card_free_mb":30000,"gps":"pushing","#
            + #""pushed":990,"error":null"#,
        "asleep": #""number":6,"state":"asleep","gps":"off""#,
        "idle": #""number":7,"state":"ready","recording":false,"mode":"video","gps":"pushing""#,
        "stranger": #""state":"listed","gps":"off","rssi_dbm":-80"#,
    ]

    /// The names of the first five cameras.
    static let names = ["front", "rear", "left", "right", "a-camera-with-a-long-name"]

    static func status(_ names: [String], _ more: String = "") -> JSONValue {
        let cameras = names.map { name in
            // `spare12` is camera 12, in no special state.
            let number = name.hasPrefix("spare") ? name.dropFirst(5) : ""
            let body = camera[name] ?? #""number":\#(number),"state":"ready","gps":"pushing""#
            return #"{"name":"\#(name)",\#(body)}"#
        }.joined(separator: ",")
        let text =
            #"{"version":"0.1.0","uptime_s":5025.5,"gps":{"state":"fix3d","latitude":48.137154,"#
            + #""longitude":11.576124,"altitude_m":520.1,"speed_mps":15.0,"course_deg":285.8,"#
            + #""satellites":12,"quality":"rtk-fixed","rate_hz":10.0,"age_s":0.03},"#
            + #""push":{"rate_hz":10.0,"target_hz":10.0,"sent":4000,"dropped":2,"void":0},"#
            + #""cameras":[\#(cameras)],\#(more)"#
            + #""track":{"path":"/tracks/track-20260701T100000Z.csv","rows":4000}}"#
        return JSONValue(text) ?? .null
    }

    /// Lines as a terminal without colours shows them.
    static func text(_ lines: [StyledText]) -> String {
        lines.map { line in
            var text = line.rendered(colours: false)
            while text.last == " " { text.removeLast() }
            return text
        }.joined(separator: "\n")
    }
}
