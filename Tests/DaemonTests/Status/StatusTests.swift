import Fleet
import Foundation
import LineProtocol
import Navigation
import OsmoProtocol
import Testing

@testable import Daemon

@Suite struct StatusTests {
    /// The keys that never change (contract 4.7), in their order.
    static let keys: [String: [String]] = [
        "gps": [
            "state", "device", "time", "latitude", "longitude", "altitude_m", "speed_mps",
            "course_deg", "satellites", "quality", "rate_hz", "age_s",
        ],
        "push": ["rate_hz", "target_hz", "sent", "dropped", "void"],
        "track": ["path", "rows"],
        "camera": [
            "name", "number", "address", "adapter", "model", "state", "recording", "record_s",
            "mode", "mode_text", "mode_params", "resolution", "fps", "stabilization",
            "battery_pct", "card_free_mb", "remaining_s", "temperature", "gps", "pushed",
            "dropped", "rssi_dbm", "product", "firmware", "reconnects", "error", "status",
            "confirm_code",
        ],
    ]

    private func json(_ status: DaemonStatus = SampleStatus.make()) throws -> [String: Any] {
        let line = status.json.line
        #expect(!line.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }

    private func members(_ value: JSONValue?) -> [String] {
        guard case .object(let members)? = value else { return [] }
        return members.map(\.key)
    }

    @Test("Every key that stays is there, in order, others behind") func everyKeyStaysThereOrder()
        throws
    {
        let status = SampleStatus.make().json
        #expect(
            Array(members(status).prefix(5)) == ["version", "uptime_s", "gps", "push", "cameras"])
        #expect(members(status).contains("track"))
        for part in ["gps", "push", "track"] {
            let wanted = Self.keys[part] ?? []
            #expect(Array(members(status[part]).prefix(wanted.count)) == wanted)
        }
        guard case .list(let cameras)? = status["cameras"] else {
            Issue.record("no cameras")
            return
        }
        #expect(cameras.count == 3)
        for camera in cameras {
            let wanted = Self.keys["camera"] ?? []
            #expect(Array(members(camera).prefix(wanted.count)) == wanted)
        }
    }

    @Test("Values are what the rig said") func valuesWhatRigSaid() throws {
        let object = try json()
        #expect(object["version"] as? String == "0.1.0")
        #expect(object["uptime_s"] as? Double == 12.3)
        let gps = try #require(object["gps"] as? [String: Any])
        #expect(gps["time"] as? String == "2026-07-01T10:00:00.100Z")
        #expect(gps["latitude"] as? Double == 48.137154)
        #expect(gps["longitude"] as? Double == -11.5)
        #expect(gps["quality"] as? String == "rtk-fixed")
        #expect(gps["age_s"] as? Double == 0.03)
        let cameras = try #require(object["cameras"] as? [[String: Any]])
        let front = cameras[0]
        #expect(front["address"] as? String == "60:60:1F:60:11:E7")
        #expect(front["model"] as? String == "Osmo Action 4")
        #expect(front["mode"] as? String == "video")
        #expect(front["mode_params"] as? String == "4K60 RS")
        #expect(front["resolution"] as? String == "4K 16:9")
        #expect(front["fps"] as? Int == 60)
        #expect(front["stabilization"] as? String == "RS+")
        #expect(front["battery_pct"] as? Int == 87)
        #expect(front["card_free_mb"] as? Int == 60000)
        #expect(front["remaining_s"] as? Int == 5400)
        #expect(front["temperature"] as? String == "normal")
        #expect(front["recording"] as? Bool == true)
        #expect(front["status"] as? String == "ok")
        #expect(front["error"] is NSNull)
    }

    @Test("Unknown is null, never 0") func unknownNullNever0() throws {
        var status = SampleStatus.make()
        status.rig.gps = GPSStatus(
            state: .disconnected, fix: nil, device: nil, rateHertz: nil, age: nil,
            timeTrusted: false)
        status.track = TrackStatus(isOn: false)
        let object = try json(status)
        let gps = try #require(object["gps"] as? [String: Any])
        for key in Self.keys["gps"] ?? [] where key != "state" {
            #expect(gps[key] is NSNull, "\(key)")
        }
        let cameras = try #require(object["cameras"] as? [[String: Any]])
        for key in ["recording", "record_s", "mode", "fps", "battery_pct", "rssi_dbm", "status"] {
            #expect(cameras[1][key] is NSNull, "\(key)")
        }
        #expect(cameras[2]["number"] is NSNull)
        #expect((object["track"] as? [String: Any])?["path"] is NSNull)
    }

    @Test("A code is four digits") func codeFourDigits() throws {
        var status = SampleStatus.make()
        status.rig.cameras[0].confirmCode = 42
        let cameras = try #require(try json(status)["cameras"] as? [[String: Any]])
        #expect(cameras[0]["confirm_code"] as? String == "0042")
        #expect(status.cameraLines[0].text.hasSuffix(" confirm_code=0042"))
    }

    @Test("Lines have the same words, without what is unknown") func linesHaveSameWordsWithout() {
        let lines = SampleStatus.make().lines.map(\.text)
        #expect(lines[0].hasPrefix("gps - state=fix3d device=/dev/ttyACM0 time=2026-07-01T10:00"))
        #expect(lines[1] == "push - rate_hz=10.0 target_hz=10.0 sent=4000 dropped=0 void=2")
        #expect(lines[2] == "bluetooth - state=ok")
        #expect(lines[3].hasPrefix("camera front number=1 address=60:60:1F:60:11:E7 adapter=AA:"))
        #expect(
            lines[3].contains(" model=\"Osmo Action 4\" state=ready recording=true record_s=12 "))
        #expect(!lines[3].contains("error="))
        #expect(lines[4].contains(" state=absent gps=off "))
        #expect(lines[5].hasPrefix("camera action6-0001 address=60:60:1F:00:00:01 state=listed"))
        #expect(lines[6] == "adapter AA:BB:CC:DD:EE:FF hci=hci0 usable=true links=1")
        #expect(lines[7].hasPrefix("track - path=/tracks/track-20260701T100000Z.csv rows=4000"))
        #expect(lines[8...] == ["auto - state=off moving=no place=- hand=-"])
    }

    @Test("The rules say where the vehicle is and what people hold") func rulesSayWhere() throws {
        var status = SampleStatus.make()
        status.rig.auto.isOn = false
        status.rig.auto.isMoving = true
        status.rig.auto.place = "home"
        status.rig.auto.hand = ["front", "rear"]
        #expect(
            status.autoLine.text == "auto - state=off moving=yes place=home hand=front,rear")
        let auto = try #require(try json(status)["auto"] as? [String: Any])
        #expect(auto["moving"] as? String == "yes")
        let calm = try #require(try json()["auto"] as? [String: Any])
        #expect(calm["place"] is NSNull)
    }

    @Test(
        "A camera is found by name, number or address",
        arguments: ["front", "1", "60:60:1f:60:11:e7", "60:60:1F:60:11:E7"])
    func cameraFoundNameNumberOr(word: String) throws {
        let status = SampleStatus.make()
        let lines = try status.cameraLines(of: .these([word, word]))
        #expect(lines.map(\.name) == ["front"])
        #expect(lines[0].text.contains(" mtu=517 write_path=fd round_trip_ms=35.0 "))
    }

    @Test("Others are nobody", arguments: ["nobody", "3", "01:02:03:04:05:06", "Front", ""])
    func othersNobody(word: String) {
        let status = SampleStatus.make()
        #expect(throws: UnknownTarget.unknown(word, known: status.rig.cameras.map(\.name))) {
            try status.cameraLines(of: .these(["front", word]))
        }
    }

    @Test("All is the roster, strangers are found by name") func allRosterStrangersFoundName()
        throws
    {
        var status = SampleStatus.make()
        #expect(try status.cameraLines(of: .all).map(\.name) == ["front", "rear"])
        #expect(try status.cameraLines(of: .these(["action6-0001"])).count == 1)
        status.rig.cameras.removeFirst(2)
        #expect(throws: UnknownTarget.emptyRoster) { try status.cameraLines(of: .all) }
    }

    @Test("Modes are those of the model that were not refused") func modesThoseModelNotRefused()
        throws
    {
        let status = SampleStatus.make()
        let lines = try status.modeLines(of: .all).map(\.text)
        #expect(lines.contains("mode video code=0x01 cameras=front,rear"))
        // The camera `front` refused the mode, and an Osmo 360 does not have it.
        #expect(!lines.contains { $0.hasPrefix("mode tracking ") })
        #expect(lines.contains("mode pano-video code=0x38 cameras=rear"))
        #expect(try status.modeLines(of: .these(["front"])).count == 6)
    }

    @Test("systemctl gets one line") func systemctlGetsOneLine() {
        var status = SampleStatus.make()
        #expect(
            status.summary
                == "3-D fix 12 satellites 10.0 Hz; cameras 1/2, 1 recording; track-20260701T100000Z.csv"
        )
        status.track.error = "No space left on device"
        #expect(status.summary.hasSuffix("; track: No space left on device"))
    }
}
