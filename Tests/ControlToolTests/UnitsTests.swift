import Clock
import LineProtocol
import Testing

@testable import ControlTool

@Suite struct UnitsTests {
    @Test(
        "The locale says which units a person reads",
        arguments: [
            (["LANG": "en_US.UTF-8"], Units.imperial), (["LANG": "de_DE.UTF-8"], .metric),
            (["LANG": "en_US", "LC_MEASUREMENT": "de_AT"], .metric),
            (["LANG": "de_DE", "LC_ALL": "en_GB"], .imperial), ([:], .metric),
            (["LC_ALL": "", "LANG": "en_US"], .imperial), (["LANG": "C"], .metric),
        ])
    func unitsOfLocale(variables: [String: String], units: Units) {
        #expect(Units.ofLocale { variables[$0] } == units)
    }

    @Test("A rate is that of several seconds, and begins anew with the daemon") func cameraRates() {
        func status(_ pushed: Int) -> JSONValue? {
            JSONValue(#"{"cameras":[{"name":"front","pushed":\#(pushed)}]}"#)
        }
        var rates = CameraRates()
        var now = Instant(nanoseconds: 0)
        // One push more or less in a second does not change the rate.
        for pushed in [0, 10, 21, 30, 40, 51, 60] {
            rates.add(status(pushed), at: now)
            now = now + .seconds(1)
        }
        #expect(rates.hertz["front"] == 10)
        // The pushes stop, and begin again.
        for _ in 0..<6 {
            rates.add(status(60), at: now)
            now = now + .seconds(1)
        }
        #expect(rates.hertz["front"] == 0)
        rates.add(status(70), at: now)
        now = now + .seconds(1)
        rates.add(status(80), at: now)
        #expect(rates.hertz["front"] == 10)
        rates.add(status(5), at: now)
        #expect(rates.hertz["front"] == nil)
        rates.add(status(15), at: now + .seconds(1))
        #expect(rates.hertz["front"] == 10)
    }
}
