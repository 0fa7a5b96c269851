import Clock
import LineProtocol
import Testing

@testable import ControlTool

@Suite struct WatchKeysTests {
    /// front records, rear is absent, idle could record, and one camera sleeps.
    private let status = WatchSample.status(["front", "rear", "idle", "asleep"])
    private let now = Instant(nanoseconds: 1_000_000_000_000)

    private func press(
        _ keys: inout WatchKeys, _ key: Character, after: TimeSpan = .zero
    ) -> WatchKeys.Outcome {
        keys.press(key.asciiValue ?? 0, status: status, at: now + after)
    }

    @Test("Starting is one key") func startIsOneKey() {
        var keys = WatchKeys()
        #expect(press(&keys, "r") == .give("record start"))
    }

    @Test("Stopping is a second press within three seconds") func stopTwice() {
        var keys = WatchKeys()
        #expect(press(&keys, "s") == .redraw)
        #expect(
            keys.asked(status, at: now)?.rendered(colours: false)
                == "stop recording on all cameras? s again")
        #expect(press(&keys, "s", after: .milliseconds(2999)) == .give("record stop"))
        #expect(press(&keys, "s") == .redraw)
        #expect(press(&keys, "s", after: .seconds(3)) == .redraw)
        #expect(keys.asked(status, at: now + .seconds(6)) == nil)
    }

    @Test("No single key ends a take", arguments: UInt8.min...UInt8.max)
    func noSingleKeyEndsATake(key: UInt8) {
        var keys = WatchKeys()
        let outcome = keys.press(key, status: status, at: now)
        #expect(
            [
                .nothing, .redraw, .quit, .give("record start"), .give("wake"), .give("mark"),
            ].contains(outcome))
    }

    @Test("Sleep is asked first, and any other key is a no") func sleepIsAsked() {
        var keys = WatchKeys()
        #expect(press(&keys, "z") == .redraw)
        #expect(
            keys.asked(status, at: now)?.rendered(colours: false) == "send all cameras to sleep? y")
        #expect(press(&keys, "y") == .give("sleep"))
        #expect(press(&keys, "y") == .nothing)
        #expect(press(&keys, "z") == .redraw)
        #expect(press(&keys, "n") == .redraw)
        #expect(press(&keys, "y") == .nothing)
        #expect(press(&keys, "z") == .redraw)
        #expect(press(&keys, "y", after: .seconds(3)) == .nothing)
    }

    @Test("Digits choose one camera, the same digit or 0 all") func digitsChoose() {
        var keys = WatchKeys()
        #expect(press(&keys, "1") == .redraw)
        #expect(keys.chosen == 1)
        #expect(keys.line(status).rendered(colours: false).hasPrefix("front: s stop"))
        #expect(press(&keys, "s") == .redraw)
        #expect(press(&keys, "s") == .give("record stop 1"))
        #expect(press(&keys, "7", after: .seconds(5)) == .redraw)
        #expect(press(&keys, "r") == .give("record start 7"))
        #expect(press(&keys, "7", after: .seconds(9)) == .redraw)
        #expect(keys.chosen == nil)
        #expect(press(&keys, "1", after: .seconds(20)) == .redraw)
        #expect(press(&keys, "0", after: .seconds(30)) == .redraw)
        #expect(keys.chosen == nil)
        #expect(press(&keys, "9", after: .seconds(40)) == .nothing)
    }

    @Test("Two digits in a second are one number") func twoDigits() {
        let many = WatchSample.status((1...12).map { "spare\($0)" })
        var keys = WatchKeys()
        _ = keys.press(0x31, status: many, at: now)
        _ = keys.press(0x32, status: many, at: now + .milliseconds(999))
        #expect(keys.chosen == 12)
        _ = keys.press(0x31, status: many, at: now + .seconds(5))
        _ = keys.press(0x32, status: many, at: now + .seconds(6))
        #expect(keys.chosen == 2)
    }

    @Test("Keys that can do nothing are neither shown nor heard") func uselessKeys() {
        let absent = WatchSample.status(["rear"])
        var keys = WatchKeys()
        #expect(keys.line(absent).rendered(colours: false) == "m mark  ? help  q quit")
        for key in "rspzwy" {
            #expect(keys.press(key.asciiValue ?? 0, status: absent, at: now) == .nothing)
        }
        #expect(
            keys.line(status).rendered(colours: false)
                == "r record  s stop  z sleep  w wake  m mark  ? help  q quit")
        let photo = WatchSample.status(["a-camera-with-a-long-name"])
        #expect(keys.line(photo).rendered(colours: false).contains("p photo"))
        #expect(keys.press(0x70, status: photo, at: now) == .give("photo"))
    }

    @Test("A question mark explains the keys until the next one") func helpScreen() {
        var keys = WatchKeys()
        #expect(press(&keys, "?") == .redraw)
        #expect(keys.showsHelp)
        #expect(press(&keys, "r") == .redraw)
        #expect(!keys.showsHelp)
        #expect(press(&keys, "q") == .quit)
    }
}
