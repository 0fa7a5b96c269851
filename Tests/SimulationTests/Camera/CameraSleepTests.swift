import Clock
import OsmoProtocol
import Simulation
import Testing

@Suite struct CameraSleepTests {
    private func asleep(_ change: (inout Behaviour) -> Void = { _ in }) -> Bench {
        var bench = Bench(.action4, change)
        bench.makeReady()
        bench.outputs = []
        bench.send(PowerMode.sleep)
        return bench
    }

    @Test("sleep is answered, told once, followed by a late status, then silent")
    func sleepAnsweredToldOnceFollowed() {
        var bench = asleep()
        let start = bench.now
        bench.wait(.seconds(1))
        let statuses = bench.statuses(since: start)
        #expect(statuses.map(\.isAsleep) == [true, false])
        let last = bench.outputs.count
        bench.wait(.seconds(600))
        #expect(bench.outputs.count == last)
        #expect(bench.drops == 0)
        #expect(bench.camera.link != nil)
    }

    @Test("bytes to a sleeper are noticed, a repeated sleep is not")
    func bytesSleeperNoticedRepeatedSleep() {
        var bench = asleep()
        bench.send(PowerMode.sleep)
        #expect(bench.camera.violations.isEmpty)
        bench.send(Bench.push())
        bench.send(VersionQuery())
        #expect(bench.camera.violations == [.whileAsleep: 2])
    }

    @Test("who was not told of the sleep cannot know") func whoNotToldSleepCannot() {
        var bench = Bench { $0.statusLostPercent = 100 }
        bench.makeReady()
        bench.give(.hand(.power))
        bench.wait(.seconds(5))
        bench.send(Bench.push())
        #expect(bench.camera.violations.isEmpty)

        var told = Bench()
        told.makeReady()
        told.give(.hand(.power))
        told.send(Bench.push())
        told.wait(.milliseconds(380))
        told.send(Bench.push())
        #expect(told.camera.violations.isEmpty)
        told.wait(.milliseconds(20))
        told.send(Bench.push())
        #expect(told.camera.violations == [.whileAsleep: 1])
    }

    @Test("sleep ends a recording") func sleepEndsRecording() {
        var bench = Bench()
        bench.makeReady()
        _ = bench.code(RecordControl(deviceID: 0, starts: true))
        bench.send(PowerMode.sleep)
        #expect(!bench.camera.body.isRecording)
    }

    @Test("a wake broadcast within the window drops the link and advertises")
    func wakeBroadcastWithinWindowDrops() {
        var bench = asleep()
        bench.wait(.seconds(1799))
        bench.outputs = []
        bench.give(.wakeHeard)
        bench.give(.wakeHeard)
        bench.wait(.seconds(1))
        #expect(bench.outputs.map(\.output) == [.dropLink, .advertise(.on)])
        #expect(bench.camera.power == .on)
    }

    @Test("after the window only a hand wakes it") func afterWindowOnlyHandWakes() {
        var bench = asleep()
        bench.wait(.seconds(1800) + .milliseconds(1))
        bench.outputs = []
        bench.give(.wakeHeard)
        bench.wait(.seconds(10))
        #expect(bench.outputs.isEmpty)
        bench.give(.hand(.power))
        #expect(bench.camera.power == .on)
    }

    @Test("a sleeper without a link listens and is not heard") func sleeperWithoutLinkListensNot() {
        var bench = asleep()
        bench.give(.linkDown)
        #expect(bench.advertising == [.asleep])
        bench.give(.linkUp)
        #expect(bench.camera.link == nil)
        bench.give(.wakeHeard)
        bench.wait(.seconds(1))
        #expect(bench.advertising == [.asleep, .on])
        #expect(bench.drops == 0)
    }

    @Test("it may drop the link as it falls asleep") func mayDropLinkFallsAsleep() {
        var bench = asleep { $0.sleepDropsLink = true }
        bench.wait(.seconds(2))
        #expect(bench.drops == 1)
        #expect(bench.advertising == [.asleep])
    }

    @Test("a long press of the record key puts it to sleep") func longPressRecordKeyPuts() {
        var bench = Bench()
        bench.makeReady()
        bench.send(KeyReport(key: .record, mode: 1, value: 1))
        #expect(bench.camera.power == .asleep(since: bench.now))
    }

    @Test("a snapshot after a broadcast shoots and sleeps again")
    func snapshotAfterBroadcastShootsSleeps() {
        var bench = asleep()
        bench.wait(.seconds(10))
        bench.give(.wakeHeard)
        bench.wait(.seconds(1))
        bench.makeReady()
        #expect(bench.code(KeyReport.short(.snapshot)) == .success)
        #expect(bench.camera.body.photosTaken == 1)
        bench.wait(.seconds(1))
        #expect(bench.camera.stateWord == "asleep")

        var awake = Bench()
        awake.makeReady()
        #expect(awake.code(KeyReport.short(.snapshot)) == .success)
        awake.wait(.seconds(5))
        #expect(awake.camera.isReady)
    }
}

@Suite struct BehaviourTests {
    @Test(
        "a word changes the behaviour",
        arguments: [
            "consent=confirm:3", "consent=wait", "order=reversed", "lost=100", "late=7",
            "answer_ms=0",
            "mute=yes", "no_status=on", "old=yes,splits=yes", "cross_lens=ignored",
            "wake_window=60",
            "card_rate=0", "late_statuses=10",
        ])
    func wordChangesBehaviour(words: String) {
        var behaviour = Behaviour()
        #expect(behaviour.set(words: words) == nil)
        #expect(behaviour != Behaviour())
    }

    @Test(
        "a wrong word is named and changes nothing",
        arguments: [
            "consent=confirm", "consent=known:1", "consent=", "order=x", "lost=101", "lost=-1",
            "answer_ms=x", "mute=maybe", "nothing=1", "mute", "late_statuses=11",
        ])
    func wrongWordNamedChangesNothing(word: String) {
        var behaviour = Behaviour()
        #expect(behaviour.set(words: "\(word)") == word)
        #expect(behaviour == Behaviour())
    }

    @Test("a report is a flat line of JSON") func reportFlatLineJSON() {
        var bench = Bench()
        bench.makeReady()
        bench.send(Bench.push(latitude: -0.000_000_1))
        let report = bench.camera.report(index: 4, at: bench.now)
        #expect(report.hasPrefix("{\"camera\":4,\"address\":\"60:60:1F:60:11:E7\""))
        #expect(report.contains("\"latitude\":-0.0000001,\"longitude\":11.0000000"))
        #expect(report.contains("\"height_m\":500.000"))
        #expect(report.contains("\"state\":\"ready\""))
        #expect(!report.contains("\n"))
    }
}
