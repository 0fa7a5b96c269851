import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// Contract 3.2 and 3.3: targets, results, and the link commands.
@Suite struct RigCommandTests {
    /// Three cameras; `change` is applied to the bench before they connect.
    static func three(_ change: (RigBench) -> Void = { _ in }) -> RigBench {
        let bench = RigBench.of(3)
        change(bench)
        bench.pass(.seconds(20))
        return bench
    }

    @Test("one line a camera, in the order in which results come, then OK")
    func oneLineCameraOrderWhich() {
        let bench = Self.three {
            $0.place(1) { $0.recordDelay = .milliseconds(900) }
        }
        let (lines, end) = bench.command(.photo)
        #expect(end.code == .unsupported)
        #expect(lines.map(\.name) == ["cam1", "cam2", "cam3"])
        let record = bench.command(.record(.start))
        #expect(record.end == .ok)
        #expect(record.lines.map(\.name) == ["cam2", "cam3", "cam1"])
    }

    @Test("one camera asked and failed: its code, its name and why") func oneCameraAskedFailedCode()
    {
        let bench = Self.three { $0.place(2) { $0.ignoresRecord = true } }
        let (lines, end) = bench.command(.record(.start), "cam2")
        #expect(lines.map { $0.value("result") } == ["timeout"])
        #expect(end.code == .timeout)
        #expect(end.words?.hasPrefix("cam2: ") == true)
    }

    @Test("some failed: partial, and the message names them") func someFailedPartialMessageNames() {
        let bench = Self.three { $0.place(2) { $0.ignoresRecord = true } }
        let (lines, end) = bench.command(.record(.start))
        #expect(lines.count == 3)
        #expect(end.code == .partial)
        #expect(end.words == "1 of 3 cameras failed: cam2")
    }

    @Test("all failed: the code of the first in the roster, in whatever order they were asked")
    func allFailedCodeOfFirstInRoster() {
        let bench = Self.three {
            $0.place(1) { $0.ignoresRecord = true }
            $0.place(2) { $0.ignoresRecord = true }
        }
        #expect(bench.command(.record(.start), "1", "2").end.code == .timeout)
        bench.air[QueueBench.camera(1)]!.present = false
        bench.lose(1)
        bench.pass(.seconds(5))
        #expect(bench.command(.record(.start), "1", "2").end.code == .notReady)
        let (_, end) = bench.command(.record(.start), "2", "1")
        #expect(end == .error(.notReady, "2 of 2 cameras failed: cam1, cam2"))
        bench.air[QueueBench.camera(1)]!.present = true
        bench.pass(.seconds(60))
        bench.air[QueueBench.camera(2)]!.present = false
        bench.lose(2)
        bench.pass(.seconds(5))
        #expect(bench.command(.record(.start), "2", "1").end.code == .timeout)
    }

    @Test("an unknown target commands nobody") func unknownTargetCommandsNobody() {
        let bench = Self.three()
        let (lines, end) = bench.command(.record(.start), "cam1", "cam9")
        #expect(lines.isEmpty)
        #expect(
            end
                == .error(
                    .noCamera,
                    "no camera called cam9; did you mean cam1? There are: cam1, cam2, cam3"))
        #expect(bench.summary(1)?.recording == false)
    }

    @Test("an empty roster is no camera") func emptyRosterNoCamera() {
        let bench = RigBench(RigBench.settings())
        #expect(bench.command(.record(.start)).end.code == .noCamera)
    }

    @Test("doubled targets are one camera") func doubledTargetsOneCamera() {
        let bench = Self.three()
        #expect(bench.command(.record(.start), "cam1", "1", "60:60:1f:60:00:01").lines.count == 1)
    }

    @Test("an absent camera is not ready; an optional one answers absent, which is no error")
    func absentCameraNotReadyOptional() {
        let bench = RigBench.of(2) { $0.roster[1].optional = true }
        bench.air[QueueBench.camera(2)] = nil
        bench.pass(.seconds(20))
        let (lines, end) = bench.command(.record(.start))
        #expect(end == .ok)
        #expect(lines.first { $0.name == "cam2" }?.value("result") == "absent")
        #expect(lines.first { $0.name == "cam1" }?.value("result") == "ok")
        let other = RigBench.of(1)
        other.air[QueueBench.camera(1)] = nil
        other.pass(.seconds(5))
        #expect(other.command(.record(.start)).end.code == .notReady)
    }

    @Test(
        "a camera that waits for a tap, is away or sleeps says so in the same instant",
        arguments: [
            FleetCommand.record(.start), .record(.toggle), .photo, .mode(name: "photo"),
            .key(.record), .sleep, .version,
        ])
    func cameraWaitsTapAwayOr(
        command: FleetCommand
    ) {
        let bench = RigBench.of(3)
        bench.place(1) { $0.consent = .waits }
        bench.air[QueueBench.camera(2)] = nil
        bench.pass(.seconds(15))
        bench.command(.sleep, "cam3")
        #expect(bench.states == [.confirm, .absent, .asleep])
        for (name, words) in [
            ("cam1", "waiting for a tap"), ("cam2", "absent"), ("cam3", "asleep"),
        ] {
            let (lines, end) = bench.command(command, name, for: .zero)
            // A camera that sleeps need not be sent to sleep again.
            if command == .sleep, name == "cam3" {
                #expect(end == .ok)
                continue
            }
            #expect(lines.map { $0.value("result") } == ["not-ready"], "\(name)")
            #expect(end.code == .notReady)
            #expect(end.words?.contains(words) == true, "\(end.words ?? "")")
        }
        #expect(bench.violations == 0)
    }

    @Test("a fleet's toggle brings all to the same state") func fleetSToggleBringsAll() {
        let bench = Self.three()
        bench.command(.record(.start), "cam1")
        bench.command(.record(.toggle))
        #expect((1...3).map { bench.summary($0)?.recording } == [false, false, false])
        bench.command(.record(.toggle))
        #expect((1...3).map { bench.summary($0)?.recording } == [true, true, true])
    }

    @Test("the 64th command under way is taken and the 65th is busy")
    func n64thCommandUnderWayTaken() {
        let bench = RigBench.of(1)
        bench.place(1) { $0.mute = true }
        bench.pass(.seconds(20))
        var dispatch = CommandDispatch()
        for number in 1...UInt64(CommandDispatch.bound) {
            #expect(!dispatch.isFull)
            dispatch.begin(
                Ticket(number: number), verb: "record", [(QueueBench.camera(1), "cam1")])
        }
        #expect(dispatch.isFull)
        bench.rig.dispatch = dispatch
        #expect(bench.command(.record(.start)).end.code == .busy)
    }

    // MARK: Links

    @Test("disconnect holds until connect") func disconnectHoldsUntilConnect() {
        let bench = Self.three()
        let (lines, end) = bench.command(.disconnect, "cam1")
        #expect(end == .ok)
        #expect(lines.count == 1)
        bench.pass(.seconds(120))
        #expect(bench.summary(1)?.state == .backoff)
        #expect(bench.summary(1)?.error?.contains("disconnected by command") == true)
        #expect(bench.command(.connect, "cam1", for: .seconds(25)).end == .ok)
        #expect(bench.summary(1)?.state == .ready)
        #expect(!bench.notices.contains { $0.kind == .alarm })
    }

    @Test("reconnect ends the link and makes it anew, with a whole handshake")
    func reconnectEndsLinkMakesAnew() {
        let bench = Self.three()
        let handshakes = bench[1].handshakes
        #expect(bench.command(.reconnect, "cam1", for: .seconds(25)).end == .ok)
        #expect(bench[1].handshakes == handshakes + 1)
        #expect(bench.summary(1)?.state == .ready)
        #expect(bench.summary(1)?.reconnects == 1)
    }

    @Test("a refusal stops retries with its reason, until reconnect")
    func refusalStopsRetriesReasonUntil() {
        let bench = Self.three { $0.place(2) { $0.consent = .refused(after: .seconds(1)) } }
        #expect(bench.summary(2)?.state == .refused)
        let attempts = bench.air[QueueBench.camera(2)]!.requests
        bench.receiverOn = false
        bench.pass(.seconds(600))
        #expect(bench.air[QueueBench.camera(2)]!.requests == attempts)
        #expect(bench.summary(2)?.error?.contains("refused") == true)
        #expect(bench.command(.record(.start), "cam2").end.code == .refused)
        #expect(bench.command(.connect, "cam2").end.code == .refused)
        bench[2].forgetRefusal()
        bench.command(.reconnect, "cam2", for: .seconds(25))
        #expect(bench.summary(2)?.state == .ready)
    }

    @Test("a camera that asks for a tap is asked three times, then waits for reconnect")
    func cameraAsksTapAskedThree() {
        let bench = RigBench.of(1)
        bench.place(1) { $0.consent = .waits }
        bench.pass(.seconds(15))
        #expect(bench.summary(1)?.state == .confirm)
        #expect(bench.summary(1)?.confirmCode != nil)
        bench.pass(.seconds(400))
        let asked = bench.air[QueueBench.camera(1)]!.requests
        bench.receiverOn = false
        bench.pass(.seconds(600))
        #expect(bench.air[QueueBench.camera(1)]!.requests == asked)
        #expect(bench.summary(1)?.state == .refused)
        let confirms = bench.notices.filter {
            $0.kind == .camera && $0.fields.contains(Field("state", "confirm"))
        }
        #expect(confirms.count == 3)
    }

    // MARK: Sleep

    @Test("sleep is confirmed, then not one byte; the link may stay")
    func sleepConfirmedThenNotOne() {
        let bench = Self.three()
        #expect(bench.command(.sleep, "cam1").end == .ok)
        #expect(bench.summary(1)?.state == .asleep)
        let from = bench.now
        bench.pass(.seconds(120))
        #expect(bench.pushes(1, since: from) == 0)
        #expect(bench.violations == 0)
        #expect(bench.summary(1)?.wakeWindow.map { $0 < .seconds(1700) } == true)
    }

    @Test("a camera that records stays awake, the others sleep; force sends all to sleep")
    func recordingCameraStaysAwake() {
        let bench = Self.three()
        bench.command(.record(.start), "cam2")
        let (lines, end) = bench.command(.sleep)
        let busy = lines.first { $0.name == "cam2" }
        #expect(busy?.value("result") == "busy")
        #expect(busy?.value("reason") == "recording: `record stop` first, or `sleep force`")
        #expect(end.code == .partial)
        #expect(bench.states == [.asleep, .ready, .asleep])
        #expect(bench.summary(2)?.recording == true)
        let forced = bench.command(.forcedSleep)
        #expect(forced.end == .ok)
        #expect(forced.lines.map(\.kind) == ["sleep", "sleep", "sleep"])
        #expect(bench.states == [.asleep, .asleep, .asleep])
    }

    @Test("a link that drops in sleep is no alarm, and waking by hand brings the camera back")
    func linkDropsSleepNoAlarm() {
        let bench = Self.three { $0.place(1) { $0.sleepDropsLink = true } }
        bench.command(.sleep, "cam1")
        bench.pass(.seconds(30))
        #expect(bench.summary(1)?.state == .asleep)
        #expect(!bench.notices.contains { $0.kind == .alarm })
        bench.hand(.power, 1)
        bench.pass(.seconds(25))
        #expect(bench.summary(1)?.state == .ready)
        #expect(bench.violations == 0)
    }

    @Test("wake broadcasts, the camera connects again, and answers ok when it is ready")
    func wakeBroadcastsCameraConnectsAgain() {
        let bench = Self.three()
        bench.command(.sleep, "cam1")
        bench.pass(.seconds(30))
        let (lines, end) = bench.command(.wake, "cam1", for: .seconds(30))
        #expect(end == .ok)
        #expect(lines.map { $0.value("result") } == ["ok"])
        #expect(bench.summary(1)?.state == .ready)
        #expect(bench.requests.contains { $0.request == .wake(.test(1)) })
    }

    @Test("snapshot wakes a camera, takes the picture, and it sleeps again")
    func snapshotWakesCameraTakesPicture() {
        let bench = Self.three()
        bench.command(.sleep, "cam1")
        bench.pass(.seconds(30))
        #expect(bench.command(.snapshot, "cam1", for: .seconds(30)).end == .ok)
        bench.pass(.seconds(20))
        #expect(bench.summary(1)?.state == .asleep)
    }

    @Test("a radio that cannot wake: unsupported, with its sentence")
    func radioCannotWakeUnsupportedSentence() {
        let bench = Self.three()
        bench.wakeOutcome = .unsupported("waking needs CAP_NET_ADMIN")
        bench.command(.sleep, "cam1")
        let (_, end) = bench.command(.wake, "cam1", for: .seconds(30))
        #expect(end == .error(.unsupported, "cam1: waking needs CAP_NET_ADMIN"))
    }

    @Test("a camera that sleeps for more than 30 minutes cannot be woken, and is told so")
    func cameraSleepsMoreThan30() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(15))
        bench.command(.sleep)
        bench.receiverOn = false
        bench.pass(.seconds(1801))
        let (_, end) = bench.command(.wake)
        #expect(end.code == .timeout)
        #expect(end.words?.contains("30 minutes") == true)
    }

    @Test("wake of a ready camera is ok, of an absent one not ready") func wakeReadyCameraOkAbsent()
    {
        let bench = Self.three()
        bench.air[QueueBench.camera(2)]!.present = false
        bench.lose(2)
        bench.pass(.seconds(3))
        #expect(bench.command(.wake, "cam1").end == .ok)
        #expect(bench.command(.wake, "cam2").end.code == .notReady)
    }
}
