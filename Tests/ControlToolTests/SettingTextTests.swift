import LineProtocol
import Testing

@testable import ControlTool

@Suite struct SettingTextTests {
    private static let text = """
        # geotagd
        [gps]
        #host = 127.0.0.1
        port = 2948

        # How often.
        [push]
        rate = 5

        """

    @Test("Values are those of their section, comments are none") func values() {
        let text = SettingText(Self.text)
        #expect(text.value("gps", "port") == "2948")
        #expect(text.value("gps", "host") == nil)
        #expect(text.value("push", "port") == nil)
        #expect(text.value("push", "rate") == "5")
        #expect(text.value("fleet", "admit") == nil)
    }

    @Test("What is not set stays as it was, letter by letter") func unchanged() {
        for text in [Self.text, "", "[gps]\n", "x\n\n\n[a]\n b=c\n"] {
            #expect(SettingText(text).text == text)
        }
    }

    @Test("A key is set in its place, or behind the others of its section") func setting() {
        var text = SettingText(Self.text)
        text.set("gps", "port", to: "2947")
        text.set("gps", "device", to: "/dev/ttyACM0")
        text.set("camera front", "address", to: "60:60:1F:60:11:E7")
        text.set("camera front", "number", to: "1")
        #expect(
            text.text == """
                # geotagd
                [gps]
                #host = 127.0.0.1
                port = 2947
                device = /dev/ttyACM0

                # How often.
                [push]
                rate = 5

                [camera front]
                address = 60:60:1F:60:11:E7
                number = 1

                """)
        #expect(text.cameras.map(\.name) == ["front"])
    }

    @Test("The daemon's cameras are taken over once, under their names") func adopting() throws {
        let status = try #require(
            JSONValue(
                #"{"cameras":[{"name":"front","number":1,"address":"60:60:1F:60:11:E7"},"#
                    + #"{"name":"rear","number":2,"address":"60:60:1F:60:11:E8"},"#
                    + #"{"name":"stranger","number":null,"address":"60:60:1F:60:11:E9"}]}"#))
        var text = SettingText("[camera mine]\naddress = 60:60:1f:60:11:e7\n")
        text.adopt(status)
        #expect(text.cameras.map(\.name) == ["mine", "rear"])
        let once = text
        text.adopt(status)
        #expect(text == once)
    }
}
