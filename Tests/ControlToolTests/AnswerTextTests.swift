import LineProtocol
import Testing

@testable import ControlTool

@Suite struct AnswerTextTests {
    private func answer(_ verb: String, _ lines: String...) -> String {
        var answer = AnswerText(verb: verb, width: 80)
        return WatchSample.text(lines.flatMap { answer.add($0) } + answer.end())
    }

    @Test("A command's results are sentences") func results() {
        #expect(
            answer(
                "record",
                "record front result=ok sent_mono=10.000 confirmed_mono=10.420 recording=yes",
                "record rear result=busy reason=\"a photo is under way\"",
                "record left result=absent") == """
                    front: ok, recording yes (0.4 s)
                    rear: busy, a photo is under way
                    left: absent
                    """)
        #expect(answer("mark", "mark - utc=2026-07-01T10:00:00.100Z mono=7.500") == "mark: ok")
        #expect(answer("loglevel") == "done")
    }

    @Test("Pairing says what to do") func pairing() {
        #expect(
            answer(
                "pair", "pairing action4-11e7 code=0042", "pair action4-11e7 result=ok number=1")
                    == """
                    action4-11e7 asks on its screen: compare the code, 0042, and tap to confirm
                    action4-11e7: ok, number 1
                    """)
        let before = AnswerText(verb: "pair", width: 80).before
        #expect(WatchSample.text(before).contains("close DJI's app"))
        #expect(AnswerText(verb: "gps", width: 80).before.isEmpty)
    }

    @Test("A reload shows the old and the new value") func reload() {
        #expect(
            answer(
                "reload", "reload push.rate applied=now old=10 new=5",
                "reload state.directory applied=restart old=/a new=/b",
                "reload camera.front applied=now") == """
                    push.rate: 10 → 5, from now on
                    state.directory: /a → /b, after a restart
                    camera.front, from now on
                    """)
        #expect(answer("reload") == "nothing has changed")
    }

    @Test("A camera's keys are words with units") func camera() {
        #expect(
            answer("camera", "camera front state=ready battery_pct=87 round_trip_ms=35.0") == """
                front
                  state       ready
                  battery     87 %
                  round trip  35.0 ms
                """)
    }

    @Test("The receiver's state is a sentence") func gps() {
        #expect(answer("gps", "gps - state=nofix").hasPrefix("gps: the receiver has no fix yet"))
        #expect(
            answer("gps", "gps - state=fix3d speed_mps=1.50") == """
                gps: a full fix
                  state  fix3d
                  speed  1.50 m/s
                """)
    }

    @Test("Cameras and status are tables, modes are columns, help stays") func tables() {
        #expect(
            answer("cameras", "camera front number=1 state=ready battery_pct=87").hasPrefix(
                "#  NAME         STATE"))
        #expect(answer("cameras").hasPrefix("no cameras: "))
        #expect(
            answer("status", WatchSample.status(["front"]).line).hasPrefix("RECORDING 1/1 · GPS"))
        #expect(
            answer("modes", "mode video code=0x01 cameras=front,rear")
                == "video             0x01  front,rear")
        #expect(answer("help", "gps  shows  the receiver") == "gps  shows  the receiver")
    }
}
