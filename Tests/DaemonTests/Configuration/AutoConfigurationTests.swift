import Clock
import Fleet
import LineProtocol
import Navigation
import Testing

@testable import Daemon

/// `[auto]`, `[place NAME]` and `idle_rate` (contract 7.2, 7.9, 7.10).
@Suite struct AutoConfigurationTests {
    @Test("every key of the rules is read") func everyKeyIsRead() {
        let read = configuration(
            """
            [push]
            idle_rate = 2
            [auto]
            record_above = 15
            record_after = 3
            stop_below = 7.5
            stop_after = 90
            record_needs_fix = no
            record_at_start = yes
            sleep_after = 10
            wake_on = motion
            photo_every = 25 m
            [place home]
            latitude = -48.5
            longitude = 11.25
            radius = 150
            inside = sleep
            [place 2]
            latitude = 90
            longitude = -180
            radius = 50000
            inside = nothing
            """)
        #expect(read.faults.isEmpty)
        #expect(read.configuration.push.idleRate == 2)
        var auto = AutoSettings()
        auto.recordAbove = 15
        auto.recordAfter = .seconds(3)
        auto.stopBelow = 7.5
        auto.stopAfter = .seconds(90)
        auto.recordNeedsFix = false
        auto.recordAtStart = true
        auto.sleepAfter = .seconds(600)
        auto.wakeOn = .motion
        auto.photoEvery = .metres(25)
        let home = Place(latitudeDegrees: -48.5, longitudeDegrees: 11.25)
        let pole = Place(latitudeDegrees: 90, longitudeDegrees: -180)
        auto.places = [
            AutoPlace(
                circle: PlaceCircle(name: "home", middle: home, radiusMetres: 150), inside: .sleep),
            AutoPlace(
                circle: PlaceCircle(name: "2", middle: pole, radiusMetres: 50_000),
                inside: .nothing),
        ]
        #expect(read.configuration.auto == auto)
    }

    static let wrong: [(String, String)] = [
        ("[auto]\nrecord_above = 1.9\n", "2 to 500 (km/h), none"),
        ("[auto]\nrecord_above = 500.1\n", "2 to 500 (km/h), none"),
        ("[auto]\nrecord_above = fast\n", "2 to 500 (km/h), none"),
        ("[auto]\nrecord_above = 1e2\n", "2 to 500 (km/h), none"),
        ("[auto]\nrecord_after = 3601\n", "0 to 3600 (seconds)"),
        ("[auto]\nstop_below = 0.9\n", "1 to 500 (km/h), none"),
        ("[auto]\nrecord_above = 10\nstop_below = 10\n", "stop_below less than record_above"),
        ("[auto]\nstop_below = 10\nrecord_above = 9\n", "stop_below less than record_above"),
        ("[auto]\nsleep_after = 0\n", "1 to 1440 (minutes), none"),
        ("[auto]\nwake_on = always\n", "off, motion, power"),
        ("[auto]\nphoto_every = 0 m\n", "1 to 100000 m, 1 to 86400 s, none"),
        ("[auto]\nphoto_every = 10\n", "1 to 100000 m, 1 to 86400 s, none"),
        ("[auto]\nphoto_every = 86401 s\n", "1 to 86400 s, none"),
        ("[push]\nidle_rate = 11\n", "1 to 10, or empty for rate"),
        ("[place a]\nlatitude = 1\nlongitude = 1\nradius = 10\n", "record, stop, sleep, nothing"),
        (
            "[place a]\nlatitude = 90.1\nlongitude = 1\nradius = 10\ninside = stop\n",
            "-90 to 90 (degrees, north positive)"
        ),
        (
            "[place a]\nlatitude = 1\nlongitude = 1\nradius = 4\ninside = stop\n",
            "5 to 50000 (metres)"
        ),
        ("[place -]\n", "a place's name is 1 to 32 of A-Z a-z 0-9 . _ -, and not - alone"),
        ("[place]\n", "a place's name is 1 to 32 of A-Z a-z 0-9 . _ -, and not - alone"),
    ]

    @Test("what is wrong is named with what is allowed", arguments: wrong)
    func wrongIsNamed(text: String, words: String) {
        let lines = complaints(text)
        #expect(lines.count == 1)
        #expect(lines.first?.contains(words) == true)
        #expect(configuration(text).configuration.auto.places.isEmpty)
    }

    @Test("a place that stands twice, and one too many, are faults") func placesAreBounded() {
        let place = "latitude = 1\nlongitude = 1\nradius = 10\ninside = stop\n"
        #expect(
            complaints("[place a]\n" + place + "[place a]\n" + place)
                == ["x.conf:6: [place a]: given twice, first in line 1"])
        let all = (1...100).map { "[place p\($0)]\n" + place }.joined()
        #expect(complaints(all).isEmpty)
        #expect(complaints(all + "[place more]\n" + place).count == 1)
    }

    @Test("a reload names rules and places that changed") func reloadNames() {
        let place = "[place a]\nlatitude = 1\nlongitude = 1\nradius = 10\ninside = "
        let old = configuration("[auto]\nrecord_above = 15\n" + place + "stop\n").configuration
        let new = configuration("[auto]\nrecord_above = 20\n" + place + "sleep\n").configuration
        #expect(
            old.changes(to: new).map(\.line.text) == [
                "reload auto.record_above applied=now old=15 new=20", "reload place.a applied=now",
            ])
    }
}
